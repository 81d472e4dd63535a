"""What SQLite's store remembers is never behind what the file has."""

import asyncio
import sqlite3
import threading
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from services.session.adapters.sqlite.file import owned
from services.session.adapters.sqlite.opening import connect_reader, connect_writer, migrate
from services.session.adapters.sqlite.store import SqliteStore
from services.session.adapters.sqlite.writer import Writer
from services.session.domain.session import Seat, Session, State
from services.session.ports import Change, RememberedRequest

PATIENCE = 10.0


class SlowDisk(sqlite3.Connection):
    """Real, but a commit that is in the file returns only at a sign."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.committed, self.go_on = threading.Event(), threading.Event()
        self.go_on.set()

    def execute(self, statement: str, *values: Any) -> sqlite3.Cursor:
        cursor = super().execute(statement, *values)
        if statement == "COMMIT":
            self.committed.set()
            assert self.go_on.wait(PATIENCE)
        return cursor


@dataclass
class Slow:
    """A store over such a disk."""

    store: SqliteStore
    disk: SlowDisk

    async def half_saved(self, change: Change) -> asyncio.Task[bool]:
        """Begin to save a change: it is in the file, and nobody has been told."""
        self.disk.committed.clear()
        self.disk.go_on.clear()
        saving = asyncio.create_task(self.store.save(change, lambda: None))
        await asyncio.to_thread(self.disk.committed.wait, PATIENCE)
        return saving


@pytest.fixture
async def slow(tmp_path: Path) -> AsyncIterator[Slow]:
    with owned(tmp_path / "lair.db") as file:
        migrate(file.path)
        connect_writer(file.path).close()
        disk = sqlite3.connect(file.path, factory=SlowDisk, isolation_level=None, check_same_thread=False)
        reader = connect_reader(file.path)
        writer = Writer(disk, lambda: True)
        yield Slow(SqliteStore(file, writer, reader), disk)
        disk.go_on.set()
        reader.close()
        await writer.close()


@pytest.fixture
def session() -> Session:
    return Session(
        id="a",
        version=0,
        game="cabbages",
        state=State.LOBBY,
        seats=(Seat("Ann", 1), Seat("Ben", 1)),
        options=b"",
        rules_version="1",
        server_seed=b"seed",
        host_hash=b"host",
        join_hash=b"code",
        created=1,
        updated=1,
    )


def renamed(session: Session, name: str) -> Change:
    seats = (replace(session.seats[0], name=name), session.seats[1])
    after = replace(session, version=session.version + 1, seats=seats)
    return Change(after, seat=0, remember=RememberedRequest("a", name.encode(), b"body", "a"))


async def test_a_session_is_not_remembered_while_it_is_written(slow: Slow, session: Session) -> None:
    """Who finds a request in the file finds what it has led to, although its writer has not been told yet."""
    await slow.store.create(session, None, None)
    assert await slow.store.load("a") == session, "now it is remembered"
    change = renamed(session, "Bea")
    saving = await slow.half_saved(change)
    for _ in range(2):
        assert await slow.store.find_request("a", b"Bea") == change.remember
        assert await slow.store.load("a") == await slow.store.find_join(b"code") == change.after
    slow.disk.go_on.set()
    assert await saving
    assert await slow.store.load("a") == change.after


async def test_a_change_that_was_too_late_leaves_nothing_old_behind(slow: Slow, session: Session) -> None:
    await slow.store.create(session, None, None)
    first, late = renamed(session, "Bea"), renamed(session, "Cleo")
    saving = await slow.half_saved(first)
    too_late = asyncio.create_task(slow.store.save(late, lambda: None))
    await asyncio.sleep(0)
    slow.disk.go_on.set()
    assert await saving
    assert not await too_late
    assert await slow.store.load("a") == first.after


async def test_a_session_is_read_as_of_one_moment(slow: Slow, session: Session) -> None:
    """Its row and its seats are read one after the other, and a commit may come between the two."""
    await slow.store.create(session, None, None)
    versions = {session.version: session}
    read: list[Session] = []
    for number in range(20):
        change = renamed(session, f"name {number}")
        versions[change.after.version] = session = change.after
        saving = asyncio.create_task(slow.store.save(change, lambda: None))
        while not saving.done():
            if found := await slow.store.find_join(b"code"):
                read.append(found)
            await asyncio.sleep(0)
        assert await saving
    assert all(found == versions[found.version] for found in read)
