"""The stores that the contract suites of stores run over."""

from collections.abc import AsyncIterator
from contextlib import nullcontext
from functools import partial
from pathlib import Path

import pytest

from services.session.adapters.memory import MemoryStore
from services.session.adapters.postgresql.store import postgresql_store
from services.session.adapters.sqlite.store import sqlite_store
from services.session.ports import SessionStore
from tests.support.stores import Open


@pytest.fixture(params=["sqlite", "memory", "postgresql"])
def open_store(request: pytest.FixtureRequest, tmp_path: Path) -> Open:
    """Opens the same store however often it is called."""
    if request.param == "postgresql":
        return partial(postgresql_store, request.getfixturevalue("postgresql_database"))
    kinds: dict[str, Open] = {
        "sqlite": partial(sqlite_store, tmp_path / "folder" / "lair.db"),
        "memory": partial(nullcontext, MemoryStore()),
    }
    return kinds[request.param]


@pytest.fixture
async def store(open_store: Open) -> AsyncIterator[SessionStore]:
    async with open_store() as opened:
        yield opened
