"""Random play of the games' rules in this process, and of OpenSpiel's Pig in one of its own.

Counted alike: a player's decision is a move, and what chance does is none.
"""

import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import count
from pathlib import Path

from loadtests.bench.core import contender
from loadtests.measuring.contenders import driving
from loadtests.measuring.rounds import Contender, Sample
from services.games import find_games
from services.kernel.chance import Dice
from services.kernel.game import AnyGame
from services.kernel.playing import random_play

PIG = Path(__file__).with_name("pig.py")


@contextmanager
def pig(python: str) -> Iterator[Contender]:
    """Pig, by the interpreter of an environment that has OpenSpiel."""
    with driving([python, str(PIG)]) as drive:
        yield lambda seconds: Sample(**drive(seconds))


def games() -> Sequence[str]:
    """The tokens of all games: cabbages first, which is the one like Pig."""
    return sorted(find_games(), key=lambda token: (token != "cabbages", token))


def plain_dice() -> Contender:
    """Cabbages with the generator that Pig gets: what dice that can be proved cost."""
    game, choice = find_games()["cabbages"].game, random.Random(0)
    return contender(lambda: unproved_game(game, choice))


def proved_dice(token: str) -> Contender:
    """A game as it is played here: each revision has dice of its own, by a hash of the game's seed."""
    return contender(_proved_games(find_games()[token].game))


def _proved_games(game: AnyGame) -> Callable[[], int]:
    seeds, seats = count(), min(game.seats)

    def one() -> int:
        seed = next(seeds).to_bytes(32, "big")
        return sum(1 for _ in random_play(game, game.options, seats, seed)) - 1  # the start is no move

    return one


def unproved_game(game: AnyGame, choice: random.Random) -> int:
    """Play random legal moves to the end of a game, with one generator for all. Gives the number of moves."""

    def draw(sides: int) -> int:
        return choice.randrange(sides) + 1

    position = game.start(game.options, min(game.seats), Dice(draw)).position
    moves = 0
    while not (standing := game.standing(position)).over:
        seat = choice.choice(standing.may_act)
        position = game.play(position, seat, choice.choice(game.moves(position, seat)), Dice(draw)).position
        moves += 1
    return moves
