"""A database with many sessions in it, or long ones, written with the store's own statements but without the server.

Their names and seat tokens are known, so that a load can go on with them.
"""

import itertools
import random
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from monsters.cabbages.v1 import cabbages_pb2 as cabbages
from monsters.rules.v1 import opaque_pb2 as opaque
from msgspec.structs import replace

from loadtests.generator.games import SEATS, Script
from services.games import find_games
from services.rules.handler import RulesHandler
from services.session.adapters import rows
from services.session.adapters.sqlite import commands
from services.session.adapters.sqlite.opening import connect_writer, migrate
from services.session.domain.secrets import CODE_ALPHABET, ID_LENGTH, hash_of
from services.session.domain.session import Record, Seat, Session, State, Step

TOGETHER = 10_000
"""Rows of records in one transaction, roughly."""
FEWEST, MOST, RECORDS = 16, 512, 160_000
"""Long sessions: how many at least and at most, and how many records they may have together where there are more."""
MOVES = 2
"""Moves that each session has where nothing else is said."""
NOW = 1_700_000_000_000_000
OPTIONS = cabbages.Options(max_turns=0, first_seat=0)
BODY = bytes(32)
"""The hash of a request's body: nobody sends one of these again."""
TOKENS = ("the first seat's token", "the second seat's token")


@dataclass(frozen=True, slots=True)
class Filling:
    """What lies in a database from the start."""

    sessions: int
    moves: int = MOVES


def long_ones(moves: int) -> Filling:
    """Sessions of so many moves: enough of them that a measurement doesn't make them much longer, nor takes hours."""
    return Filling(max(FEWEST, min(MOST, RECORDS // moves)), moves)


def session_id(number: int) -> str:
    """The id of a session by its number: as if at random, so that they lie all over the tables."""
    return "".join(CODE_ALPHABET[byte % len(CODE_ALPHABET)] for byte in sha256(b"%d" % number).digest()[:ID_LENGTH])


def fill(database: Path, filling: Filling) -> None:
    """Make a database with so many sessions, each with so many moves, by seats that take turns."""
    migrate(database)
    records = records_of(filling.moves)
    session = session_after(records)
    record_rows = [rows.record_row("", record)[1:-2] for record in records]
    # In the order of their keys: the tables grow at their ends, as fast as they can.
    names = iter(sorted(session_id(number) for number in range(filling.sessions)))
    connection = connect_writer(database)
    try:
        while some := tuple(itertools.islice(names, max(1, TOGETHER // len(records)))):
            connection.execute("BEGIN")
            _insert(
                connection, [replace(session, id=name, server_seed=random.randbytes(32)) for name in some], record_rows
            )
            connection.execute("COMMIT")
    finally:
        connection.close()


def _insert(connection: sqlite3.Connection, sessions: Sequence[Session], record_rows: Sequence[rows.Row]) -> None:
    seats = (row for session in sessions for row in rows.seat_rows(session))
    records = ((session.id, *row, *request_of(row)) for session in sessions for row in record_rows)
    connection.executemany(commands.INSERT_SESSION, map(rows.session_row, sessions))
    connection.executemany(commands.INSERT_SEAT, seats)
    connection.executemany(commands.INSERT_RECORD, records)


def records_of(moves: int) -> Sequence[Record]:
    """The start and the moves that every session has."""
    handler = RulesHandler(find_games()["cabbages"])
    started = handler.start_game(opaque.StartGameRequest(seats=SEATS, options=OPTIONS.SerializeToString()))
    game = Script(started.standing.may_act[0])
    step = Step(position=started.position, standing=started.standing, events=started.events, draws=started.draws)
    records = [Record(0, None, step, NOW)]
    for revision in range(1, moves + 1):
        request = opaque.ApplyMoveRequest(position=step.position, seat=game.seat, move_text=game.text)
        step = handler.apply_move(request)
        step.ClearField("chance")
        records.append(Record(revision, game.seat, step, NOW))
        game.made += 1
    return records


def session_after(records: Sequence[Record]) -> Session:
    """One of them, after its moves."""
    session = Session(
        id="",
        version=0,
        game="cabbages",
        state=State.LOBBY,
        seats=tuple(Seat(name, 1, hash_of(token)) for name, token in zip(("Ann", "Ben"), TOKENS, strict=True)),
        options=OPTIONS.SerializeToString(),
        rules_version="1",
        server_seed=b"",
        host_hash=hash_of("the host's token"),
        join_hash=None,
        created=NOW,
        updated=NOW,
    )
    for record in records:
        session = session.with_record(record)
    return session


def request_of(row: rows.Row) -> rows.Row:
    """The request of a revision, and the hash of the rest of it. The start has none."""
    revision, *_ = row
    return (random.randbytes(32), BODY) if revision else (None, None)
