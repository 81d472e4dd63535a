"""The port over SQLite: writes go to the writer, reads are done where they are asked for.

A read of this store is a few microseconds from the page cache, less than a hop to another thread, and its size is
bounded by the caller. Sessions in play are remembered as they were last committed: this process has the file alone.
"""

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from functools import partial
from pathlib import Path
from typing import TypeVar

from services.runtime.failure import Failure
from services.session.adapters.sqlite import commands, rows
from services.session.adapters.sqlite.opening import connect_reader, connect_writer, locked, migrate
from services.session.adapters.sqlite.writer import Command, Writer
from services.session.domain import failures
from services.session.domain.session import Record, Session, State
from services.session.ports import Change, RememberedRequest

T = TypeVar("T")

MOST_REMEMBERED = 10_000
"""Sessions in play that are kept as they were last committed."""

LOBBIES = (
    f"SELECT {rows.prefixed('lobby', rows.SESSION)}, {rows.SEATED}"  # noqa: S608  constants
    f" FROM (SELECT {rows.SESSION} FROM sessions"
    # The condition of the indexes, word for word: else they are not used.
    f" WHERE state = {State.LOBBY.value} AND listed {{of_game}}AND (created, id) < (?, ?)"
    " ORDER BY created DESC, id DESC LIMIT ?) AS lobby"
    " JOIN seats ON session_id = id ORDER BY created DESC, id DESC, seat"
)
SELECT_LOBBIES, SELECT_LOBBIES_OF_GAME = LOBBIES.format(of_game=""), LOBBIES.format(of_game="AND game = ? ")
SELECT_REQUEST = f"SELECT {rows.REQUEST} FROM requests WHERE scope = ? AND request = ?"  # noqa: S608  a constant
SELECT_RECORDS = (
    f"SELECT {rows.REVISION} FROM records"  # noqa: S608  a constant
    " WHERE session_id = ? AND revision > ? ORDER BY revision LIMIT ?"
)


@asynccontextmanager
async def sqlite_store(path: Path) -> AsyncIterator["SqliteStore"]:
    """The sessions in a file, which is made when it isn't there. Raises DatabaseTaken, DatabaseUnusable, OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with locked(path):
        await asyncio.to_thread(migrate, path)
        writer = Writer(connect_writer(path))
        reader = connect_reader(path)
        try:
            yield SqliteStore(writer, reader)
        finally:
            reader.close()
            await writer.close()


class SqliteStore:
    """A SessionStore."""

    def __init__(self, writer: Writer, reader: sqlite3.Connection) -> None:
        self._writer = writer
        self._reader = reader
        self._remembered: dict[str, Session] = {}

    async def create(
        self,
        session: Session,
        record: Record | None,
        remember: RememberedRequest | None,
        before: Session | None = None,
        committed: Callable[[], None] | None = None,
    ) -> bool:
        """Store a new session, and what the one before has become. False: somebody was faster."""
        done = partial(self._conclude, before, committed) if before and committed else None
        return await self._write(partial(commands.create, session, record, remember, before), done)

    async def save(self, change: Change, committed: Callable[[], None]) -> bool:
        """Make a change durable, and call `committed` once it is. False: somebody was faster."""
        return await self._write(partial(commands.save, change), partial(self._conclude, change.after, committed))

    async def _write(self, command: Command[bool], done: Callable[[object], None] | None = None) -> bool:
        try:
            return await self._writer.submit(command, done)
        except commands.Taken:
            return False

    def _conclude(self, after: Session, committed: Callable[[], None], saved: object) -> None:
        if saved:
            self._remember(after)
            committed()
        else:
            self._remembered.pop(after.id, None)

    async def load(self, session_id: str) -> Session | None:
        """The session with its latest revision."""
        if session := self._remembered.get(session_id):
            return session
        session = self._read(partial(rows.read_session, where="id", key=session_id))
        return self._remember(session) if session else None

    async def find_join(self, join_hash: bytes) -> Session | None:
        """The session with this join code."""
        return self._read(partial(rows.read_session, where="join_hash", key=join_hash))

    async def find_request(self, scope: str, request: bytes) -> RememberedRequest | None:
        """The answer that a request has had."""
        found = self._all(SELECT_REQUEST, scope, request)
        return RememberedRequest(*found[0]) if found else None

    async def records(self, session_id: str, after: int, limit: int) -> Sequence[Record]:
        """So many revisions after one, in order."""
        found = self._all(
            SELECT_RECORDS,
            session_id,
            after,
            limit,
        )
        return [rows.read_record(row) for row in found]

    async def lobbies(self, game: str, before: tuple[int, str] | None, limit: int) -> Sequence[Session]:
        """So many listed sessions that wait for players, newest first, older than (created, id)."""
        created, session_id = before or (2**63 - 1, "")
        if game:
            return rows.read_lobbies(self._all(SELECT_LOBBIES_OF_GAME, game, created, session_id, limit))
        return rows.read_lobbies(self._all(SELECT_LOBBIES, created, session_id, limit))

    async def due(self, now: int, limit: int) -> Sequence[str]:
        """So many sessions whose alarm has rung."""
        found = self._all("SELECT id FROM sessions WHERE alarm <= ? ORDER BY alarm LIMIT ?", now, limit)
        return [session_id for (session_id,) in found]

    async def next_alarm(self) -> int | None:
        """When the next alarm rings."""
        found = self._all("SELECT min(alarm) FROM sessions")
        alarm: int | None = found[0][0]
        return alarm

    async def delete(self, session: Session) -> bool:
        """Delete a session with everything it owns. False when it has changed."""
        self._remembered.pop(session.id, None)
        return await self._write(partial(commands.delete, session))

    async def ready(self) -> bool:
        """Whether it can be written to, for all we know: as long as all goes well nothing is written to find out."""
        if not self._writer.proven:
            with suppress(Failure):
                await self._writer.submit(commands.probe)
        return self._writer.proven

    def _all(self, statement: str, *values: object) -> list[rows.Row]:
        return self._read(lambda connection: connection.execute(statement, values).fetchall())

    def _read(self, query: Callable[[sqlite3.Connection], T]) -> T:
        try:
            return query(self._reader)
        except sqlite3.Error as error:
            raise failures.store_unavailable() from error

    def _remember(self, session: Session) -> Session:
        self._remembered.pop(session.id, None)
        if not session.state.ended:
            if len(self._remembered) >= MOST_REMEMBERED:
                del self._remembered[next(iter(self._remembered))]
            self._remembered[session.id] = session
        return session
