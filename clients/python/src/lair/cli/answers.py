"""What is typed at a prompt, and the moves that it can mean. Pure."""

import re
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from typing import Any

from lair import LegalMove
from lair.cli.sitting import Sitting

LEAVE = ("q", "quit", "exit")
HELP = ("?", "help")
RULES = ("rules",)
BACK = ("back", "..")
YES = ("y", "yes")
MOST_ALIKE = 3
"""So many moves are offered in the place of one that there is not."""
SEAT = re.compile(r"\bseat [0-9]+\b", re.IGNORECASE)

Moves = Sequence[LegalMove[Any]]


def words(text: str) -> list[str]:
    """A text as it is compared: whatever its case and blanks."""
    return text.casefold().split()


def own_number(move: LegalMove[Any]) -> int | None:
    """The number that the game calls a move by: 17 of "pick 17". A seat's number is nobody's name."""
    last = SEAT.sub("seat", move.text).split()[-1:]
    return int(last[0]) if last and last[0].isdecimal() else None


def meant(text: str, moves: Moves, sitting: Sitting) -> tuple[LegalMove[Any], ...]:
    """The legal moves that a text can mean, of the surest kind: called so, else beginning so, else ending so.

    A move can be given as it is shown, with names, or as the game writes it, with the numbers of seats. Each word of a
    beginning may be cut short, but a number means itself: 1 is not the beginning of 17.
    """
    wanted = words(text)
    if not wanted:
        return ()
    called = [(move, words(sitting.told(move.text)), words(move.text)) for move in moves]
    return (
        tuple(move for move, shown, _ in called if shown == wanted)
        or tuple(move for move, _, written in called if written == wanted)
        or tuple(move for move, shown, written in called if _begins(shown, wanted) or _begins(written, wanted))
        or tuple(move for move, shown, _ in called if shown[-len(wanted) :] == wanted)
    )


def written(text: str, sitting: Sitting) -> str:
    """A text with seats in the place of the names of those who sit here, as games write it."""
    seats = {sitting.who(seat).casefold(): seat for seat, name in enumerate(sitting.names) if name}
    if not seats:
        return text
    longest_first = sorted(seats, key=len, reverse=True)
    names = re.compile(rf"\b(?:{'|'.join(map(re.escape, longest_first))})(?!\w)", re.IGNORECASE)
    return names.sub(lambda found: f"seat {seats.get(found[0].casefold(), found[0])}", text)


def alike(text: str, moves: Moves, sitting: Sitting) -> tuple[LegalMove[Any], ...]:
    """The legal moves that are called nearly as a text, the most alike first."""
    shown = {" ".join(words(sitting.told(move.text))): move for move in moves}
    return tuple(shown[name] for name in get_close_matches(" ".join(words(text)), shown, MOST_ALIKE))


def listed(moves: Iterable[LegalMove[Any]], sitting: Sitting) -> str:
    """Moves by name, as alternatives."""
    names = [sitting.told(move.text) for move in moves]
    return " or ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def _begins(move: list[str], wanted: list[str]) -> bool:
    """Whether each word of what is wanted begins the word in its place; numbers are whole."""
    if len(wanted) > len(move):
        return False
    pairs = zip(move, wanted, strict=False)
    return all(word == want if want.isdecimal() else word.startswith(want) for word, want in pairs)
