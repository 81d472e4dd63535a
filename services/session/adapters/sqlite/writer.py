"""The thread that owns the only writing connection, and commits together what has queued up.

A commit with synchronous=FULL waits for the disk. Whoever comes meanwhile shares the next one: so the disk's pace
bounds the commits and not the moves. Each command has a savepoint of its own, and a failing one takes nobody with it.
A command that has been handed in is done, whatever becomes of the one who waits for it.
"""

import asyncio
import queue
import sqlite3
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from services.session import failures

T = TypeVar("T")
Command = Callable[[sqlite3.Connection], T]
MOST_TOGETHER = 256


@dataclass(slots=True)
class Errand:
    """A command on its way: its result, and where it goes."""

    command: Command[Any]
    future: asyncio.Future[Any]
    result: Any = None
    error: BaseException | None = None


class Writer:
    """Runs commands in the order in which they were handed in."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._loop = asyncio.get_running_loop()
        self._queue: queue.SimpleQueue[Errand | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, args=(connection,), name="sqlite-writer", daemon=True)
        self._thread.start()

    def submit(self, command: Command[T]) -> asyncio.Future[T]:
        """Hand in a command. The future has its result once it is durable; await it shielded."""
        errand = Errand(command, self._loop.create_future())
        self._queue.put(errand)
        return errand.future

    async def close(self) -> None:
        """Finish what was handed in, then stop."""
        self._queue.put(None)
        await asyncio.to_thread(self._thread.join)

    def _run(self, connection: sqlite3.Connection) -> None:
        open_ = True
        while open_:
            batch: list[Errand] = []
            errand = self._queue.get()
            while errand is not None:
                batch.append(errand)
                if len(batch) == MOST_TOGETHER or self._queue.empty():
                    break
                errand = self._queue.get()
            open_ = errand is not None
            if batch:
                _commit(connection, batch)
                self._loop.call_soon_threadsafe(_deliver, batch)
        connection.close()


def _commit(connection: sqlite3.Connection, batch: list[Errand]) -> None:
    """Run a batch in one transaction. When the transaction fails, all of it has failed."""
    try:
        connection.execute("BEGIN IMMEDIATE")
        for errand in batch:
            _attempt(connection, errand)
        connection.execute("COMMIT")
    except sqlite3.Error as error:
        for errand in batch:
            errand.error = error
        if connection.in_transaction:
            connection.execute("ROLLBACK")


def _attempt(connection: sqlite3.Connection, errand: Errand) -> None:
    connection.execute("SAVEPOINT errand")
    try:
        errand.result = errand.command(connection)
    except sqlite3.OperationalError:
        raise  # the disk, not the command: SQLite may have rolled everything back
    except Exception as error:  # noqa: BLE001  given to the one who waits
        errand.error = error
        connection.execute("ROLLBACK TO errand")
    connection.execute("RELEASE errand")


def _deliver(batch: list[Errand]) -> None:
    for errand in batch:
        if errand.future.cancelled():
            continue
        if isinstance(errand.error, sqlite3.Error):
            failure = failures.store_unavailable()
            failure.__cause__ = errand.error
            errand.future.set_exception(failure)
        elif errand.error is not None:
            errand.future.set_exception(errand.error)
        else:
            errand.future.set_result(errand.result)
