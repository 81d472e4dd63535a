"""Writing: two tasks, each with a connection of its own, save together whatever waits.

Of one session one write is on its way at a time; the others wait in its line, and those that were made for the same
version are lost as soon as one is saved. A caller holds no connection, so one who goes cuts nothing in half.

When a connection is lost its outcome is not known. The task that lost it finds it out before it does anything else,
however long that takes. Whoever waits is told after a while that nobody knows; whoever has to hear of a change that
turns out to be saved, hears of it then.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial

import psycopg
import structlog
from psycopg import errors

from services.runtime.failure import Failure
from services.session.adapters.postgresql.changes import Saving, find_out, save_together
from services.session.adapters.postgresql.commands import Work
from services.session.adapters.postgresql.opening import PAUSE, Connection, Database, Link, reason_of
from services.session.domain import failures

TASKS = 2
MOST_TOGETHER = 256
"""Changes in one statement."""
FEWEST_TOGETHER = 3
"""Fewer are cheaper one by one."""
ATTEMPTS = 5
"""How often something is tried that got in the way of somebody else."""
PATIENCE_SECONDS = 10.0
"""How long a caller waits for the database."""
CLOSING_SECONDS = 10.0
"""How long it is tried, at the end, to finish what is on its way."""
AGAIN = (errors.SerializationFailure, errors.DeadlockDetected)
"""What is undone, and may go well when it is tried again."""

log = structlog.get_logger()


@dataclass(slots=True, eq=False)
class PendingWrite:
    """Work on its way: who waits for it, and who has to hear of it."""

    work: Work
    future: asyncio.Future[bool]
    done: Callable[[bool], None] | None
    timer: asyncio.TimerHandle | None = field(default=None)
    sent: bool = False
    """Whether it may have been done, for all we know."""
    over: bool = False
    """Whether it was not sent in time. Then it is not sent any more."""


class Writer:
    """Does work in the order in which it was handed in, that of one session one after the other."""

    def __init__(self, database: Database) -> None:
        self._loop = asyncio.get_running_loop()
        self._queue: asyncio.Queue[PendingWrite] = asyncio.Queue()
        self._lines: dict[str, deque[PendingWrite]] = {}
        """By session, what waits until the work before it is done. There is a line for each that is on its way."""
        self._idle = asyncio.Event()
        self._idle.set()
        self._closing = False
        self._tasks = [self._loop.create_task(self._run(Link(database))) for _ in range(TASKS)]

    def submit(self, work: Work, done: Callable[[bool], None] | None = None) -> asyncio.Future[bool]:
        """Hand work in. The future has its result once it is durable, or Failure STORE_UNAVAILABLE.

        `done` is called with the result, also when the one who waited for the future has gone.
        """
        pending = PendingWrite(work, self._loop.create_future(), done)
        pending.timer = self._loop.call_later(max(work.seconds, PATIENCE_SECONDS), partial(self._expire, pending))
        line = self._lines.get(work.key)
        if line is None:
            self._lines[work.key] = deque()
            self._idle.clear()
            self._queue.put_nowait(pending)
        else:
            line.append(pending)
        return pending.future

    async def close(self) -> None:
        """Finish what was handed in, as far as the database is there, then stop."""
        self._closing = True
        try:
            async with asyncio.timeout(CLOSING_SECONDS):
                await self._idle.wait()
        except TimeoutError:
            log.warning("changes were given up", sessions=len(self._lines), why="the database does not answer")
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _run(self, link: Link) -> None:
        try:
            while True:
                batch = [await self._queue.get()]
                while len(batch) < MOST_TOGETHER and not self._queue.empty():
                    batch.append(self._queue.get_nowait())
                await self._do_all(link, batch)
        finally:
            await link.drop()

    async def _do_all(self, link: Link, batch: Sequence[PendingWrite]) -> None:
        together: list[PendingWrite] = []
        alone: list[PendingWrite] = []
        for pending in batch:
            plain = isinstance(pending.work, Saving) and pending.work.plain
            (together if plain else alone).append(pending)
        if len(together) < FEWEST_TOGETHER:
            together, alone = [], [*together, *alone]
        if together:
            await self._do(link, together)
        for pending in alone:
            await self._do(link, [pending])

    async def _do(self, link: Link, batch: Sequence[PendingWrite]) -> None:
        """Do one piece of work, or save plain changes together."""
        for attempt in range(ATTEMPTS):
            connection = await self._connection(link, batch)
            batch = self._in_time(batch)
            if connection is None or not batch:
                return
            for pending in batch:
                pending.sent = True
            try:
                async with asyncio.timeout(max(pending.work.seconds for pending in batch)):
                    results = await _run(batch, connection)
            except AGAIN:
                await asyncio.sleep(PAUSE * attempt / ATTEMPTS)
                continue
            except Exception as error:  # noqa: BLE001  whatever it is, those who wait are told
                await self._recover(link, batch, connection, error)
                return
            for pending, won in zip(batch, results, strict=True):
                self._settle(pending, won=won)
            return
        for pending in batch:
            self._fail(pending, failures.store_unavailable())

    async def _recover(
        self, link: Link, batch: Sequence[PendingWrite], connection: Connection, error: Exception
    ) -> None:
        """Go on after a statement that has failed, or whose end was not heard."""
        if isinstance(error, TimeoutError) or connection.closed:
            log.warning("connection lost", why=reason_of(error), changes=len(batch))
            await link.drop()
            await self._settle_lost(link, batch)
        elif len(batch) > 1:  # one of them is in the way of the others
            for pending in batch:
                await self._do(link, [pending])
        elif isinstance(error, errors.IntegrityError):
            self._settle(batch[0], won=False)
        else:
            await self._refuse(link, batch[0], error)

    async def _connection(self, link: Link, batch: Sequence[PendingWrite]) -> Connection | None:
        """A connection, as long as anybody waits."""
        while self._in_time(batch):
            try:
                return await link.connection()
            except (psycopg.Error, OSError):
                await asyncio.sleep(PAUSE)
        return None

    def _in_time(self, batch: Sequence[PendingWrite]) -> Sequence[PendingWrite]:
        """Those that are still to be sent. The others were told, and go."""
        for pending in batch:
            if pending.over:
                self._settle(pending, won=False)
        return [pending for pending in batch if not pending.over]

    async def _settle_lost(self, link: Link, batch: Sequence[PendingWrite]) -> None:
        """Find out what became of work whose connection was lost, however long it takes."""
        while True:
            try:
                connection = await link.connection()
                async with asyncio.timeout(max(pending.work.seconds for pending in batch)):
                    results = await _find_out(batch, connection)
                break
            except (psycopg.Error, OSError) as error:
                log.warning("the outcome of changes is not known", changes=len(batch), why=reason_of(error))
                await link.drop()
                await asyncio.sleep(PAUSE)
        for pending, won in zip(batch, results, strict=True):
            self._settle(pending, won=won)

    async def _refuse(self, link: Link, pending: PendingWrite, error: Exception) -> None:
        """The database is there, and does not do it: its disk is full, or somebody has a lock for too long."""
        log.warning("a change was not saved", why=reason_of(error), sqlstate=getattr(error, "sqlstate", None))
        if isinstance(error, errors.ReadOnlySqlTransaction):  # another one is the primary now
            await link.drop()
        failure = failures.store_unavailable()
        failure.__cause__ = error
        self._fail(pending, failure)

    def _expire(self, pending: PendingWrite) -> None:
        """Tell whoever waits that it takes too long."""
        pending.over = not pending.sent
        if not pending.future.done():
            failure = failures.store_outcome_unknown() if pending.sent else failures.store_unavailable()
            pending.future.set_exception(failure)

    def _fail(self, pending: PendingWrite, failure: Failure) -> None:
        if not pending.future.done():
            pending.future.set_exception(failure)
        self._settle(pending, won=False)

    def _settle(self, pending: PendingWrite, *, won: bool) -> None:
        """Tell everybody, and let the next one in the line of its session begin."""
        self._tell(pending, won=won)
        line = self._lines[pending.work.key]
        if won:
            for behind in [behind for behind in line if _beats(pending.work, behind.work)]:
                line.remove(behind)
                self._tell(behind, won=False)
        if line:
            self._queue.put_nowait(line.popleft())
        else:
            del self._lines[pending.work.key]
            if not self._lines:
                self._idle.set()

    def _tell(self, pending: PendingWrite, *, won: bool) -> None:
        if pending.timer:
            pending.timer.cancel()
        if not pending.future.done():
            pending.future.set_result(won)
        if pending.done:
            # After the future: whoever moved goes on first, and can put the acknowledgement into the update.
            try:
                pending.done(won)
            except Exception as error:  # noqa: BLE001  the others are told all the same
                self._loop.call_exception_handler({"message": "telling of a change failed", "exception": error})


def _beats(saved: Work, behind: Work) -> bool:
    """Whether what was saved is a change of the version that the other one was to change."""
    if not (isinstance(saved, Saving) and isinstance(behind, Saving)):
        return False
    return behind.change.after.version <= saved.change.after.version


async def _run(batch: Sequence[PendingWrite], connection: Connection) -> Sequence[bool]:
    """Do one piece of work, or save several plain changes. Raises psycopg.Error."""
    if len(batch) == 1:
        return [await batch[0].work.run(connection)]
    return await save_together([saving for saving in _works(batch) if isinstance(saving, Saving)], connection)


async def _find_out(batch: Sequence[PendingWrite], connection: Connection) -> Sequence[bool]:
    """Which of them have been done. Raises psycopg.Error."""
    if len(batch) == 1:
        return [await batch[0].work.find_out(connection)]
    return await find_out([saving for saving in _works(batch) if isinstance(saving, Saving)], connection)


def _works(batch: Sequence[PendingWrite]) -> list[Work]:
    return [pending.work for pending in batch]
