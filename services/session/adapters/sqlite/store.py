"""The port over SQLite: writes go to the writer, reads are done where they are asked for.

A read of this store is a few microseconds from the page cache, less than a hop to another thread, and its size is
bounded by the caller. Sessions in play are remembered as they were last committed: this process has the file alone.
While one is being written it is not remembered: a read of the file may see the change before its writer is told.
"""

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from functools import partial
from pathlib import Path

from services.session.adapters import rows
from services.session.adapters.claims import Claims
from services.session.adapters.sqlite import commands
from services.session.adapters.sqlite.file import DatabaseFile, owned
from services.session.adapters.sqlite.opening import connect_reader, connect_writer, migrate
from services.session.adapters.sqlite.writer import Command, Writer
from services.session.domain import failures
from services.session.domain.session import Record, Session, State
from services.session.ports import Change, RememberedRequest

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
SELECT_REQUEST = (
    f"SELECT {rows.REQUEST} FROM requests WHERE scope = ?1 AND request = ?2 UNION ALL"  # noqa: S608  constants
    f" SELECT {rows.MOVE_REQUEST}, x'' FROM records WHERE session_id = ?1 AND request = ?2"
)
SELECT_RECORDS = (
    f"SELECT {rows.REVISION} FROM records"  # noqa: S608  a constant
    " WHERE session_id = ? AND revision > ? ORDER BY revision LIMIT ?"
)

SELECT_NEXT_ALARM = (
    f"{rows.GAMES} SELECT min((SELECT min(alarm) FROM sessions"  # noqa: S608  a constant
    " WHERE sessions.game = games.game AND alarm > ?)) FROM games"
)
SELECT_DUE = "SELECT id FROM sessions WHERE game = ? AND alarm <= ? ORDER BY alarm LIMIT ?"


@asynccontextmanager
async def sqlite_store(path: Path) -> AsyncIterator["SqliteStore"]:
    """The sessions in a file, which is made when it isn't there. Raises DatabaseTaken, DatabaseUnusable, OSError."""
    with owned(path) as file:
        await asyncio.to_thread(migrate, file.path)
        writer = Writer(connect_writer(file.path), file.intact, file.check_room)
        file.watch_log()
        reader = connect_reader(file.path)
        try:
            yield SqliteStore(file, writer, reader)
        finally:
            reader.close()
            await writer.close()


class SqliteStore:
    """A SessionStore."""

    def __init__(self, file: DatabaseFile, writer: Writer, reader: sqlite3.Connection) -> None:
        self._file = file
        self._writer = writer
        self._reader = reader
        self._remembered: dict[str, Session] = {}
        self._claims = Claims()
        self._heard: Callable[[int], None] = _ignore
        self._being_written: dict[str, int] = {}
        """How many writes of a session are on their way."""

    async def create(
        self,
        session: Session,
        record: Record | None,
        remember: RememberedRequest | None,
        before: Session | None = None,
        committed: Callable[[], None] | None = None,
    ) -> bool:
        """Store a new session, and what the one before has become. False: somebody was faster."""
        command = partial(commands.create, session, record, remember, before)

        def done() -> None:
            for stored in (session, before):
                if stored:
                    self._heard(stored.alarm)
            if committed:
                committed()

        return await self._write(command, before.id if before else "", done)

    async def save(self, change: Change, committed: Callable[[], None]) -> bool:
        """Make a change durable, and call `committed` once it is. False: somebody was faster."""
        after = change.after

        def done() -> None:
            self._remember(after)
            self._heard(after.alarm)
            committed()

        return await self._write(partial(commands.save, change), after.id, done)

    async def _write(self, command: Command[bool], session_id: str, done: Callable[[], None] | None = None) -> bool:
        """Write what changes a session, and call `done` if it has. An id of "" is no stored session."""
        self._remembered.pop(session_id, None)
        self._being_written[session_id] = self._being_written.get(session_id, 0) + 1
        try:
            return await self._writer.submit(command, partial(self._conclude, session_id, done))
        except commands.Taken:
            return False

    def _conclude(self, session_id: str, done: Callable[[], None] | None, written: object) -> None:
        if left := self._being_written[session_id] - 1:
            self._being_written[session_id] = left
        else:
            del self._being_written[session_id]
        self._claims.drop(session_id)
        if written and done:
            done()

    async def load(self, session_id: str) -> Session | None:
        """The session with its latest revision."""
        if session := self._remembered.get(session_id):
            return session
        session = self._session("id", session_id)
        return self._remember(session) if session else None

    async def recall(self, session_id: str) -> Session | None:
        """The same: nobody else changes this file."""
        return await self.load(session_id)

    def outdate(self, session_id: str, version: int) -> None:
        """Nobody else changes it."""

    async def find_join(self, join_hash: bytes) -> Session | None:
        """The session with this join code."""
        return self._session("join_hash", join_hash)

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

    def listen(self, heard: Callable[[int], None]) -> None:
        """Call `heard` with each alarm that is set, once it is durable."""
        self._heard = heard

    async def games(self) -> Sequence[str]:
        """The games that have sessions."""
        return [game for (game,) in self._all(rows.SELECT_GAMES)]

    async def claim_due(self, game: str, now: int, lease: int, limit: int) -> Sequence[Session]:
        """Claim sessions whose alarm has rung."""
        held = self._claims.held(now)
        found = self._all(SELECT_DUE, game, now, limit + len(held))
        due = [session_id for (session_id,) in found if session_id not in held][:limit]
        for session_id in due:
            self._claims.take(session_id, now + lease)
        sessions = [await self.load(session_id) for session_id in due]
        return [session for session in sessions if session]

    async def next_alarm(self, after: int) -> int | None:
        """When the first alarm after this time rings."""
        alarm: int | None = self._all(SELECT_NEXT_ALARM, after)[0][0]
        return alarm

    async def shared_time(self) -> int | None:
        """None: one server has it alone, and its own clock counts."""
        return None

    async def last_time(self) -> int | None:
        """The latest time that was noted."""
        found = self._all("SELECT seen FROM service_time")
        return found[0][0] if found else None

    async def note_time(self, now: int, standstill: int = 0) -> None:
        """Keep a time, and make the clocks of all sessions later."""
        await self._writer.submit(partial(commands.note_time, now, standstill))
        if standstill:
            self._remembered.clear()

    async def delete(self, session: Session) -> bool:
        """Delete a session with everything it owns. False when it has changed."""
        return await self._write(partial(commands.delete, session), session.id)

    async def ready(self) -> bool:
        """Whether it can be written to, for all we know."""
        if not self._file.tell_whether_intact():
            self._writer.doubt()
        self._file.tell_of_log()
        return await self._writer.ready()

    def _all(self, statement: str, *values: object) -> list[rows.Row]:
        """The rows of one statement, which sees one moment by itself."""
        with _answering():
            return self._reader.execute(statement, values).fetchall()

    def _session(self, where: str, key: object) -> Session | None:
        """A session from several statements, in one transaction: they see the same moment."""
        with _answering():
            self._reader.execute("BEGIN")
            try:
                return _read_session(self._reader, where, key)
            finally:
                self._reader.execute("COMMIT")

    def _remember(self, session: Session) -> Session:
        """Keep a session that is in play as it is in the file, unless that is about to change."""
        self._remembered.pop(session.id, None)
        if not session.state.ended and session.id not in self._being_written:
            if len(self._remembered) >= MOST_REMEMBERED:
                del self._remembered[next(iter(self._remembered))]
            self._remembered[session.id] = session
        return session


def _read_session(connection: sqlite3.Connection, where: str, key: object) -> Session | None:
    """The session with its seats and its latest revision."""
    row = connection.execute(f"SELECT {rows.SESSION} FROM sessions WHERE {where} = ?", (key,)).fetchone()  # noqa: S608  ours
    if row is None:
        return None
    session_id, *_, revision = row
    seats = connection.execute(
        f"SELECT {rows.SEATED} FROM seats WHERE session_id = ? ORDER BY seat",  # noqa: S608  a constant
        (session_id,),
    )
    head = connection.execute(
        f"SELECT {rows.REVISION} FROM records WHERE session_id = ? AND revision = ?",  # noqa: S608  a constant
        (session_id, revision),
    ).fetchone()
    return rows.session_of(row, seats, rows.read_record(head) if head else None)


@contextmanager
def _answering() -> Iterator[None]:
    """Say it as the port does when SQLite doesn't answer."""
    try:
        yield
    except sqlite3.Error as error:
        raise failures.store_unavailable() from error


def _ignore(_: int) -> None:
    """Nobody listens yet."""
