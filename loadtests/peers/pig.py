"""`python pig.py`: random play of OpenSpiel's Pig, in an environment of its own, which has nothing of Lair's.

Pig is the nearest to cabbages that it has: two seats, two moves, dice. It speaks as loadtests/generator/driver.py does,
and is its own server: what it measures is this process. A decision of a player is a move; what chance does is none.
"""

import json
import random
import sys
import time
from typing import Any


def random_game(game: Any, choice: random.Random) -> int:
    """Play random legal moves to the end of a game. Gives the number of moves."""
    state = game.new_initial_state()
    moves = 0
    while not state.is_terminal():
        if state.is_chance_node():
            state.apply_action(sampled(state.chance_outcomes(), choice))
        else:
            state.apply_action(choice.choice(state.legal_actions()))
            moves += 1
    return moves


def sampled(outcomes: list[tuple[int, float]], choice: random.Random) -> int:
    """One of these, each with its probability. Plain Python is the fastest for so few."""
    left = choice.random()
    for outcome, probability in outcomes:
        left -= probability
        if left < 0:
            return outcome
    return outcomes[-1][0]  # what rounding has left over


def main() -> None:
    """Serve the commands of standard input until it ends."""
    # Here, so that the environment that has none can test the rest.
    import pyspiel  # type: ignore[import-not-found,unused-ignore]  # noqa: PLC0415 - as the line above says

    game, choice = pyspiel.load_game("pig"), random.Random(0)
    print(json.dumps("ready"), flush=True)
    for line in sys.stdin:
        moves, used, began = 0, time.thread_time(), time.perf_counter()
        while time.perf_counter() < began + float(line):
            moves += random_game(game, choice)
        seconds, used = time.perf_counter() - began, time.thread_time() - used
        print(json.dumps({"calls": moves, "seconds": seconds, "processor_seconds": used}), flush=True)


if __name__ == "__main__":
    main()
