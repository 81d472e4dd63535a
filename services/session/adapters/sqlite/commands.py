"""What is done in one transaction, on the writing connection."""

import sqlite3

from services.session.adapters import rows
from services.session.domain.session import Record, Session
from services.session.ports import Change, RememberedRequest

INSERT_SESSION = rows.insert("sessions", rows.SESSION)
INSERT_SEAT = rows.insert("seats", rows.SEAT)
INSERT_RECORD = rows.insert("records", rows.RECORD)
INSERT_REQUEST = rows.insert("requests", rows.REQUEST)
CHANGED = "version = ?, state = ?, revision = ?, updated = ?, touched = ?, rematch = ?"
UPDATE_SESSION = f"UPDATE sessions SET {CHANGED}, alarm = ? WHERE id = ? AND version = ?"  # noqa: S608  constants
# A column that is named is written into its indexes anew, also where its value stays.
UPDATE_SESSION_BUT_ALARM = f"UPDATE sessions SET {CHANGED} WHERE id = ? AND version = ?"  # noqa: S608  constants
# A move's request is kept with its revision, and is no other request's either.
INSERT_MOVE = (
    INSERT_RECORD.replace("VALUES (", "SELECT ").removesuffix(")")  # noqa: S608  constants
    + " WHERE NOT EXISTS (SELECT 1 FROM requests WHERE scope = ? AND request = ?)"
)
SELECT_MOVE_REQUEST = "SELECT 1 FROM records WHERE session_id = ? AND request = ?"
# With the last seat that is taken a game begins, under rules that have read its options.
UPDATE_BEGUN = "UPDATE sessions SET options = ?, rules_version = ? WHERE id = ?"
UPDATE_SEAT = "UPDATE seats SET name = ?, token_hash = ?, entropy = ?, has_left = ? WHERE session_id = ? AND seat = ?"

NOTE_TIME = (
    "INSERT INTO service_time (id, seen) VALUES (1, ?)"
    " ON CONFLICT (id) DO UPDATE SET seen = excluded.seen WHERE excluded.seen > seen"
)
SELECT_TIME = "SELECT 1 FROM service_time WHERE seen > ?"
SHIFT_DEADLINES = (
    "UPDATE records SET deadline = deadline + ? WHERE (session_id, revision) IN (SELECT id, revision FROM sessions)"
)
SHIFT_SESSIONS = "UPDATE sessions SET touched = touched + ?, alarm = alarm + ?"


class Taken(Exception):
    """An id, a join code or a request is there already. What the command has done before has to be undone."""


def create(
    session: Session,
    record: Record | None,
    remember: RememberedRequest | None,
    before: Session | None,
    connection: sqlite3.Connection,
) -> bool:
    """Insert a session, and change the one before that names it as its rematch. Raises Taken."""
    if before and not save(Change(before), connection):
        raise Taken
    try:
        connection.execute(INSERT_SESSION, rows.session_row(session))
        connection.executemany(INSERT_SEAT, rows.seat_rows(session))
        if record:
            connection.execute(INSERT_RECORD, rows.record_row(session.id, record))
        if remember:
            _remember(remember, connection)
    except sqlite3.IntegrityError as error:
        raise Taken from error
    return True


def save(change: Change, connection: sqlite3.Connection) -> bool:
    """Change a session that is at the version before. False when it isn't. Raises Taken."""
    after = change.after
    try:
        changed = (
            after.version,
            after.state.value,
            after.head.revision if after.head else -1,
            after.updated,
            after.touched,
            after.rematch,
        )
        where = (after.id, after.version - 1)
        updated = (
            connection.execute(UPDATE_SESSION, (*changed, after.alarm, *where))
            if change.moves_alarm
            else connection.execute(UPDATE_SESSION_BUT_ALARM, (*changed, *where))
        )
        if updated.rowcount != 1:
            return False
        if change.record:
            _insert_record(change, change.record, connection)
        if change.remember and not change.move_request:
            _remember(change.remember, connection)
        if change.seat is not None:
            connection.execute(UPDATE_BEGUN, (after.options, after.rules_version, after.id))
            seat = after.seats[change.seat]
            connection.execute(
                UPDATE_SEAT, (seat.name, seat.token_hash, seat.entropy, seat.left, after.id, change.seat)
            )
    except sqlite3.IntegrityError as error:
        raise Taken from error
    return True


def _insert_record(change: Change, record: Record, connection: sqlite3.Connection) -> None:
    """Insert a revision, with the request whose answer it is. Raises Taken."""
    request = change.move_request
    row = rows.record_row(change.after.id, record, request)
    if request is None:
        connection.execute(INSERT_RECORD, row)
    elif connection.execute(INSERT_MOVE, (*row, request.scope, request.request)).rowcount != 1:
        raise Taken


def _remember(remember: RememberedRequest, connection: sqlite3.Connection) -> None:
    """Insert a request that is no move's. Raises Taken."""
    if connection.execute(SELECT_MOVE_REQUEST, (remember.scope, remember.request)).fetchone():
        raise Taken
    connection.execute(INSERT_REQUEST, rows.request_row(remember))


def delete(session: Session, connection: sqlite3.Connection) -> bool:
    """Delete a session with everything it owns. False when it is not at this version any more."""
    at_version = "SELECT 1 FROM sessions WHERE id = ? AND version = ?"
    if connection.execute(at_version, (session.id, session.version)).fetchone() is None:
        return False
    connection.execute("DELETE FROM requests WHERE scope = ?", (session.id,))
    connection.execute("DELETE FROM requests WHERE scope = '' AND request = ?", (session.created_by,))
    connection.execute("DELETE FROM records WHERE session_id = ?", (session.id,))
    connection.execute("DELETE FROM seats WHERE session_id = ?", (session.id,))
    connection.execute("DELETE FROM sessions WHERE id = ?", (session.id,))
    return True


def note_time(now: int, standstill: int, connection: sqlite3.Connection) -> None:
    """Keep a time, and make the clocks of all sessions later unless one was kept since the standstill began."""
    stood_still = standstill and not connection.execute(SELECT_TIME, (now - standstill,)).fetchone()
    connection.execute(NOTE_TIME, (now,))
    if stood_still:
        connection.execute(SHIFT_DEADLINES, (standstill,))
        connection.execute(SHIFT_SESSIONS, (standstill, standstill))
