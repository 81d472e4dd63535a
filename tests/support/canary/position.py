"""What lies on the table of the canary game, what can be done, and what can happen."""

from dataclasses import dataclass

from services.kernel.audience import Audience
from services.kernel.standing import Outcome, Seat


@dataclass(frozen=True, slots=True)
class Options:
    """How many turns there are in all."""

    turns: int = 9


DEFAULTS = Options()


@dataclass(frozen=True, slots=True)
class Card:
    """A card, and who may know it."""

    text: str
    known: Audience

    def as_seen_by(self, seat: Seat | None) -> "Card":
        """The card, without its text for those who may not know it. Who knows a card is no secret."""
        return self if self.known.admits(seat) else Card("", self.known)


@dataclass(frozen=True, slots=True)
class Position:
    """A game at one moment. It is over when no turn is left."""

    hands: tuple[tuple[Card, ...], ...]
    pile: tuple[Card, ...]
    bottom: Card
    active_seat: Seat
    turns: int
    options: Options


View = Position
"""What one may know: cards that one may not know have no text."""


@dataclass(frozen=True, slots=True)
class Draw:
    """Take a new card."""


@dataclass(frozen=True, slots=True)
class Play:
    """Put a card on the pile, face down."""

    card: str


@dataclass(frozen=True, slots=True)
class Show:
    """Show a card to one seat."""

    card: str
    seat: Seat


@dataclass(frozen=True, slots=True)
class Timeout:
    """The host's: the active seat draws."""


Move = Draw | Play | Show | Timeout


@dataclass(frozen=True, slots=True)
class Drawn:
    """A seat took a card, in its turn or at the deal."""

    seat: Seat
    card: str


@dataclass(frozen=True, slots=True)
class PlayedDown:
    """A seat put a card on the pile."""

    seat: Seat
    card: str


@dataclass(frozen=True, slots=True)
class Shown:
    """A seat showed a card to another."""

    seat: Seat
    to: Seat
    card: str


@dataclass(frozen=True, slots=True)
class Opened:
    """The card at the bottom was opened."""

    card: str


@dataclass(frozen=True, slots=True)
class Ended:
    """The game ended."""

    outcome: Outcome


Fact = Drawn | PlayedDown | Shown | Opened | Ended
