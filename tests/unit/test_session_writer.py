"""Writing: in order, together, each for itself, and durable before anybody is told."""

import asyncio
import sqlite3
import threading
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest

from services.runtime.failure import Failure
from services.session.adapters.sqlite.opening import connect_reader, connect_writer
from services.session.adapters.sqlite.writer import MOST_TOGETHER, Writer


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "lair.db"


@pytest.fixture
async def writer(path: Path) -> AsyncIterator[Writer]:
    connection = connect_writer(path)
    connection.execute("CREATE TABLE numbers (number INTEGER PRIMARY KEY)")
    opened = Writer(connection, lambda: True)
    yield opened
    await opened.close()


def numbers(path: Path) -> list[int]:
    """What another connection sees: what is committed."""
    reader = connect_reader(path)
    try:
        return [number for (number,) in reader.execute("SELECT number FROM numbers ORDER BY number")]
    finally:
        reader.close()


def inserting(number: int) -> Callable[[sqlite3.Connection], int]:
    """A command that stores a number, and gives it back."""

    def command(connection: sqlite3.Connection) -> int:
        connection.execute("INSERT INTO numbers VALUES (?)", (number,))
        return number

    return command


async def write(writer: Writer, number: int) -> int:
    return await writer.submit(inserting(number))


async def test_whoever_is_told_finds_it_stored(writer: Writer, path: Path) -> None:
    for number in range(5):
        assert await write(writer, number) == number
        assert numbers(path) == list(range(number + 1))


async def test_commands_are_run_in_the_order_in_which_they_came(writer: Writer, path: Path) -> None:
    order: list[int] = []
    futures = [writer.submit(lambda _, number=number: order.append(number)) for number in range(3 * MOST_TOGETHER)]  # type: ignore[misc]  # a default for the loop
    await asyncio.gather(*futures)
    assert order == list(range(3 * MOST_TOGETHER))


class SlowDisk(sqlite3.Connection):
    """Real, but a commit waits for a sign before it begins."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.begun, self.go_on = threading.Event(), threading.Event()
        self.commits = 0

    def execute(self, statement: str, *values: Any) -> sqlite3.Cursor:
        if statement == "COMMIT":
            self.commits += 1
            self.begun.set()
            assert self.go_on.wait(10)
        return super().execute(statement, *values)


async def test_what_queues_up_behind_a_commit_shares_the_next_one(path: Path) -> None:
    """And whoever hands something in meanwhile does not wait: the loop goes on."""
    connection = sqlite3.connect(path, factory=SlowDisk, isolation_level=None, check_same_thread=False)
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("CREATE TABLE numbers (number INTEGER PRIMARY KEY)")
    writer = Writer(connection, lambda: True)
    first = writer.submit(inserting(0))
    await asyncio.to_thread(connection.begun.wait, 10)
    rest = [writer.submit(inserting(number)) for number in range(1, 11)]
    await asyncio.sleep(0)
    assert numbers(path) == []
    assert not first.done(), "nobody is told before it is committed"
    connection.go_on.set()
    assert await asyncio.gather(first, *rest) == list(range(11))
    assert numbers(path) == list(range(11))
    assert connection.commits == 2
    await writer.close()


async def test_a_command_that_fails_takes_nobody_with_it(writer: Writer, path: Path) -> None:
    def fail(connection: sqlite3.Connection) -> None:
        connection.execute("INSERT INTO numbers VALUES (99)")
        raise KeyError("a defect")

    together = await asyncio.gather(
        write(writer, 1),
        writer.submit(fail),
        write(writer, 2),
        write(writer, 2),
        write(writer, 3),
        return_exceptions=True,
    )
    assert [type(result) for result in together] == [int, KeyError, int, Failure, int]
    assert numbers(path) == [1, 2, 3], "and leaves nothing of itself"


async def test_when_the_disk_fails_nobody_is_told_that_it_is_stored(writer: Writer, path: Path) -> None:
    def broken(_: sqlite3.Connection) -> None:
        raise sqlite3.OperationalError("disk I/O error")

    together = await asyncio.gather(write(writer, 1), writer.submit(broken), write(writer, 2), return_exceptions=True)
    failed = [result for result in together if isinstance(result, Failure)]
    assert {failure.reason for failure in failed} == {"STORE_UNAVAILABLE"}
    assert numbers(path) == [result for result in together if isinstance(result, int)]
    assert await write(writer, 7) == 7, "and it goes on when the disk does"


async def test_who_wants_to_know_is_told_once_it_is_stored_also_when_the_caller_has_gone(
    writer: Writer, path: Path
) -> None:
    seen: list[tuple[object, list[int]]] = []

    def fail(_: sqlite3.Connection) -> None:
        raise KeyError("a defect")

    for command in (inserting(1), fail):
        writer.submit(command, lambda result: seen.append((result, numbers(path)))).cancel()
    await write(writer, 2)
    assert seen == [(1, [1, 2]), (None, [1, 2])]


async def test_a_caller_who_has_gone_changes_nothing(writer: Writer, path: Path) -> None:
    future = writer.submit(inserting(1))
    future.cancel()
    assert await write(writer, 2) == 2
    assert numbers(path) == [1, 2]


async def test_what_was_handed_in_is_done_before_it_closes(path: Path) -> None:
    connection = connect_writer(path)
    connection.execute("CREATE TABLE numbers (number INTEGER PRIMARY KEY)")
    writer = Writer(connection, lambda: True)
    futures = [asyncio.ensure_future(write(writer, number)) for number in range(20)]
    await asyncio.sleep(0)
    await writer.close()
    assert await asyncio.gather(*futures) == list(range(20))
    assert numbers(path) == list(range(20))


# ---- whether the file can be written ---------------------------------------------------------------------------------


async def test_it_is_tried_once_and_again_when_something_has_failed(path: Path) -> None:
    tried: list[str] = []
    writer = Writer(connect_writer(path), lambda: True, lambda: tried.append("room"))
    assert await asyncio.gather(writer.ready(), writer.ready(), writer.ready()) == [True] * 3
    assert await writer.ready()
    assert tried == ["room"]

    def broken(_: sqlite3.Connection) -> None:
        raise sqlite3.OperationalError("disk I/O error")

    with pytest.raises(Failure):
        await writer.submit(broken)
    assert await writer.ready()
    assert tried == ["room"] * 2
    await writer.close()


async def test_after_a_failure_there_has_to_be_room_whatever_small_is_written(path: Path) -> None:
    """A number fits where a move does not: else it would be well and ill by turns."""
    room = False

    def check_room() -> None:
        if not room:
            raise OSError("no room")

    connection = connect_writer(path)
    connection.execute("CREATE TABLE numbers (number INTEGER PRIMARY KEY)")
    writer = Writer(connection, lambda: True, check_room)
    for number in range(3):
        assert not await writer.ready()
        assert await write(writer, number) == number
    room = True
    assert await writer.ready()
    await writer.close()


async def test_a_disk_that_hangs_is_not_ready(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    connection = sqlite3.connect(path, factory=SlowDisk, isolation_level=None, check_same_thread=False)
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("CREATE TABLE numbers (number INTEGER PRIMARY KEY)")
    connection.go_on.set()
    writer = Writer(connection, lambda: True)
    assert await writer.ready()
    connection.go_on.clear()
    connection.begun.clear()
    monkeypatch.setattr("services.session.adapters.sqlite.writer.DISK_SECONDS", -1.0)
    waiting = writer.submit(inserting(1))
    await asyncio.to_thread(connection.begun.wait, 10)
    assert not await writer.ready()
    connection.go_on.set()
    assert await waiting == 1
    assert await writer.ready()
    await writer.close()


async def test_somebody_else_who_writes_keeps_nobody_waiting(writer: Writer, path: Path) -> None:
    """A shell of SQLite, perhaps, in the midst of a transaction: statements of ours run on the loop."""
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    loop = asyncio.get_running_loop()
    begun = loop.time()
    with pytest.raises(Failure):
        await write(writer, 1)
    assert loop.time() - begun < 4, "SQLite would wait for 5 s"
    other.execute("ROLLBACK")
    other.close()
    assert await write(writer, 1) == 1


async def test_a_batch_that_follows_another_at_once_is_checked_once(path: Path) -> None:
    checks = 0

    def intact() -> bool:
        nonlocal checks
        checks += 1
        return True

    connection = connect_writer(path)
    connection.execute("CREATE TABLE numbers (number INTEGER PRIMARY KEY)")
    writer = Writer(connection, intact)
    await asyncio.gather(*(write(writer, number) for number in range(3 * MOST_TOGETHER)))
    assert checks == 4, "before the first, and after each of the three"
    await writer.close()
