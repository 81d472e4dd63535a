"""A bot that thinks ahead: it plays every move out many times, side by side over one stream, and takes the best."""

import random
import sys
from collections import Counter
from collections.abc import Sequence

from monsters.cabbages.v1 import cabbages_pb2 as cabbages

import lair

SIMULATED = 100
"""Games for each move."""

Thinking = lair.Simulation[cabbages.Position, cabbages.Move, cabbages.View]


def play_out(thinking: Thinking, batch: Sequence[lair.NextMove], whim: random.Random) -> dict[int, lair.Outcome]:
    """Play these moves, each on a chain of its own, and go on at random to the ends: the outcome of each chain."""
    outcomes: dict[int, lair.Outcome] = {}
    while batch:
        following = []
        for played, answer in zip(batch, thinking.apply(batch, moves=True), strict=True):
            if isinstance(answer, lair.LairError):
                raise answer
            if answer.standing.outcome is not None:
                outcomes[played.chain] = answer.standing.outcome
                continue
            seat, legal = whim.choice(list(answer.moves.items()))
            following.append(lair.NextMove(seat, whim.choice(legal), chain=played.chain))
        batch = following
    return outcomes


def main(target: str) -> None:
    """Choose a move in a position that the bot has come to."""
    with lair.connect(target) as client:
        rules = client.rules(cabbages)
        start = rules.start(seats=2, options={"first_seat": 0, "cup_start": 2}, seed=bytes(32))
        legal = rules.moves(start.position, seat=0)
        tried = [move for move in legal for _ in range(SIMULATED)]
        batch = [lair.NextMove(0, move, start.position, chain) for chain, move in enumerate(tried)]
        with rules.simulate() as thinking:
            outcomes = play_out(thinking, batch, random.Random(7))  # noqa: S311  a whim, no secret
        wins = Counter(tried[chain].text for chain, outcome in outcomes.items() if 0 in outcome.winners)
        for move in legal:
            print(f"{move.text}: seat 0 wins {wins[move.text]} of {SIMULATED} games")
        print("so it plays", max(legal, key=lambda move: wins[move.text]).text)


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "127.0.0.1:50051")
