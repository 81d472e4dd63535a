"""Legal moves as they are offered: numbered, unless the game has numbers of its own; many of one kind behind a door.

One number means one thing: where moves have numbers of their own, as the cards of a table, nothing else is numbered.
"""

from collections import Counter
from dataclasses import dataclass
from typing import Any

from rich.columns import Columns
from rich.console import RenderableType
from rich.text import Text

from lair import LegalMove
from lair.cli.answers import Moves, meant, own_number, words
from lair.cli.sitting import Sitting

MOST_LISTED = 12
"""More moves than these are sorted by their first word."""
MANY_OF_A_KIND = 6
"""So many that begin with one word stand behind it."""


@dataclass(frozen=True, slots=True)
class Menu:
    """What is offered at once."""

    moves: Moves
    sitting: Sitting
    own_numbers: bool = False
    """Whether the game has numbers of its own also where none is offered, as cards on a table have."""
    word: str = ""
    """What all of them begin with, in a menu behind a door."""

    @property
    def numbered(self) -> bool:
        """Whether what is offered is numbered from 1."""
        return not self.own_numbers and all(own_number(move) is None for move in self.moves)

    def offers(self) -> "list[LegalMove[Any] | Menu]":
        """The moves in order; in the place of many of a kind, the menu of them."""
        first = [words(move.text)[0] for move in self.moves]
        unnumbered = Counter(word for word, move in zip(first, self.moves, strict=True) if own_number(move) is None)
        crowded = not self.word and len(first) > MOST_LISTED
        doors = {word for word, count in unnumbered.items() if crowded and count >= MANY_OF_A_KIND}
        offers: list[LegalMove[Any] | Menu] = []
        for word, move in zip(first, self.moves, strict=True):
            if word not in doors:
                offers.append(move)
            elif not any(isinstance(offer, Menu) and offer.word == word for offer in offers):
                kind = [each for each, begins in zip(self.moves, first, strict=True) if begins == word]
                offers.append(Menu(kind, self.sitting, self.own_numbers, word))
        return offers

    def find(self, text: str) -> "tuple[LegalMove[Any] | Menu, ...]":
        """What a text can mean here: an offer by its number or its name. Empty: nothing that is offered."""
        if text.isdecimal():
            return self._numbered(int(text))
        doors = [offer for offer in self.offers() if isinstance(offer, Menu) and [offer.word] == words(text)]
        inside = meant(f"{self.word} {text}", self.moves, self.sitting) if self.word else ()
        return tuple(doors) or inside or meant(text, self.moves, self.sitting)

    def names(self) -> list[str]:
        """What each offer is called."""
        return [self._name(offer) for offer in self.offers()]

    def drawn(self) -> RenderableType:
        """The offers in columns."""
        numbers = range(1, len(self.moves) + 1)
        rows = [f"{number:>3}  {name}" for number, name in zip(numbers, self.names(), strict=False)]
        return Columns(
            [Text(row) for row in (rows if self.numbered else self.names())], column_first=self.numbered, padding=(0, 3)
        )

    def _numbered(self, number: int) -> "tuple[LegalMove[Any] | Menu, ...]":
        if not self.numbered:
            return tuple(move for move in self.moves if own_number(move) == number)
        offers = self.offers()
        return (offers[number - 1],) if 1 <= number <= len(offers) else ()

    def _name(self, offer: "LegalMove[Any] | Menu") -> str:
        if isinstance(offer, Menu):
            return f"{offer.word} ... ({len(offer.moves)})"
        shown = self.sitting.told(offer.text)
        return shown[len(self.word) :].lstrip() if self.word else shown
