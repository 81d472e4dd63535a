"""What is written beside changes: sessions that are made and deleted, and the time. Each is a transaction of its own.

When the connection is lost, each can simply be run again: what the first attempt did is found.
"""

from services.session.adapters import rows
from services.session.adapters.postgresql.changes import Saving
from services.session.adapters.postgresql.opening import ANSWER_SECONDS, Connection
from services.session.domain.session import Record, Session
from services.session.ports import Change, RememberedRequest

ONCE = " ON CONFLICT DO NOTHING"
INSERT_SESSION = rows.insert("sessions", rows.SESSION, "%s") + ONCE
INSERT_SEAT = rows.insert("seats", rows.SEAT, "%s")
INSERT_RECORD = rows.insert("records", rows.RECORD, "%s")
INSERT_REQUEST = rows.insert("requests", rows.REQUEST, "%s") + ONCE
IS_THERE = "SELECT 1 FROM sessions WHERE id = %s AND server_seed = %s AND created = %s"
LOCK = "SELECT version FROM sessions WHERE id = %s FOR UPDATE"
DELETIONS = (
    "DELETE FROM requests WHERE scope = %(id)s",
    "DELETE FROM requests WHERE scope = '' AND request = %(created_by)s",
    "DELETE FROM records WHERE session_id = %(id)s",
    "DELETE FROM seats WHERE session_id = %(id)s",
    "DELETE FROM sessions WHERE id = %(id)s",
)

FIRST_TIME = "INSERT INTO service_time (id, seen) VALUES (1, %s) ON CONFLICT DO NOTHING"
LOCK_TIME = "SELECT seen FROM service_time WHERE id = 1 FOR UPDATE"
NOTE_TIME = "UPDATE service_time SET seen = greatest(seen, %s) WHERE id = 1"
STANDSTILL_SECONDS = 1800.0
"""How long it may take to write all sessions at once. Nobody plays yet."""
UNHURRIED = f"SET LOCAL statement_timeout = '{int(STANDSTILL_SECONDS)}s'"
SHIFT_DEADLINES = (
    "UPDATE records AS r SET deadline = r.deadline + %s FROM sessions AS s"
    " WHERE r.session_id = s.id AND r.revision = s.revision AND r.deadline IS NOT NULL"
)
SHIFT_SESSIONS = "UPDATE sessions SET touched = touched + %(by)s, alarm = alarm + %(by)s"


class Taken(Exception):
    """Something is there already. What was done before has to be undone."""


class Creating:
    """A new session, with what the one before has become."""

    seconds = ANSWER_SECONDS

    def __init__(
        self, session: Session, record: Record | None, remember: RememberedRequest | None, before: Session | None
    ) -> None:
        self._session, self._record, self._remember, self._before = session, record, remember, before
        self.key = before.id if before else session.id

    async def run(self, connection: Connection) -> bool:
        """Store it. False: its id, its join code or the request is taken. Raises psycopg.Error."""
        session, remember = self._session, self._remember
        try:
            async with connection.transaction():
                if self._before:
                    await _save(connection, self._before)
                await _insert(connection, INSERT_SESSION, rows.session_row(session))
                async with connection.cursor() as cursor:
                    await cursor.executemany(INSERT_SEAT, rows.seat_rows(session))
                if self._record:
                    await connection.execute(INSERT_RECORD, rows.record_row(session.id, self._record))
                if remember:
                    await _insert(connection, INSERT_REQUEST, rows.request_row(remember))
        except Taken:
            return False
        return True

    async def find_out(self, connection: Connection) -> bool:
        """Store it, unless that was done."""
        return await self.run(connection) or await self._is_there(connection)

    async def _is_there(self, connection: Connection) -> bool:
        session = self._session
        values = (session.id, session.server_seed, session.created)
        return await (await connection.execute(IS_THERE, values)).fetchone() is not None


class Deleting:
    """A session that goes, with everything it owns."""

    seconds = ANSWER_SECONDS

    def __init__(self, session: Session) -> None:
        self._session = session
        self.key = session.id

    async def run(self, connection: Connection) -> bool:
        """Delete it. False when it is not at this version any more. Raises psycopg.Error."""
        session = self._session
        async with connection.transaction():
            found = await (await connection.execute(LOCK, (session.id,))).fetchone()
            if found is None or found[0] != session.version:
                return False
            for statement in DELETIONS:
                await connection.execute(statement, {"id": session.id, "created_by": session.created_by})
        return True

    async def find_out(self, connection: Connection) -> bool:
        """Delete it, unless that was done."""
        if await self.run(connection):
            return True
        return await (await connection.execute(LOCK, (self.key,))).fetchone() is None


class NotingTime:
    """The time, and the clocks of all sessions after a standstill."""

    key = ""

    def __init__(self, now: int, standstill: int) -> None:
        self._now, self._standstill = now, standstill
        self.seconds = STANDSTILL_SECONDS if standstill else ANSWER_SECONDS

    async def run(self, connection: Connection) -> bool:
        """Keep it, and say whether the clocks were made later: of several servers one does it. Raises psycopg.Error."""
        now, standstill = self._now, self._standstill
        async with connection.transaction():
            first = (await connection.execute(FIRST_TIME, (now,))).rowcount == 1
            seen = await (await connection.execute(LOCK_TIME)).fetchone()
            stood_still = bool(standstill) and (first or seen is None or seen[0] <= now - standstill)
            await connection.execute(NOTE_TIME, (now,))
            if stood_still:
                await connection.execute(UNHURRIED)
                await connection.execute(SHIFT_DEADLINES, (standstill,))
                await connection.execute(SHIFT_SESSIONS, {"by": standstill})
        return stood_still

    async def find_out(self, connection: Connection) -> bool:
        """Keep it: what was done is not done again."""
        return await self.run(connection)


async def _save(connection: Connection, session: Session) -> None:
    """Change a session. Raises Taken when somebody was faster."""
    if not await Saving(Change(session), alarm_alone=True).run(connection):
        raise Taken


async def _insert(connection: Connection, statement: str, row: rows.Row) -> None:
    """Insert a row. Raises Taken when it is there."""
    if (await connection.execute(statement, row)).rowcount != 1:
        raise Taken


Work = Saving | Creating | Deleting | NotingTime
"""What is written: `run` does it, `find_out` says whether it was done once the answer was lost."""
