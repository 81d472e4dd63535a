"""Names in the texts of games. The rule is the contract's: proto/README.md, "Texts"."""

import re
from collections.abc import Sequence

SEAT = re.compile(r"\b[Ss]eat ([0-9]+)\b")


def named(text: str, names: Sequence[str]) -> str:
    """A game's text with names in the place of seats: "Ann offers Ben to play" of "Seat 0 offers seat 1 to play".

    It is for the texts of moves, events and refusals. `names` are by seat; where one is empty or missing the seat stays
    as it is.
    """

    def name_of(found: re.Match[str]) -> str:
        seat = int(found[1])
        return (names[seat] if seat < len(names) else "") or found[0]

    return SEAT.sub(name_of, text)
