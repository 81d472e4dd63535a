"""Players leave at any moment, in every game there is: each game comes to its end all the same."""

import os
import random
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import lair
from services.games import find_games
from tests.support.processes import Server

GAMES = int(os.environ.get("LAIR_LEAVES", "6"))
"""Of each game there is."""
TABLES = 8
LEAVING = 0.08
"""How likely it is that a seat leaves instead of moving."""
PATIENCE = 60.0


def play_and_leave(client: lair.Client, token: str, number: int) -> lair.SessionFacts:
    """Play a game with random moves, in which seats leave now and then, until it is over."""
    whim = random.Random(f"{token} {number}")
    seats = find_games()[token].game.seats
    game = client.create(token, seats=[f"Seat {n}" for n in range(whim.choice(seats))])
    sitting = list(game.seats)
    deadline = time.monotonic() + PATIENCE
    while not (standing := game.facts().standing).over:
        assert time.monotonic() < deadline, f"{game.name} of {token} does not end"
        mine = [seat for seat in sitting if seat.index in standing.may_act]
        awaited = [seat for seat in mine if seat.index in standing.awaited]
        if not awaited:
            time.sleep(0.005)  # stand-ins are at work
            continue
        seat = whim.choice(mine)
        try:
            if whim.random() < LEAVING:
                seat.leave()
                sitting.remove(seat)
            elif moves := seat.moves():
                seat.play(whim.choice(moves))
        except (lair.IllegalMove, lair.WrongState):
            continue  # a stand-in was faster
    return game.facts()


@pytest.mark.slow
@pytest.mark.timeout(60 + 10 * GAMES)
@pytest.mark.parametrize("token", find_games())
def test_every_game_ends_whoever_leaves_it(tmp_path: Path, token: str) -> None:
    with (
        Server(tmp_path / "lair.db", LAIR_LOG_LEVEL="warning", LAIR_STAND_IN="0") as server,
        lair.connect(server.address) as client,
    ):
        with ThreadPoolExecutor(TABLES) as tables:
            ended = list(tables.map(lambda number: play_and_leave(client, token, number), range(GAMES)))
        assert all(facts.state is lair.State.OVER for facts in ended)
        left = sum(seat.left for facts in ended for seat in facts.seats)
        assert left > 0
        sample = client.session(ended[0].name).verify()
        assert sample.ok, sample
        print(f"{token}: {len(ended)} games ended, {left} seats were left")  # noqa: T201  the figures of a full run
