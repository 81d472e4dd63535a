"""The port over PostgreSQL, which other servers use as well.

What was seen last is remembered, and may be out of date: `recall` says it all the same, as whatever is made of it is
proven when it is saved; `load` asks the database whether it still is so.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager

import psycopg
from msgspec.structs import replace

from services.runtime.failure import Failure
from services.session.adapters import rows
from services.session.adapters.postgresql.alarms import Alarms
from services.session.adapters.postgresql.changes import Saving
from services.session.adapters.postgresql.commands import Creating, Deleting, NotingTime
from services.session.adapters.postgresql.opening import START_SECONDS, Database
from services.session.adapters.postgresql.reader import SEATS, SELECT_BY_JOIN, Reader, read_whole
from services.session.adapters.postgresql.remembered import Remembered
from services.session.adapters.postgresql.schema import IS_WRITTEN, check_schema
from services.session.adapters.postgresql.writer import Writer
from services.session.domain.session import Record, Session, State
from services.session.ports import Change, RememberedRequest

GAMES_SECONDS = 5.0
"""How old the list of games may be. A game that is new to this server is in it at once."""
FULL_SCAN_SECONDS = 60.0
"""How often alarms are looked for that should have been seen long ago."""

WHOLE = f"{rows.prefixed('s', rows.SESSION)}, {rows.prefixed('t', rows.SEATED)}"
SESSION_COLUMNS = len(rows.SESSION.split(","))
LOBBIES = (
    f"SELECT {WHOLE} FROM (SELECT {rows.SESSION} FROM sessions"  # noqa: S608  constants
    # The condition of the indexes, word for word: else they are not used.
    f" WHERE state = {State.LOBBY.value} AND listed {{of_game}}AND (created, id) < (%s::bigint, %s::text)"
    f" ORDER BY created DESC, id DESC LIMIT %s) AS s {SEATS} ORDER BY s.created DESC, s.id DESC"
)
SELECT_LOBBIES, SELECT_LOBBIES_OF_GAME = LOBBIES.format(of_game=""), LOBBIES.format(of_game="AND game = %s ")
SELECT_REQUEST = (
    f"SELECT {rows.REQUEST} FROM requests WHERE scope = %s AND request = %s UNION ALL"  # noqa: S608  constants
    f" SELECT {rows.MOVE_REQUEST}, ''::bytea FROM records WHERE session_id = %s AND request = %s"
)
SELECT_RECORDS = (
    f"SELECT {rows.REVISION} FROM records"  # noqa: S608  a constant
    " WHERE session_id = %s AND revision > %s::bigint ORDER BY revision LIMIT %s"
)
SELECT_ALARMS = (
    "SELECT a.alarm FROM unnest(%s::text[]) AS g(game) CROSS JOIN LATERAL (SELECT alarm FROM sessions AS s"
    " WHERE s.game = g.game AND s.alarm > %s::bigint ORDER BY s.alarm LIMIT %s) AS a ORDER BY a.alarm LIMIT %s"
)
SELECT_TIME = "SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint"
# A claim that lasts longer than any comes of a clock that is wrong, and holds nobody up.
CLAIM = (
    "WITH due AS (SELECT id FROM sessions WHERE game = %(game)s AND alarm <= %(now)s::bigint"
    " AND alarm > %(seen)s::bigint AND (claimed_until <= %(now)s::bigint OR claimed_until > %(absurd)s::bigint)"
    " ORDER BY alarm LIMIT %(limit)s FOR UPDATE SKIP LOCKED)"
    " UPDATE sessions AS s SET claimed_until = %(until)s::bigint FROM due WHERE s.id = due.id"
    " RETURNING s.alarm, s.id, s.version, s.touched"
)


@asynccontextmanager
async def postgresql_store(
    url: str, *, prepared: bool | None = None, patience: float = START_SECONDS
) -> AsyncIterator["PostgresqlStore"]:
    """The sessions in a database, whose schema is there already; it may take some seconds to come.

    Raises DatabaseUnusable.
    """
    database = Database(url, prepared=prepared)
    connection = await database.connect_patiently(patience)
    try:
        await check_schema(database, connection)
    except psycopg.Error as error:
        raise database.unusable(error) from error
    finally:
        await connection.close()
    store = PostgresqlStore(database)
    try:
        yield store
    finally:
        await store.close()


class PostgresqlStore:
    """A SessionStore."""

    def __init__(self, database: Database) -> None:
        self._loop = asyncio.get_running_loop()
        self._remembered = Remembered()
        self._writer = Writer(database)
        self._reader = Reader(database, self._remembered)
        self._alarms = Alarms(self._read_alarms)
        self._heard: Callable[[int], None] = _ignore
        self._games: list[str] | None = None
        self._games_read = 0.0
        self._scanned: dict[str, float] = {}
        """By game, when all its alarms were looked at, by the loop's clock."""

    async def close(self) -> None:
        """Finish what is on its way."""
        await self._writer.close()
        await self._reader.close()

    async def create(
        self,
        session: Session,
        record: Record | None,
        remember: RememberedRequest | None,
        before: Session | None = None,
        committed: Callable[[], None] | None = None,
    ) -> bool:
        """Store a new session, and what the one before has become. False: somebody was faster."""

        def done(won: bool) -> None:  # noqa: FBT001  as the writer has it
            if not won:
                return
            if self._games is not None and session.game not in self._games:
                self._games.append(session.game)
            for stored in (session, before):
                if stored:
                    self._stored(stored)
            if committed:
                committed()

        return await self._writer.submit(Creating(session, record, remember, before), done)

    async def save(self, change: Change, committed: Callable[[], None]) -> bool:
        """Make a change durable, and call `committed` once it is. False: somebody was faster."""

        def done(won: bool) -> None:  # noqa: FBT001  as the writer has it
            if won:
                self._stored(change.after)
                committed()

        return await self._writer.submit(Saving(change, alarm_alone=self._sets_alarm_alone(change)), done)

    def _sets_alarm_alone(self, change: Change) -> bool:
        """Whether nothing but the alarm is another than it was, as far as it is remembered how it was."""
        after, before = change.after, self._remembered.get(change.after.id)
        return before is not None and replace(before, version=after.version, alarm=after.alarm) == after

    def _stored(self, session: Session) -> None:
        self._remembered.keep(session)
        self._alarms.heard(session.alarm)
        self._heard(session.alarm)

    async def load(self, session_id: str) -> Session | None:
        """The session with its latest revision."""
        return await self._reader.session(session_id)

    async def recall(self, session_id: str) -> Session | None:
        """The session as it was last seen here."""
        return self._remembered.get(session_id) or await self._reader.session(session_id)

    def outdate(self, session_id: str, version: int) -> None:
        """Forget a session that others have changed: nothing could be made of it, and they may have ended it."""
        remembered = self._remembered.get(session_id)
        if remembered and remembered.version < version:
            self._remembered.forget(session_id)

    async def find_join(self, join_hash: bytes) -> Session | None:
        """The session with this join code."""
        found = await self._reader.rows(SELECT_BY_JOIN, (join_hash,))
        return read_whole(found[0]) if found else None

    async def find_request(self, scope: str, request: bytes) -> RememberedRequest | None:
        """The answer that a request has had."""
        found = await self._reader.rows(SELECT_REQUEST, (scope, request, scope, request))
        return RememberedRequest(*found[0]) if found else None

    async def records(self, session_id: str, after: int, limit: int) -> Sequence[Record]:
        """So many revisions after one, in order."""
        found = await self._reader.rows(SELECT_RECORDS, (session_id, after, limit))
        return [rows.read_record(row) for row in found]

    async def lobbies(self, game: str, before: tuple[int, str] | None, limit: int) -> Sequence[Session]:
        """So many listed sessions that wait for players, newest first, older than (created, id)."""
        created, session_id = before or (2**63 - 1, "")
        if game:
            found = await self._reader.rows(SELECT_LOBBIES_OF_GAME, (game, created, session_id, limit))
        else:
            found = await self._reader.rows(SELECT_LOBBIES, (created, session_id, limit))
        return [rows.session_of(row[:SESSION_COLUMNS], zip(*row[SESSION_COLUMNS:], strict=True), None) for row in found]

    def listen(self, heard: Callable[[int], None]) -> None:
        """Call `heard` with each alarm that is set through here, once it is durable."""
        self._heard = heard

    async def games(self) -> Sequence[str]:
        """The games that have sessions, or had some a moment ago."""
        if self._games is None or self._loop.time() - self._games_read > GAMES_SECONDS:
            self._games_read = self._loop.time()
            self._games = [game for (game,) in await self._reader.rows(rows.SELECT_GAMES)]
        return self._games

    async def claim_due(self, game: str, now: int, lease: int, limit: int) -> Sequence[Session]:
        """Claim sessions whose alarm has rung.

        What rang long ago has been claimed and done, so that only dead entries of the index are left of it. It is
        looked at seldom: some of it may have been claimed by a server that is no more.
        """
        scan = self._loop.time() - self._scanned.get(game, -FULL_SCAN_SECONDS) >= FULL_SCAN_SECONDS
        values = {
            "game": game,
            "now": now,
            "until": now + lease,
            "absurd": now + 2 * lease,
            "seen": -1 if scan else now - 2 * lease,
            "limit": limit,
        }
        claimed = await self._reader.rows(CLAIM, values)
        if scan and len(claimed) < limit:
            self._scanned[game] = self._loop.time()
        sessions = await asyncio.gather(*(self._claimed(*which) for _, *which in sorted(claimed)))
        return [session for session in sessions if session]

    async def _claimed(self, session_id: str, version: int, touched: int) -> Session | None:
        """A session that was at this version when it was claimed: the claim has looked which it is."""
        remembered = self._remembered.get(session_id)
        if remembered and (remembered.version, remembered.touched) == (version, touched):
            return remembered
        self.outdate(session_id, version)
        return await self.load(session_id)

    async def next_alarm(self, after: int) -> int | None:
        """When the first alarm after this time rings, as far as it is known here."""
        return await self._alarms.next(after)

    async def _read_alarms(self, after: int, limit: int) -> Sequence[int]:
        found = await self._reader.rows(SELECT_ALARMS, (list(await self.games()), after, limit, limit))
        return [alarm for (alarm,) in found]

    async def shared_time(self) -> int | None:
        """The database's."""
        found = await self._reader.rows(SELECT_TIME)
        return int(found[0][0])

    async def last_time(self) -> int | None:
        """The latest time that was noted."""
        found = await self._reader.rows("SELECT seen FROM service_time WHERE id = 1")
        return found[0][0] if found else None

    async def note_time(self, now: int, standstill: int = 0) -> None:
        """Keep a time, and make the clocks of all sessions later: of several servers one does that."""
        if await self._writer.submit(NotingTime(now, standstill)):
            self._remembered.clear()
            self._alarms.later()

    async def delete(self, session: Session) -> bool:
        """Delete a session with everything it owns. False when it has changed."""

        def done(won: bool) -> None:  # noqa: FBT001  as the writer has it
            if won:
                self._remembered.forget(session.id)

        return await self._writer.submit(Deleting(session), done)

    async def ready(self) -> bool:
        """Whether it can be written to."""
        try:
            return await self._reader.rows(IS_WRITTEN) == [("off",)]
        except Failure:
            return False


def _ignore(_: int) -> None:
    """Nobody listens yet."""
