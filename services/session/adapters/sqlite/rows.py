"""Values to and from rows."""

import sqlite3
from collections.abc import Iterable
from typing import Any

from services.session.domain import Record, Seat, Session, State, Step
from services.session.ports import Remembered

Row = tuple[Any, ...]

SESSION = (
    "id, version, game, state, options, rules_version, server_seed, host_hash, join_hash, created, updated, revision"
)
SEAT = "session_id, seat, name, kind, token_hash, entropy"
RECORD = "session_id, revision, seat, step, committed"
REQUEST = "scope, request, body, session_id, number, nonce"


def insert(table: str, columns: str) -> str:
    """The statement that inserts one row."""
    marks = ", ".join("?" for _ in columns.split(","))
    return f"INSERT INTO {table} ({columns}) VALUES ({marks})"  # noqa: S608  constants of this module


def session_row(session: Session) -> Row:
    """A session without its seats and records. A revision of -1 is none."""
    return (
        session.id,
        session.version,
        session.game,
        session.state.value,
        session.options,
        session.rules_version,
        session.server_seed,
        session.host_hash,
        session.join_hash,
        session.created,
        session.updated,
        session.head.revision if session.head else -1,
    )


def seat_rows(session: Session) -> Iterable[Row]:
    """Its seats."""
    return (
        (session.id, number, seat.name, seat.kind, seat.token_hash, seat.entropy)
        for number, seat in enumerate(session.seats)
    )


def record_row(session_id: str, record: Record) -> Row:
    """One revision."""
    return (session_id, record.revision, record.seat, record.step.SerializeToString(), record.committed)


def request_row(remember: Remembered) -> Row:
    """A request that has had its answer."""
    return (
        remember.scope,
        remember.request,
        remember.body,
        remember.session,
        remember.number,
        remember.nonce,
    )


def read_record(row: Row) -> Record:
    """One revision, from revision, seat, step, committed."""
    revision, seat, step, committed = row
    return Record(revision, seat, Step.FromString(step), committed)


def read_session(connection: sqlite3.Connection, where: str, key: object) -> Session | None:
    """The session with its seats and its latest revision."""
    row = connection.execute(f"SELECT {SESSION} FROM sessions WHERE {where} = ?", (key,)).fetchone()  # noqa: S608  ours
    if row is None:
        return None
    session_id, version, game, state, *rest = row
    seats = connection.execute(
        "SELECT name, kind, token_hash, entropy FROM seats WHERE session_id = ? ORDER BY seat", (session_id,)
    )
    options, rules_version, server_seed, host_hash, join_hash, created, updated, revision = rest
    head = connection.execute(
        "SELECT revision, seat, step, committed FROM records WHERE session_id = ? AND revision = ?",
        (session_id, revision),
    ).fetchone()
    return Session(
        id=session_id,
        version=version,
        game=game,
        state=State(state),
        seats=tuple(Seat(*seat) for seat in seats),
        options=options,
        rules_version=rules_version,
        server_seed=server_seed,
        host_hash=host_hash,
        join_hash=join_hash,
        created=created,
        updated=updated,
        head=read_record(head) if head else None,
    )
