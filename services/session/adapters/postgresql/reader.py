"""Reading: four tasks, each with a connection of its own.

Sessions that wait to be loaded are loaded together, each once for everybody who waits for it. Of those that were seen
before only the version is asked first. A read joins no statement that was sent already: that may not see what was
written since. What is read here may be read again, so a lost connection is nothing to tell of.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import structlog

from services.session.adapters import rows
from services.session.adapters.postgresql.opening import ANSWER_SECONDS, PAUSE, Connection, Database, Link, reason_of
from services.session.adapters.postgresql.remembered import Remembered
from services.session.domain import failures
from services.session.domain.session import Session

TASKS = 4
MOST_TOGETHER = 256
"""Sessions in one statement."""
PATIENCE_SECONDS = 10.0
"""How long a caller waits for the database."""

SEATS = (
    "LEFT JOIN LATERAL (SELECT array_agg(t.name ORDER BY t.seat) AS name, array_agg(t.kind ORDER BY t.seat) AS kind,"
    " array_agg(t.token_hash ORDER BY t.seat) AS token_hash, array_agg(t.entropy ORDER BY t.seat) AS entropy,"
    " array_agg(t.has_left ORDER BY t.seat) AS has_left FROM seats AS t WHERE t.session_id = s.id) AS t ON true"
)
WHOLE = f"{rows.prefixed('s', rows.SESSION)}, {rows.prefixed('r', rows.REVISION)}, {rows.prefixed('t', rows.SEATED)}"
WITH_ALL = f"LEFT JOIN records AS r ON r.session_id = s.id AND r.revision = s.revision {SEATS}"
SELECT_SESSIONS = f"SELECT {WHOLE} FROM sessions AS s {WITH_ALL} WHERE s.id = ANY(%b::text[])"  # noqa: S608  constants
SELECT_BY_JOIN = f"SELECT {WHOLE} FROM sessions AS s {WITH_ALL} WHERE s.join_hash = %b"  # noqa: S608  constants
SELECT_VERSIONS = "SELECT id, version, touched FROM sessions WHERE id = ANY(%b::text[])"
SESSION_COLUMNS = len(rows.SESSION.split(","))
REVISION_COLUMNS = len(rows.REVISION.split(","))

Values = Sequence[Any] | Mapping[str, Any]
T = TypeVar("T")
Ask = Callable[[Connection], Awaitable[None]]

log = structlog.get_logger()


@dataclass(slots=True, eq=False)
class Question:
    """A statement, and who waits for its rows."""

    statement: str
    values: Values
    future: asyncio.Future[list[rows.Row]]


class Reader:
    """Asks the database."""

    def __init__(self, database: Database, remembered: Remembered) -> None:
        self._loop = asyncio.get_running_loop()
        self._remembered = remembered
        self._queue: asyncio.Queue[Question | None] = asyncio.Queue()
        """None stands for all the sessions that wait."""
        self._waiting: dict[str, asyncio.Future[Session | None]] = {}
        """Sessions that are to be loaded with the next statement."""
        self._tasks = [self._loop.create_task(self._run(Link(database))) for _ in range(TASKS)]

    async def rows(self, statement: str, values: Values = ()) -> list[rows.Row]:
        """The rows of a statement that may be run twice. Raises Failure STORE_UNAVAILABLE."""
        question = Question(statement, values, self._loop.create_future())
        self._queue.put_nowait(question)
        return await _in_time(question.future)

    async def session(self, session_id: str) -> Session | None:
        """A session as it is now. Raises Failure STORE_UNAVAILABLE."""
        future = self._waiting.get(session_id)
        if future is None:
            if not self._waiting:
                self._queue.put_nowait(None)
            future = self._waiting[session_id] = self._loop.create_future()
        return await _in_time(asyncio.shield(future))

    async def close(self) -> None:
        """Stop. Nobody waits any more."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _run(self, link: Link) -> None:
        try:
            while True:
                if question := await self._queue.get():
                    await self._answer(link, question)
                else:
                    await self._load(link)
        finally:
            await link.drop()

    async def _answer(self, link: Link, question: Question) -> None:
        async def ask(connection: Connection) -> None:
            cursor = await connection.execute(question.statement, question.values, binary=True)
            found = await cursor.fetchall() if cursor.description else []
            if not question.future.done():
                question.future.set_result(found)

        await self._try(link, ask, [question.future])

    async def _load(self, link: Link) -> None:
        """Load the sessions that wait: from here on others wait for the next statement."""
        taken = dict(list(self._waiting.items())[:MOST_TOGETHER])
        for session_id in taken:
            del self._waiting[session_id]
        if self._waiting:
            self._queue.put_nowait(None)

        async def ask(connection: Connection) -> None:
            found = await self._load_all(list(taken), connection)
            for session_id, future in taken.items():
                session = found.get(session_id)
                if session is None:
                    self._remembered.forget(session_id)
                if not future.done():
                    future.set_result(session)

        await self._try(link, ask, list(taken.values()))

    async def _load_all(self, ids: Sequence[str], connection: Connection) -> dict[str, Session]:
        """Sessions by their ids. Raises psycopg.Error."""
        found = {}
        known = {session_id: session for session_id in ids if (session := self._remembered.get(session_id))}
        if known:
            cursor = await connection.execute(SELECT_VERSIONS, (list(known),), binary=True)
            for session_id, version, touched in await cursor.fetchall():
                session = known[session_id]
                if (session.version, session.touched) == (version, touched):
                    found[session_id] = session
        if missing := [session_id for session_id in ids if session_id not in found]:
            cursor = await connection.execute(SELECT_SESSIONS, (missing,), binary=True)
            for row in await cursor.fetchall():
                session = read_whole(row)
                self._remembered.keep(session)
                found[session.id] = session
        return found

    async def _try(self, link: Link, ask: Ask, waiting: Sequence[asyncio.Future[Any]]) -> None:
        """Ask, as long as anybody waits and the database may come back."""
        until = self._loop.time() + PATIENCE_SECONDS
        while not all(future.done() for future in waiting):
            connection = None
            try:
                connection = await link.connection()
                async with asyncio.timeout(ANSWER_SECONDS):
                    await ask(connection)
            except Exception as error:  # noqa: BLE001  whatever it is, those who wait are told
                lost = connection is None or connection.closed or isinstance(error, TimeoutError)
                if not lost or self._loop.time() > until:
                    log.warning("a read failed", why=reason_of(error), sqlstate=getattr(error, "sqlstate", None))
                    _fail(waiting, error)
                if lost:
                    await link.drop()
                    await asyncio.sleep(PAUSE if connection is None else 0)


def read_whole(row: rows.Row) -> Session:
    """A session from WHOLE."""
    session, rest = row[:SESSION_COLUMNS], row[SESSION_COLUMNS:]
    head, seats = rest[:REVISION_COLUMNS], rest[REVISION_COLUMNS:]
    seated = zip(*seats, strict=True) if seats[0] else ()
    return rows.session_of(session, seated, rows.read_record(head) if head[0] is not None else None)


async def _in_time(future: asyncio.Future[T]) -> T:
    try:
        async with asyncio.timeout(PATIENCE_SECONDS):
            return await future
    except TimeoutError as error:
        raise failures.store_unavailable() from error


def _fail(waiting: Sequence[asyncio.Future[Any]], error: BaseException) -> None:
    for future in waiting:
        if not future.done():
            failure = failures.store_unavailable()
            failure.__cause__ = error
            future.set_exception(failure)
            future.exception()  # whoever waited may have gone
