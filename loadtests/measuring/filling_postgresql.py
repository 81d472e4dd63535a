"""The same in PostgreSQL: sessions that lie in a database from the start, written as fast as it takes them (COPY)."""

import itertools
import random
from collections.abc import Iterable, Iterator, Sequence

import psycopg
from msgspec.structs import replace
from psycopg import sql

from loadtests.measuring.filling import MOVES, Filling, records_of, request_of, session_after, session_id
from services.migrate import migrate
from services.runtime.settings import Settings
from services.session.adapters import rows
from services.session.domain.session import Limits, Record, Session

TOGETHER = 1_000
"""Sessions in one transaction."""
NEVER = 2**57
"""Microseconds: longer than anything lasts."""


def fill_postgresql(url: str, filling: Filling) -> None:
    """Bring the schema of an empty database up to date, and make so many sessions, each with so many moves."""
    migrate(Settings(database=url))
    records = records_of(filling.moves)
    session = session_after(records)
    # In the order of their keys: the tables grow at their ends, as fast as they can.
    names = sorted(session_id(number) for number in range(filling.sessions))
    put(url, (replace(session, id=name, server_seed=random.randbytes(32)) for name in names), records)


def fill_with_due(url: str, number: int, begin: int, within: int, turn: int) -> None:
    """Put sessions there whose turns end from `begin` on, spread evenly over so long. A later turn lasts `turn`.

    All of these are in microseconds, since 1970 or of time. Nothing else of them is ever due.
    """
    records = records_of(MOVES)
    limits = Limits(idle=NEVER, keep=NEVER, turn=turn)
    session = replace(session_after(records), limits=limits)
    put(url, (_due(session, each, begin + within * each // number) for each in range(number)), records)


def put(url: str, sessions: Iterable[Session], records: Sequence[Record]) -> None:
    """Put sessions into a database, each with these records, the last of which is its own. Raises psycopg.Error."""
    fixed = [rows.record_row("", record)[1:-2] for record in records[:-1]]
    waiting = iter(sessions)
    with psycopg.connect(url, autocommit=True) as connection:
        while some := tuple(itertools.islice(waiting, TOGETHER)):
            with connection.transaction():
                _copy(connection, "sessions", rows.SESSION, map(rows.session_row, some))
                _copy(connection, "seats", rows.SEAT, (row for session in some for row in rows.seat_rows(session)))
                _copy(connection, "records", rows.RECORD, (row for session in some for row in _records(session, fixed)))
        # What the database would do by itself sooner or later, in the midst of what is measured.
        connection.execute("VACUUM (FREEZE, ANALYZE) sessions, seats, records")
        connection.execute("CHECKPOINT")


def _due(session: Session, number: int, due: int) -> Session:
    assert session.head
    seed, head = random.randbytes(32), replace(session.head, deadline=due)
    return replace(session, id=session_id(number), server_seed=seed, head=head, alarm=due)


def _records(session: Session, fixed: Sequence[rows.Row]) -> Iterator[rows.Row]:
    """All of a session's, with a request for each move."""
    assert session.head
    for row in (*fixed, rows.record_row("", session.head)[1:-2]):
        yield (session.id, *row, *request_of(row))


def _copy(connection: "psycopg.Connection[rows.Row]", table: str, columns: str, values: Iterable[rows.Row]) -> None:
    names = sql.SQL(", ").join(sql.Identifier(column.strip()) for column in columns.split(","))
    statement = sql.SQL("COPY {} ({}) FROM STDIN").format(sql.Identifier(table), names)
    with connection.cursor() as cursor, cursor.copy(statement) as copy:
        for row in values:
            copy.write_row(row)
