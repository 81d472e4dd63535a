"""Values to and from rows, of whichever database."""

from collections.abc import Iterable
from itertools import groupby
from operator import itemgetter
from typing import Any

from services.session.domain.session import Limits, Record, Seat, Session, State, Step
from services.session.ports import RememberedRequest

Row = tuple[Any, ...]

SESSION = (
    "id, version, game, state, options, rules_version, server_seed, host_hash, join_hash, created, updated,"
    " idle_limit, keep_limit, turn_limit, stand_in_limit, touched, alarm, created_by, listed, rematch,"
    " chance_version, revision"
)
SEAT = "session_id, seat, name, kind, token_hash, entropy, has_left"
SEATED = "name, kind, token_hash, entropy, has_left"
RECORD = "session_id, revision, seat, step, committed, deadline, rules_version, request, request_body"
REVISION = "revision, seat, step, committed, deadline, rules_version"
REQUEST = "scope, request, body, session_id, number, nonce"
MOVE_REQUEST = "session_id, request, request_body, session_id, revision"
"""A request whose answer is a revision, as REQUEST has the others. It has no nonce."""

# Each game is found by a step in the index of alarms, however many sessions it has.
GAMES = (
    "WITH RECURSIVE games (game) AS (SELECT min(game) FROM sessions UNION ALL"
    " SELECT (SELECT min(game) FROM sessions WHERE game > games.game) FROM games WHERE game IS NOT NULL)"
)
SELECT_GAMES = f"{GAMES} SELECT game FROM games WHERE game IS NOT NULL"  # noqa: S608  a constant


def insert(table: str, columns: str, mark: str = "?") -> str:
    """The statement that inserts one row. A mark stands for each value."""
    marks = ", ".join(mark for _ in columns.split(","))
    return f"INSERT INTO {table} ({columns}) VALUES ({marks})"  # noqa: S608  constants of this module


def prefixed(table: str, columns: str) -> str:
    """The same columns, each as one of this table."""
    return ", ".join(f"{table}.{column.strip()}" for column in columns.split(","))


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
        session.limits.idle,
        session.limits.keep,
        session.limits.turn,
        session.limits.stand_in,
        session.touched,
        session.alarm,
        session.created_by,
        session.listed,
        session.rematch,
        session.chance_version,
        session.head.revision if session.head else -1,
    )


def seat_rows(session: Session) -> Iterable[Row]:
    """Its seats."""
    return (
        (session.id, number, seat.name, seat.kind, seat.token_hash, seat.entropy, seat.left)
        for number, seat in enumerate(session.seats)
    )


def record_row(session_id: str, record: Record, remember: RememberedRequest | None = None) -> Row:
    """One revision, and the request whose answer it is."""
    return (
        session_id,
        record.revision,
        record.seat,
        record.step.SerializeToString(),
        record.committed,
        record.deadline,
        record.rules_version,
        remember.request if remember else None,
        remember.body if remember else None,
    )


def request_row(remember: RememberedRequest) -> Row:
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
    """One revision, from REVISION."""
    revision, seat, step, committed, deadline, rules_version = row
    return Record(revision, seat, Step.FromString(step), committed, deadline, rules_version)


def read_lobbies(rows: Iterable[Row]) -> list[Session]:
    """Sessions that have not started, from one row for each seat: what SESSION names, then what SEATED names."""
    columns = len(SESSION.split(","))
    lobbies = [list(of_one) for _, of_one in groupby(rows, key=itemgetter(0))]
    return [session_of(of_one[0][:columns], [row[columns:] for row in of_one], None) for of_one in lobbies]


def session_of(row: Row, seats: Iterable[Row], head: Record | None) -> Session:
    """A session from SESSION, with its seats from SEATED."""
    session_id, version, game, state, options, rules_version, server_seed, host_hash, join_hash, *rest = row
    created, updated, idle, keep, turn, stand_in, touched, alarm, created_by, listed, rematch, chance_version, _ = rest
    return Session(
        id=session_id,
        version=version,
        game=game,
        state=State(state),
        seats=tuple(Seat(name, kind, token, entropy, bool(left)) for name, kind, token, entropy, left in seats),
        options=options,
        rules_version=rules_version,
        server_seed=server_seed,
        host_hash=host_hash,
        join_hash=join_hash,
        created=created,
        updated=updated,
        head=head,
        limits=Limits(idle, keep, turn, stand_in),
        touched=touched,
        alarm=alarm,
        created_by=created_by,
        listed=bool(listed),
        rematch=rematch,
        chance_version=chance_version,
    )
