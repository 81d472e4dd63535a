"""Random play of cabbages in this process, against the same dice without the rules.

A yardstick of the machine, no rival: what the dice alone take says how much of a move is left for the rules.
"""

import time
from collections.abc import Callable, Sequence

from loadtests.measuring import Contender, Sample
from services.games import find_games
from services.kernel.chance import Draw
from services.kernel.playing import dice_for, random_play

GAMES = 100
SEATS = 2
GAME = find_games()["cabbages"].game
SEEDS = [number.to_bytes(32, "big") for number in range(GAMES)]


def random_games() -> int:
    """Play some games to their ends. Gives the number of moves."""
    return sum(1 for seed in SEEDS for _ in random_play(GAME, GAME.options, SEATS, seed)) - GAMES


def drawn() -> Sequence[tuple[bytes, Sequence[Sequence[Draw]]]]:
    """What is drawn in those games, by revision."""
    return [(seed, [ply.draws for ply in random_play(GAME, GAME.options, SEATS, seed)]) for seed in SEEDS]


def dice_alone(games: Sequence[tuple[bytes, Sequence[Sequence[Draw]]]]) -> int:
    """Draw the same again. Gives the number of moves that it would be."""
    moves = -len(games)
    for seed, revisions in games:
        for revision, draws in enumerate(revisions):
            dice = dice_for(seed, revision)
            for draw in draws:
                dice.roll(len(draw.results), draw.sides, draw.purpose)
        moves += len(revisions)
    return moves


def contender(work: Callable[[], int]) -> Contender:
    """Repeat a piece of work that gives a number of moves."""

    def contend(seconds: float) -> Sample:
        moves, started, began = 0, time.thread_time(), time.perf_counter()
        while time.perf_counter() < began + seconds:
            moves += work()
        return Sample(moves, time.perf_counter() - began, time.thread_time() - started)

    return contend
