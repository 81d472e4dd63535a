"""Random games in which much happens: every kind of move has its share, however many moves of a kind there are.

Where three moves of a hundred lead on, plain chance would talk for ever and seldom play a card.
"""

import random
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from hypothesis import strategies as st

from services.games import Entry
from services.kernel.game import AnyGame
from services.kernel.playing import Ply, dice_for
from tests.support.walks import Walk, options_of

MOST_STEPS = 120
TIME_OUT = 1 / 20
"""How often it is the host who moves, where it can."""


def games(entry: Entry, options: st.SearchStrategy[Any] | None = None) -> st.SearchStrategy[Walk]:
    """Games for any number of seats, with any options unless these are given."""
    return st.sampled_from(entry.game.seats).flatmap(
        lambda seats: st.builds(
            lambda chosen, seed: varied_game(entry, chosen, seats, seed),
            options_of(entry, seats) if options is None else options,
            st.binary(min_size=32, max_size=32),
        )
    )


def plain_game(entry: Entry, number: int) -> Walk:
    """A game with the default options: the same one for the same number."""
    seats = entry.game.seats[number % len(entry.game.seats)]
    return varied_game(entry, entry.game.options, seats, number.to_bytes(32, "big"))


def varied_game(entry: Entry, options: Any, seats: int, seed: bytes) -> Walk:
    """A game to the end, or for many steps."""
    return Walk(entry, options, seats, seed, tuple(_plies(entry.game, options, seats, seed)))


def _plies(game: AnyGame, options: Any, seats: int, seed: bytes) -> Iterator[Ply[Any, Any, Any]]:
    whim = random.Random(seed)
    dice = dice_for(seed, 0)
    played = game.start(options, seats, dice)
    yield Ply(None, None, played, tuple(dice.draws))
    for revision in range(1, MOST_STEPS + 1):
        standing = game.standing(played.position)
        if standing.over:
            return
        hosts = game.moves(played.position, None)
        seat = None if hosts and whim.random() < TIME_OUT else whim.choice(standing.may_act)
        (move,) = varied(game, hosts if seat is None else game.moves(played.position, seat), 1, whim)
        dice = dice_for(seed, revision)
        played = game.play(played.position, seat, move, dice)
        yield Ply(seat, move, played, tuple(dice.draws))


def kind_of(game: AnyGame, move: object) -> str:
    """What kind of a move it is: the first word of its text. The start is a kind of its own."""
    return "" if move is None else game.write_move(move).split()[0]


def varied(game: AnyGame, moves: Iterable[Any], most: int, whim: random.Random) -> Sequence[Any]:
    """So many of these moves at most, each once, of as many kinds as there are."""
    kinds = defaultdict(list)
    for move in dict.fromkeys(moves):
        kinds[kind_of(game, move)].append(move)
    for group in kinds.values():
        whim.shuffle(group)
    order = whim.sample(sorted(kinds), len(kinds))
    chosen: list[Any] = []
    while order and len(chosen) < most:
        chosen.append(kinds[order[0]].pop())
        order = [*order[1:], order[0]] if kinds[order[0]] else order[1:]
    return chosen
