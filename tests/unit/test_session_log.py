"""SQLite's log stays small, also after somebody has read the file for long; a copy that takes too long is given up."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path

import pytest
import structlog

from services.backup import BackupFailed, back_up
from services.session.adapters.sqlite import file, opening
from services.session.adapters.sqlite.store import SqliteStore, sqlite_store
from tests.support.stores import nothing, played, playing

PAGES = 1000
"""So many pages in the log make SQLite bring them into the database."""
USUAL = 1.25 * PAGES * 4096
KEPT = 100_000
MOVES = 60
NAMES = [f"session{number}" for number in range(20)]


@pytest.fixture
async def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[SqliteStore]:
    monkeypatch.setattr(opening, "LOG_BYTES", KEPT)
    monkeypatch.setattr(file, "LARGE_LOG", USUAL)
    async with sqlite_store(tmp_path / "lair.db") as opened:
        yield opened


def size_of(log: Path) -> int:
    return log.stat().st_size


def everything_in(folder: Path) -> list[Path]:
    return list(folder.iterdir())


async def move(store: SqliteStore, moves: int, log: Path) -> int:
    """Play so many moves of every session, and give the largest size of the log."""
    largest = 0

    async def play(name: str) -> None:
        session = await store.load(name)
        assert session
        assert await store.save(played(session), nothing)

    for _ in range(moves):
        await asyncio.gather(*(play(name) for name in NAMES))
        largest = max(largest, size_of(log))
    return largest


async def test_the_log_stays_small_and_shrinks_once_a_long_reader_has_gone(
    store: SqliteStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = tmp_path / "lair.db-wal"
    told = structlog.testing.CapturingLogger()
    monkeypatch.setattr(file, "log", told)
    for name in NAMES:
        await playing(store, name)
    assert await move(store, MOVES, log) < USUAL
    with closing(sqlite3.connect(f"{(tmp_path / 'lair.db').as_uri()}?mode=ro", uri=True)) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM sessions").fetchone()
        grown = await move(store, MOVES, log)
        assert grown > USUAL, "a reader of one moment keeps all that is written after it"
        for _ in range(3):
            assert await store.ready()
        assert [(call.args, call.kwargs["bytes"]) for call in told.calls] == [(("database log grows",), grown)]
    await move(store, 3, log)
    assert size_of(log) < USUAL / 4
    assert await store.ready()
    assert len(told.calls) == 1


async def test_a_copy_that_makes_the_log_too_large_is_given_up(store: SqliteStore, tmp_path: Path) -> None:
    await playing(store, moves=300)
    with pytest.raises(BackupFailed, match=r"more than 1000 bytes were written while it was copied"):
        back_up(tmp_path / "lair.db", tmp_path / "copy.db", most_log=1000)
    assert not [path.name for path in everything_in(tmp_path) if path.name.startswith("copy")]
    assert back_up(tmp_path / "lair.db", tmp_path / "copy.db") == 1
