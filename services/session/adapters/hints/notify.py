"""Hints over NOTIFY of PostgreSQL (https://www.postgresql.org/docs/current/sql-notify.html).

Two connections of their own, outside any pool: one tells, the other one listens. A NOTIFY inside the transaction of a
move would be dear: at its commit PostgreSQL takes a lock that all databases of the server share. Here one statement
tells what many moves have led to, after they are durable.

LISTEN belongs to a connection, so it needs one to PostgreSQL itself: pgbouncer would hand it to somebody else.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Iterator

import psycopg
import structlog
from psycopg.conninfo import conninfo_to_dict

from services.session.adapters.hints.backoff import Backoff
from services.session.adapters.hints.pending import PendingHints
from services.session.adapters.postgresql.opening import address_for_libpq

CHANNEL = "lair_hints"
MOST_PAYLOAD = 7_900
"""Bytes. PostgreSQL takes less than 8,000."""
MOST_AT_ONCE = 2_000
"""Sessions of one statement."""
PATIENCE = 5.0
"""In seconds: how long telling may take."""
APPLICATION = "lair hints"
"""What the connections are called in the database."""
MOST_DIGITS = 19
"""Of a version: more are none of 64 bits."""
TELL = "SELECT pg_notify(%s, payload) FROM unnest(%s::text[]) AS payload"

log = structlog.get_logger()


class NotifyHints:
    """Hints of all replicas on one database."""

    def __init__(self, database: str) -> None:
        self._database = database
        self._pending = PendingHints()
        self._heard: Callable[[str, int], None] = lambda _, __: None
        self._missed: Callable[[], None] = lambda: None

    def tell(self, session_id: str, version: int) -> None:
        """Let the others hear soon that a session is at this version."""
        self._pending.add(session_id, version)

    def listen(self, heard: Callable[[str, int], None], missed: Callable[[], None]) -> None:
        """Call `heard` with each hint, and `missed` after each connection that was made: some may have been lost."""
        self._heard, self._missed = heard, missed

    async def run(self) -> None:
        """Tell and hear until cancelled. Where the database is away, go on once it is back."""
        async with asyncio.TaskGroup() as both:
            both.create_task(self._keep(self._tell, "telling"))
            both.create_task(self._keep(self._hear, "hearing"))

    async def _keep(self, work: "Callable[[psycopg.AsyncConnection, Backoff], Awaitable[None]]", doing: str) -> None:
        """Do this on a connection, and on a new one whenever it is lost."""
        backoff = Backoff()
        while True:
            try:
                where = address_for_libpq(conninfo_to_dict(self._database), application_name=APPLICATION)
                connection = await psycopg.AsyncConnection.connect(where, autocommit=True, prepare_threshold=None)
                async with connection:
                    await work(connection, backoff)
            except (psycopg.Error, OSError, TimeoutError) as error:
                log.warning("hints wait for the database", doing=doing, error=type(error).__name__)
            await backoff.wait()

    async def _tell(self, connection: psycopg.AsyncConnection, backoff: Backoff) -> None:
        while True:
            hints = await self._pending.take(MOST_AT_ONCE)
            try:
                async with asyncio.timeout(PATIENCE):
                    await connection.execute(TELL, (CHANNEL, list(write_payloads(hints.items()))))
            except (psycopg.Error, OSError, TimeoutError):
                self._pending.put_back(hints)
                raise
            backoff.reset()

    async def _hear(self, connection: psycopg.AsyncConnection, backoff: Backoff) -> None:
        await connection.execute(f"LISTEN {CHANNEL}")
        backoff.reset()
        self._missed()
        async for notification in connection.notifies():
            for session_id, version in read_payload(notification.payload):
                self._heard(session_id, version)


def write_payloads(hints: Iterable[tuple[str, int]]) -> Iterator[str]:
    """Hints as `id:version`, with spaces between them, in as many payloads as they need."""
    words: list[str] = []
    size = 0
    for session_id, version in hints:
        word = f"{session_id}:{version}"
        length = len(word.encode()) + 1
        if words and size + length > MOST_PAYLOAD:
            yield " ".join(words)
            words, size = [], 0
        words.append(word)
        size += length
    if words:
        yield " ".join(words)


def read_payload(payload: str) -> Iterator[tuple[str, int]]:
    """The hints of a payload. What is none is left out: whoever may connect to the database may say anything there."""
    for word in payload.split():
        session_id, _, version = word.rpartition(":")
        if session_id and version.isascii() and version.isdecimal() and len(version) <= MOST_DIGITS:
            yield session_id, int(version)
