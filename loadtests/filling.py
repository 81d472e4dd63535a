"""A database with many sessions in it, written with the store's own statements but without the server."""

import secrets
from dataclasses import replace
from itertools import islice
from pathlib import Path

from monsters.rules.v1 import opaque_pb2 as opaque

from loadtests.games import SEATS, Script
from services.games import find_games
from services.rules.face import RulesFace
from services.session.adapters.sqlite import rows, store
from services.session.adapters.sqlite.opening import connect_writer, migrate
from services.session.domain import Record, Seat, Session, State, Step
from services.session.ports import Remembered
from services.session.secrets import new_secret, new_session_id

TOGETHER = 10_000
"""Sessions in one transaction."""
MOVES = 2
"""Moves that each of them has."""
NOW = 1_700_000_000_000_000


def fill(database: Path, sessions: int) -> None:
    """Make a database with so many sessions, each begun and with a few moves."""
    migrate(database)
    steps = _steps()
    # In the order of their keys: the tables grow at their ends, as fast as they can.
    names = iter(sorted(new_session_id() for _ in range(sessions)))
    connection = connect_writer(database)
    try:
        while some := list(islice(names, TOGETHER)):
            begun = [_session(name, steps[-1]) for name in some]
            connection.execute("BEGIN")
            connection.executemany(store.INSERT_SESSION, map(rows.session_row, begun))
            connection.executemany(store.INSERT_SEAT, (row for session in begun for row in rows.seat_rows(session)))
            connection.executemany(
                store.INSERT_RECORD, (rows.record_row(session.id, step) for session in begun for step in steps)
            )
            connection.executemany(
                store.INSERT_REQUEST, (rows.request_row(each) for session in begun for each in _remembered(session))
            )
            connection.execute("COMMIT")
    finally:
        connection.close()


def _steps() -> list[Record]:
    """The start and the moves that every session has."""
    face = RulesFace(find_games()["cabbages"])
    started = face.start_game(opaque.StartGameRequest(seats=SEATS))
    game = Script(started.standing.may_act[0])
    step = Step(position=started.position, standing=started.standing, events=started.events, draws=started.draws)
    steps = [Record(0, None, step, NOW)]
    for revision in range(1, MOVES + 1):
        request = opaque.ApplyMoveRequest(position=step.position, seat=game.seat, move_text=game.text)
        step = face.apply_move(request)
        step.ClearField("chance")
        steps.append(Record(revision, game.seat, step, NOW))
        game.made += 1
    return steps


def _session(name: str, head: Record) -> Session:
    return replace(
        Session(
            id=name,
            version=MOVES,
            game="cabbages",
            state=State.PLAYING,
            seats=tuple(Seat(person, 1, new_secret()) for person in ("Ann", "Ben")),
            options=b"",
            rules_version="1",
            server_seed=new_secret(),
            host_hash=new_secret(),
            join_hash=None,
            created=NOW,
            updated=NOW,
        ),
        head=head,
    )


def _remembered(session: Session) -> list[Remembered]:
    return sorted(
        (
            Remembered(session.id, secrets.token_bytes(32), new_secret(), session.id, move)
            for move in range(1, MOVES + 1)
        ),
        key=lambda each: each.request,
    )
