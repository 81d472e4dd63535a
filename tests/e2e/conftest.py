"""The command line with a notebook of its own, and browsers at a door of their own, for the tests of this folder."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.support.browsers import browsing
from tests.support.command_line import Lair
from tests.support.page import Door
from tests.support.servers import Stubs


@pytest.fixture
def lair(server: Stubs, tmp_path: Path) -> Lair:
    return Lair(server.address, tmp_path / "notebook.json")


@pytest.fixture
def elsewhere(server: Stubs, tmp_path: Path) -> Lair:
    """Somebody at another machine: the same server, another notebook."""
    return Lair(server.address, tmp_path / "elsewhere.json")


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with browsing() as chromium:
        yield chromium


@pytest.fixture
def browser(chromium: Browser) -> Iterator[Browser]:
    """With nobody in it."""
    yield chromium
    for context in chromium.contexts:
        context.close()


@pytest.fixture
def door(server: Stubs) -> Iterator[Door]:
    door = Door(server.address)
    with door.open():
        yield door
