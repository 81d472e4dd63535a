"""A database of each earlier schema, as a server of then has written it: its games go on, end, and verify."""

import random
from pathlib import Path
from typing import Any

import pytest

import lair
from tests.support.old_databases import SCHEMAS, OldSession, build
from tests.support.servers import running

MOST_MOVES = {"cabbages": 1000}
"""A short game is played to its end, of the others so many moves:"""
FEW = 4


def play(client: lair.Client, session: OldSession) -> Any:
    """Play random moves until the game is over, or long enough; gives the facts then."""
    seats = [client.seat(session.name, token) for token in session.seats]
    chance = random.Random(session.name)
    for _ in range(MOST_MOVES.get(session.game, FEW)):
        if client.session(session.name).facts().state is lair.State.OVER:
            break
        for seat in seats:
            if legal := seat.moves():
                seat.play(chance.choice(legal))
                break
    return client.session(session.name).facts()


@pytest.mark.parametrize("schema", SCHEMAS)
def test_an_old_database_plays_on_and_verifies(tmp_path: Path, schema: str) -> None:
    database = tmp_path / "lair.db"
    sessions = build(database, schema)
    with running(database) as server, lair.connect(server.address) as client:
        before = {session.name: client.session(session.name).facts() for session in sessions}
        verified = 0
        for session in sessions:
            facts = before[session.name]
            host = client.session(session.name, host_token=session.host)
            match session.state:
                case "playing" | "rematch":
                    after = play(client, session)
                    assert after.revision > facts.revision
                    if after.state is lair.State.OVER:
                        assert host.verify().ok
                        verified += 1
                case "lobby":
                    joined = client.join(session.join, name="Ben")
                    assert (
                        play(client, OldSession(**{**vars(session), "seats": (*session.seats, joined.token)})).state
                        is lair.State.OVER
                    )
                    assert host.verify().ok
                case "over":
                    assert host.verify().ok
                case "left":
                    seat = client.seat(session.name, session.seats[0])
                    seat.play(next(moves[0] for _ in seat.watch() if (moves := seat.moves())))  # after the stand-in
                case "aborted":
                    with pytest.raises(lair.WrongState):
                        client.seat(session.name, session.seats[0]).play("harvest")
                    assert host.verify().ok
        assert verified, "a game that was begun then was ended now"
        again = client.session(next(session.name for session in sessions if session.state == "over"))
        opened = [session.name for session in sessions if session.state == "rematch"]
        assert again.facts().rematch == (opened[0] if opened else "")


@pytest.mark.parametrize("schema", ["0006"])
def test_a_move_from_before_an_upgrade_that_is_sent_again_is_not_played_twice(tmp_path: Path, schema: str) -> None:
    database = tmp_path / "lair.db"
    session = next(session for session in build(database, schema) if session.asked)
    assert session.asked
    asked = session.asked
    with running(database) as server, lair.connect(server.address) as client:
        seat = client.seat(session.name, session.seats[asked["seat"]])
        before = seat.snapshot().revision
        assert seat.play(asked["move"], request_id=asked["request_id"]).revision == asked["revision"]
        assert seat.snapshot().revision == before
        with pytest.raises(lair.InvalidRequest, match="was something else"):
            seat.play("feed 1", request_id=asked["request_id"])
