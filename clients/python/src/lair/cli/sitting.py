"""Who sits at the table, and what the terminal in front of them can show."""

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rich.cells import cell_len, set_cell_size

from lair import named

CONTROLS = ("Cc", "Cs", "Zl", "Zp")
"""Controls, halves of characters, and separators of lines, as Unicode's categories."""
DIRECTIONS = ("LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI")
"""What turns the direction of a text, as Unicode's classes (UAX #9)."""
DIE_FACES = "⚀⚁⚂⚃⚄⚅"


def plain(text: str) -> str:
    """A text from elsewhere without control characters: a name must not move the cursor or change the colours.

    Joiners stay, which hold emoji together and which some scripts need.
    """
    return "".join("?" if _steers(character) else character for character in text)


def _steers(character: str) -> bool:
    return unicodedata.category(character) in CONTROLS or unicodedata.bidirectional(character) in DIRECTIONS


def in_a_row(items: Sequence[str]) -> str:
    """Items with commas, and "and" before the last."""
    return " and ".join([", ".join(items[:-1]), items[-1]] if len(items) > 1 else items)


def counted(number: int, thing: str, things: str = "") -> str:
    """A number with its noun: "1 move", "41 moves"."""
    return f"{number} {thing}" if number == 1 else f"{number} {things or f'{thing}s'}"


def _cut(name: str, width: int) -> str:
    return set_cell_size(name, width).rstrip() if cell_len(name) > width else name


@dataclass(frozen=True, slots=True)
class Sitting:
    """The names by seat, and whether the terminal's encoding has pictures of dice."""

    names: tuple[str, ...]
    unicode: bool = True

    def who(self, seat: int) -> str:
        """The name of a seat, as nobody else's. Without one, and for numbers that are no seat: "seat 3"."""
        name = self.named(self.names[seat] if 0 <= seat < len(self.names) else "", seat)
        before = {plain(other).casefold() for other in self.names[: max(seat, 0)]}
        return f"{name} (seat {seat})" if name.casefold() in before else name

    def short(self, seat: int, width: int) -> str:
        """The name of a seat in so many columns. Of two that are cut to the same, each has the seat's number."""
        cut = {each: _cut(self.who(each), width) for each in (*range(len(self.names)), seat)}
        if list(cut.values()).count(cut[seat]) == 1:
            return cut[seat]
        number = f" {seat}"
        return _cut(self.who(seat), width - len(number)) + number

    def named(self, name: str, seat: int) -> str:
        """A name as it is shown, also one that is not at the table any more; "seat 3" when it is empty."""
        return plain(name) or f"seat {seat}"

    def told(self, text: str) -> str:
        """A game's text with the names of those who sit here."""
        return plain(named(text, [self.who(seat) if name else "" for seat, name in enumerate(self.names)]))

    def everyone(self, seats: Iterable[int]) -> str:
        """Names with commas, and "and" before the last."""
        return in_a_row([self.who(seat) for seat in seats])

    def dice(self, results: Sequence[int]) -> str:
        """Dice as pictures, or as digits where there are none or a die has more than six sides."""
        if not results:
            return "none"
        if self.unicode and all(1 <= result <= len(DIE_FACES) for result in results):
            return " ".join(DIE_FACES[result - 1] for result in results)
        return " ".join(str(result) for result in results)
