"""Three ways of not taking something, which stay three from here to the SDK.

Malformed             the request is wrong whatever the position
ImpossiblePosition    no game can come to this position
IllegalMove           the request is fine, the position forbids it; carries the refusal: reason, rule, sentence
"""

from collections.abc import Sequence

from msgspec import Struct


class Refusal(Struct, frozen=True):
    """Why a move is not legal: the game's reason (CUP_EMPTY), the rule it breaks (C-R10), a sentence."""

    reason: str
    rule: str
    message: str


class Flaw(Struct, frozen=True):
    """What is wrong with one field, by its path."""

    field: str
    description: str

    def __str__(self) -> str:
        """Show the path and what is wrong there."""
        return f"{self.field}: {self.description}"


class IllegalMove(ValueError):
    """The position forbids the move."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(f"{refusal.reason} ({refusal.rule}): {refusal.message}")
        self.refusal = refusal


class Malformed(ValueError):
    """The request is wrong whatever the position. Names every field that is."""

    def __init__(self, *flaws: Flaw) -> None:
        super().__init__("; ".join(map(str, flaws)))
        self.flaws = flaws


class ImpossiblePosition(ValueError):
    """No game can come to this position. Names every flaw."""

    def __init__(self, flaws: Sequence[Flaw]) -> None:
        super().__init__("; ".join(map(str, flaws)))
        self.flaws = tuple(flaws)
