"""Games of 3 to 4 Headed Monster for tests: quick ones, with the host's time-outs in between, and dealt ones."""

import random
from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from services.games import find_games
from services.games.heads.moves import Move, Say
from services.games.heads.position import DECKS, HAND_CARDS, Card, Options, Player, Position, Role
from services.kernel.chance import Dice, scripted
from services.kernel.game import Played
from services.kernel.playing import Ply, dice_for
from services.kernel.standing import Outcome, Seat

ENTRY = find_games()["heads"]
GAME = ENTRY.game
HOST_IN_A_HUNDRED = 5
SAYINGS_IN_A_HUNDRED = 20

three_or_four = pytest.mark.parametrize("seats", GAME.seats)
"""Runs a test for three and for four players."""


def games(options: Options, seats: int, seed: int) -> Iterator[Ply[Any, Any, Any]]:
    """A game to its end. Unlike random play it doesn't talk most of the time, and time is up now and then."""
    whim = random.Random(seed)
    played = GAME.start(options, seats, dice_for(seed.to_bytes(32, "big"), 0))
    yield Ply(None, None, played, ())
    revision = 0
    while not GAME.standing(played.position).over:
        seat, move = _choose(played.position, whim)
        revision += 1
        dice = dice_for(seed.to_bytes(32, "big"), revision)
        played = GAME.play(played.position, seat, move, dice)
        yield Ply(seat, move, played, tuple(dice.draws))


def _choose(position: Position, whim: random.Random) -> tuple[Seat | None, Move]:
    if whim.randrange(100) < HOST_IN_A_HUNDRED and (host := GAME.moves(position, None)):
        return None, host[0]
    standing = GAME.standing(position)
    talks = whim.randrange(100) < SAYINGS_IN_A_HUNDRED
    seat = whim.choice(standing.may_act if talks else standing.awaited)
    moves = GAME.moves(position, seat)
    quiet = [move for move in moves if not isinstance(move, Say)]
    return seat, whim.choice(quiet if quiet and not talks else moves)


def ended(options: Options, seats: int, seed: int) -> tuple[Position, Outcome]:
    """The last position of such a game, and how it ended."""
    *_, last = games(options, seats, seed)
    outcome = GAME.standing(last.played.position).outcome
    assert outcome is not None
    return last.played.position, outcome


def dealt(hands: Sequence[Sequence[int]], peaceful: Seat, options: Options) -> Position:
    """A position in which these cards have been dealt."""
    players = [
        Player(Role.PEACEFUL if seat == peaceful else Role.DANGEROUS, tuple(sorted(map(Card, hand))))
        for seat, hand in enumerate(hands)
    ]
    return Position(tuple(players), (), 0, (), pair_drawn=False, options=options)


def script_of(seats: int, peaceful: Seat, deck: Sequence[int]) -> list[int]:
    """The results of the two shuffles of a deal in which the cards of the deck's places come to lie in this order."""
    roles = [0] + [1] * (seats - 1)
    wanted = [0 if seat == peaceful else 1 for seat in range(seats)]
    return [*_shuffle(roles, wanted), *_shuffle(list(range(seats * HAND_CARDS)), list(deck))]


def _shuffle(items: list[int], wanted: Sequence[int]) -> list[int]:
    results = []
    for last in range(len(items) - 1, 0, -1):
        found = max(index for index in range(last + 1) if items[index] == wanted[last])
        results.append(found + 1)
        items[last], items[found] = items[found], items[last]
    return results


def start_with(options: Options, seats: int, script: Sequence[int]) -> tuple[Played[Any, Any], Dice]:
    """A game that is dealt as a script says."""
    dice = Dice(scripted(script))
    return GAME.start(options, seats, dice), dice


def played(position: Position, seat: Seat | None, text: str, *results: int) -> Position:
    """The position after a move, with these results."""
    after: Position = GAME.play(position, seat, GAME.read_move(text), Dice(scripted(results))).position
    return after


def with_pair(position: Position, *pair: Seat) -> Position:
    """The same position after these two have agreed."""
    one, other = pair
    return played(played(position, one, f"propose seat {other}"), other, f"accept seat {one}")


def other_cards(seats: int, *cards: Card) -> list[Card]:
    """The deck without some cards."""
    deck = list(DECKS[seats])
    for card in cards:
        deck.remove(card)
    return deck
