"""Writing, over the only connection that does: commits together what has queued up, and waits for the disk in a thread.

A commit with synchronous=FULL waits for the disk. Whoever comes meanwhile shares the next one: so the disk's pace
bounds the commits and not the moves. The statements before it run on the loop: they take microseconds, and in another
thread each of them would wait for the interpreter's lock. A command that fails takes nobody with it, and one that has
been handed in is done, whatever becomes of the one who waits for it.
"""

import asyncio
import sqlite3
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, TypeVar

from services.session.adapters.sqlite.disk import DiskThread
from services.session.domain import failures

T = TypeVar("T")
Command = Callable[[sqlite3.Connection], T]
"""Statements that depend on nothing but what it holds: they may be undone and run again."""
MOST_TOGETHER = 256
"""Commands in one transaction. They run on the loop, which serves nobody meanwhile."""
DISK_SECONDS = 5.0
"""How long the disk may take for one thing. After that it hangs, for all we know."""


@dataclass(slots=True)
class PendingWrite:
    """A command on its way: its result, and where it goes."""

    command: Command[Any]
    future: asyncio.Future[Any]
    done: Callable[[Any], None] | None
    result: Any = None
    error: BaseException | None = None


class FileLost(sqlite3.OperationalError):
    """The file is not where it was: what is written to it would be lost with the next start."""


class Writer:
    """Runs commands in the order in which they were handed in."""

    def __init__(
        self, connection: sqlite3.Connection, intact: Callable[[], bool], check_room: Callable[[], None] | None = None
    ) -> None:
        self._connection = connection
        self._intact = intact
        """Says whether the file is still where it was. Any thread may ask."""
        self._check_room = check_room
        """Raises OSError when the disk has no room. Any thread may ask."""
        self._loop = asyncio.get_running_loop()
        self._queue: list[PendingWrite] = []
        self._proof: asyncio.Future[None] | None = None
        """Whoever waits for it to be tried whether the file can be written."""
        self._proven = False
        """Whether it could be, and everything since was written."""
        self._begun = 0.0
        """When the disk was last handed something, by the loop's clock; 0 if it is done."""
        self._work: asyncio.Task[None] | None = None
        self._disk = DiskThread("sqlite-commit")

    def submit(self, command: Command[T], done: Callable[[T | None], None] | None = None) -> asyncio.Future[T]:
        """Hand in a command. The future has its result once it is durable.

        `done` is called then, also when the one who waited for the future has gone. It gets the result, or None when
        the command has failed.
        """
        pending = PendingWrite(command, self._loop.create_future(), done)
        self._queue.append(pending)
        self._begin()
        return pending.future

    async def ready(self) -> bool:
        """Whether the file can be written, for all we know: as long as all goes well nothing is written to find out."""
        if not self._proven:
            if self._proof is None:
                self._proof = self._loop.create_future()
                self._begin()
            await asyncio.shield(self._proof)
        return self._proven and not self._hangs()

    def doubt(self) -> None:
        """Let it be tried again whether the file can be written."""
        self._proven = False

    def _hangs(self) -> bool:
        return bool(self._begun) and self._loop.time() - self._begun > DISK_SECONDS

    def _begin(self) -> None:
        if self._work is None:
            self._work = self._loop.create_task(self._run())

    async def close(self) -> None:
        """Finish what was handed in, then stop."""
        if self._work:
            await asyncio.shield(self._work)
        self._disk.close()
        self._connection.close()

    async def _run(self) -> None:
        checked = False  # what follows a commit at once has the check that came after it
        while self._queue or self._proof:
            if self._proof:
                self._proven = await self._on_disk(self._prove)
                self._proof.set_result(None)
                self._proof = None
            batch, self._queue = self._queue[:MOST_TOGETHER], self._queue[MOST_TOGETHER:]
            if batch:
                checked = await self._commit(batch, checked=checked)
                self._deliver(batch)
        self._work = None

    async def _on_disk(self, work: Callable[[], T]) -> T:
        self._begun = self._loop.time()
        try:
            return await self._disk.do(work)
        finally:
            self._begun = 0.0

    async def _commit(self, batch: list[PendingWrite], *, checked: bool) -> bool:
        """Run a batch in one transaction, and say whether it was stored. When the transaction fails, all of it has."""
        connection = self._connection
        try:
            if not checked:
                self._check_intact()
            _attempt_all(connection, batch)
            await self._on_disk(self._make_durable)
        except sqlite3.Error as error:
            self._proven = False
            for pending in batch:
                pending.error = error
            self._roll_back()
            return False
        return True

    def _roll_back(self) -> None:
        if self._connection.in_transaction:
            with suppress(sqlite3.Error):  # the next transaction tries again
                self._connection.execute("ROLLBACK")

    def _make_durable(self) -> None:
        self._connection.execute("COMMIT")
        self._check_intact()  # before anybody is told

    def _check_intact(self) -> None:
        if not self._intact():
            raise FileLost("the database was removed or replaced")

    def _prove(self) -> bool:
        """Find out whether the file can be written, by a number that nobody reads.

        That alone may go well where a move does not, so there has to be room for some moves. First the log gives back
        what it has taken, unless somebody reads it.
        """
        connection = self._connection
        try:
            self._check_intact()
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            if self._check_room:
                self._check_room()
            connection.execute("BEGIN IMMEDIATE")
            connection.execute("PRAGMA user_version = 1")  # to begin a transaction works on a full disk, too
            self._make_durable()
        except (sqlite3.Error, OSError):
            self._roll_back()
            return False
        return True

    def _deliver(self, batch: list[PendingWrite]) -> None:
        for pending in batch:
            if not pending.future.cancelled():
                _settle(pending)
            if pending.done:
                # After the future: whoever moved goes on first, and can put the acknowledgement into the update.
                try:
                    pending.done(pending.result if pending.error is None else None)
                except Exception as error:  # noqa: BLE001  the others in the batch are told all the same
                    self._loop.call_exception_handler({"message": "telling of a change failed", "exception": error})


def _attempt_all(connection: sqlite3.Connection, batch: list[PendingWrite]) -> None:
    """Run the commands. Nearly always all of them succeed, and need no savepoints between them."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        for pending in batch:
            pending.result = pending.command(connection)
    except sqlite3.OperationalError:
        raise  # the disk, not the command: SQLite may have rolled everything back
    except Exception:  # noqa: BLE001  found again, and given to the one who waits
        connection.execute("ROLLBACK")
        connection.execute("BEGIN IMMEDIATE")
        for pending in batch:
            _attempt(connection, pending)


def _attempt(connection: sqlite3.Connection, pending: PendingWrite) -> None:
    connection.execute("SAVEPOINT pending")
    try:
        pending.result = pending.command(connection)
    except sqlite3.OperationalError:
        raise
    except Exception as error:  # noqa: BLE001  given to the one who waits
        pending.error = error
        connection.execute("ROLLBACK TO pending")
    connection.execute("RELEASE pending")


def _settle(pending: PendingWrite) -> None:
    if isinstance(pending.error, sqlite3.Error):
        failure = failures.store_unavailable()
        failure.__cause__ = pending.error
        pending.future.set_exception(failure)
    elif pending.error is not None:
        pending.future.set_exception(pending.error)
    else:
        pending.future.set_result(pending.result)
