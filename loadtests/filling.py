"""A database with many sessions in it, written by the store's own commands but without the server."""

import secrets
from pathlib import Path

from monsters.rules.v1 import opaque_pb2 as opaque

from loadtests.games import SEATS, Script
from services.games import find_games
from services.rules.face import RulesFace
from services.session.adapters.sqlite import commands
from services.session.adapters.sqlite.opening import connect_writer, migrate
from services.session.domain import Record, Seat, Session, State, Step
from services.session.ports import Change, Remembered
from services.session.secrets import new_secret, new_session_id

TOGETHER = 10_000
"""Sessions in one transaction."""
MOVES = 2
"""Moves that each of them has."""
NOW = 1_700_000_000_000_000


def fill(database: Path, sessions: int) -> None:
    """Make a database with so many sessions, each begun and with a few moves."""
    migrate(database)
    start, *moves = _records()
    # In the order of their keys: the tables grow at their ends, as fast as they can.
    names = sorted(new_session_id() for _ in range(sessions))
    connection = connect_writer(database)
    try:
        for first in range(0, sessions, TOGETHER):
            connection.execute("BEGIN")
            for name in names[first : first + TOGETHER]:
                session = _session(name).with_record(start)
                assert commands.create(session, start, None, connection)
                for move in moves:
                    session = session.with_record(move)
                    assert commands.save(Change(session, move, remember=_remembered(session)), connection)
            connection.execute("COMMIT")
    finally:
        connection.close()


def _records() -> list[Record]:
    """The start and the moves that every session has."""
    face = RulesFace(find_games()["cabbages"])
    started = face.start_game(opaque.StartGameRequest(seats=SEATS))
    game = Script(started.standing.may_act[0])
    step = Step(position=started.position, standing=started.standing, events=started.events, draws=started.draws)
    records = [Record(0, None, step, NOW)]
    for revision in range(1, MOVES + 1):
        request = opaque.ApplyMoveRequest(position=step.position, seat=game.seat, move_text=game.text)
        step = face.apply_move(request)
        step.ClearField("chance")
        records.append(Record(revision, game.seat, step, NOW))
        game.made += 1
    return records


def _session(name: str) -> Session:
    return Session(
        id=name,
        version=0,
        game="cabbages",
        state=State.LOBBY,
        seats=tuple(Seat(person, 1, new_secret()) for person in ("Ann", "Ben")),
        options=b"",
        rules_version="1",
        server_seed=new_secret(),
        host_hash=new_secret(),
        join_hash=None,
        created=NOW,
        updated=NOW,
    )


def _remembered(session: Session) -> Remembered:
    return Remembered(session.id, secrets.token_bytes(32), new_secret(), session.id, session.revision)
