"""What is done in one transaction, on the writing connection."""

import sqlite3

from services.session.adapters.sqlite import rows
from services.session.domain.session import Record, Session
from services.session.ports import Change, RememberedRequest

INSERT_SESSION = rows.insert("sessions", rows.SESSION)
INSERT_SEAT = rows.insert("seats", rows.SEAT)
INSERT_RECORD = rows.insert("records", rows.RECORD)
INSERT_REQUEST = rows.insert("requests", rows.REQUEST)
UPDATE_SESSION = (
    "UPDATE sessions SET version = ?, state = ?, revision = ?, updated = ?, touched = ?, rematch = ?"
    " WHERE id = ? AND version = ?"
)
UPDATE_ALARM = "UPDATE sessions SET alarm = ? WHERE id = ? AND alarm <> ?"
UPDATE_SEAT = "UPDATE seats SET name = ?, token_hash = ?, entropy = ?, has_left = ? WHERE session_id = ? AND seat = ?"

NOTE_TIME = (
    "INSERT INTO service_time (id, seen) VALUES (1, ?)"
    " ON CONFLICT (id) DO UPDATE SET seen = excluded.seen WHERE excluded.seen > seen"
)
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
            connection.execute(INSERT_REQUEST, rows.request_row(remember))
    except sqlite3.IntegrityError as error:
        raise Taken from error
    return True


def save(change: Change, connection: sqlite3.Connection) -> bool:
    """Change a session that is at the version before. False when it isn't. Raises Taken."""
    after = change.after
    try:
        revision = after.head.revision if after.head else -1
        changed = connection.execute(
            UPDATE_SESSION,
            (
                after.version,
                after.state.value,
                revision,
                after.updated,
                after.touched,
                after.rematch,
                after.id,
                after.version - 1,
            ),
        )
        if changed.rowcount != 1:
            return False
        connection.execute(UPDATE_ALARM, (after.alarm, after.id, after.alarm))
        if change.record:
            connection.execute(INSERT_RECORD, rows.record_row(after.id, change.record))
        if change.remember:
            connection.execute(INSERT_REQUEST, rows.request_row(change.remember))
        if change.seat is not None:
            seat = after.seats[change.seat]
            connection.execute(
                UPDATE_SEAT, (seat.name, seat.token_hash, seat.entropy, seat.left, after.id, change.seat)
            )
    except sqlite3.IntegrityError as error:
        raise Taken from error
    return True


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
    """Keep a time, and make the clocks of all sessions later."""
    connection.execute(NOTE_TIME, (now,))
    if standstill:
        connection.execute(SHIFT_DEADLINES, (standstill,))
        connection.execute(SHIFT_SESSIONS, (standstill, standstill))
