"""The monster cards, by formula, and the decks that can be played with.

The deck is ours: no list of the published cards is known to us. Every number of every part stands on nearly equally
many cards, and within these one, two and three donuts are equally frequent; so no roll is worth more than another.
"""

from collections.abc import Mapping
from enum import Enum

from msgspec import Struct

NUMBERS = range(6)
"""How many of a part a monster can have."""
REFILL = 10
"""So many cards come to the table at the start, and after a Zilch (S-R4, S-R18)."""


class Card(Struct, frozen=True):
    """A monster with its arms, legs and eyes, and the donuts that it is worth."""

    id: int
    arms: int
    legs: int
    eyes: int
    donuts: int


class Deck(Enum):
    """The cards that can be played with."""

    OURS = "ours"
    SHORT = "short"

    __hash__ = object.__hash__
    """By identity, as members are compared: many tables ask for it, and hashing the name takes five times as long."""


def _grid() -> list[Card]:
    """Cards 1 to 36: every number of arms with every number of legs."""
    return [
        Card(6 * arms + legs + 1, arms, legs, (arms + legs) % 6, 1 + (arms + 2 * legs) % 3)
        for arms in NUMBERS
        for legs in NUMBERS
    ]


def _turned() -> list[Card]:
    """Cards 37 to 54: for every number of arms three more, with 1, 2 and 3 donuts."""
    return [
        Card(37 + 3 * arms + turn, arms, (arms + 2 * turn) % 6, (1 + 2 * turn - arms) % 6, 1 + turn)
        for arms in NUMBERS
        for turn in range(3)
    ]


ALL = (*_grid(), *_turned(), Card(55, 2, 2, 2, 2))
CARDS: Mapping[int, Card] = {card.id: card for card in ALL}
DECKS: Mapping[Deck, tuple[int, ...]] = {
    # The cards' ids, as they lie before the first shuffle.
    Deck.OURS: tuple([card.id for card in ALL]),
    Deck.SHORT: tuple([card.id for card in _grid()]),
}
LEVELS: Mapping[Deck, tuple[int, ...]] = {
    deck: tuple(range(len(cards) - REFILL, 0, -REFILL - 1)) for deck, cards in DECKS.items()
}
"""How many cards are left in a deck after 0, 1, 2 .. Zilches while the game goes on: each takes one, and ten for the
table (S-T1). The next Zilch after the last of these ends the game with one card less."""


def cards(ids: tuple[int, ...]) -> tuple[Card, ...]:
    """The cards of these ids, in order."""
    return tuple([CARDS[card_id] for card_id in ids])
