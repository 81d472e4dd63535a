"""Random play in this process, against the same dice without the rules.

A yardstick of the machine, no rival: what the dice alone take says how much of a move is left for the rules.
"""

import time
from collections.abc import Callable, Sequence

from loadtests.measuring.rounds import Contender, Sample
from services.games import find_games
from services.kernel.chance import Draw
from services.kernel.playing import dice_for, random_play

TOKENS = tuple(find_games())
CABBAGES = "cabbages"
MOVES = 1000
"""So many at least are played before the clock is looked at again: whole games, short ones or long ones."""

Drawn = Sequence[tuple[bytes, Sequence[Sequence[Draw]]]]
"""What is drawn in some games: their seeds, and the draws by revision."""


def random_games(token: str = CABBAGES) -> int:
    """Play some games of this kind to their ends, for as few seats as it takes. Gives the number of moves."""
    game = find_games()[token].game
    moves = number = 0
    while moves < MOVES:
        moves += sum(1 for _ in random_play(game, game.options, game.seats[0], _seed(number))) - 1
        number += 1
    return moves


def drawn(token: str = CABBAGES) -> Drawn:
    """What is drawn in those games."""
    game = find_games()[token].game
    games: list[tuple[bytes, Sequence[Sequence[Draw]]]] = []
    while _moves(games) < MOVES:
        seed = _seed(len(games))
        games.append((seed, [ply.draws for ply in random_play(game, game.options, game.seats[0], seed)]))
    return games


def dice_alone(games: Drawn) -> int:
    """Draw the same again. Gives the number of moves that it would be."""
    for seed, revisions in games:
        for revision, draws in enumerate(revisions):
            dice = dice_for(seed, revision)
            for draw in draws:
                if draw.shuffle:
                    dice.shuffle(range(draw.sides), draw.purpose)
                else:
                    dice.roll(len(draw.results), draw.sides, draw.purpose)
    return _moves(games)


def contender(work: Callable[[], int]) -> Contender:
    """Repeat a piece of work that gives a number of moves."""

    def contend(seconds: float) -> Sample:
        moves, started, began = 0, time.thread_time(), time.perf_counter()
        while time.perf_counter() < began + seconds:
            moves += work()
        return Sample(moves, time.perf_counter() - began, time.thread_time() - started)

    return contend


def _seed(number: int) -> bytes:
    return number.to_bytes(32, "big")


def _moves(games: Drawn) -> int:
    """Every revision but the start is a move."""
    return sum(len(revisions) - 1 for _, revisions in games)
