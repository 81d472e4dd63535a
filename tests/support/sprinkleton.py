"""Sprinkleton for tests: games without a wrong pick, and positions by their text."""

import random
from collections.abc import Iterator
from typing import Any

from services.games import find_games
from services.games.sprinkleton.moves import Act, Pick
from services.games.sprinkleton.position import Options, Position
from services.games.sprinkleton.search import claimed, matching
from services.kernel.game import Played
from services.kernel.playing import dice_for
from services.kernel.standing import Seat

ENTRY = find_games()["sprinkleton"]
GAME = ENTRY.game


def right_move(position: Position, seat: Seat) -> Act | Pick:
    """What a seat with perfect eyes does: the first free match, Zilch where there is none at all."""
    if position.dice is None:
        return Act.ROLL
    matches = matching(position.table, position.dice)
    free = sorted(matches - claimed(position))
    return Pick(free[0]) if free else Act.ZILCH


def play_without_errors(options: Options, seats: int, seed: bytes) -> Iterator[Played[Any, Any]]:
    """A game in which whoever is awaited, in any order, sees what matches. It begins with the start."""
    whim = random.Random(seed)
    played = GAME.start(options, seats, dice_for(seed, 0))
    revision = 0
    yield played
    while awaited := GAME.standing(played.position).awaited:
        seat = whim.choice(awaited)
        revision += 1
        played = GAME.play(played.position, seat, right_move(played.position, seat), dice_for(seed, revision))
        yield played
