"""What lies on the table of the canary game, what can be done, and what can happen."""

from msgspec import Struct

from services.kernel.audience import Audience
from services.kernel.standing import Outcome, Seat


class Options(Struct, frozen=True):
    """How many turns there are in all."""

    turns: int = 9


DEFAULTS = Options()


class Card(Struct, frozen=True):
    """A card, and who may know it."""

    text: str
    known: Audience

    def as_seen_by(self, seat: Seat | None) -> "Card":
        """The card, without its text for those who may not know it. Who knows a card is no secret."""
        return self if self.known.admits(seat) else Card("", self.known)


class Position(Struct, frozen=True):
    """A game at one moment. It is over when no turn is left."""

    hands: tuple[tuple[Card, ...], ...]
    pile: tuple[Card, ...]
    bottom: Card
    active_seat: Seat
    turns: int
    options: Options


View = Position
"""What one may know: cards that one may not know have no text."""


class Draw(Struct, frozen=True):
    """Take a new card."""


class Play(Struct, frozen=True):
    """Put a card on the pile, face down."""

    card: str


class Show(Struct, frozen=True):
    """Show a card to one seat."""

    card: str
    seat: Seat


class Timeout(Struct, frozen=True):
    """The host's: the active seat draws."""


Move = Draw | Play | Show | Timeout


class Drawn(Struct, frozen=True):
    """A seat took a card, in its turn or at the deal."""

    seat: Seat
    card: str


class PlayedDown(Struct, frozen=True):
    """A seat put a card on the pile."""

    seat: Seat
    card: str


class Shown(Struct, frozen=True):
    """A seat showed a card to another."""

    seat: Seat
    to: Seat
    card: str


class Opened(Struct, frozen=True):
    """The card at the bottom was opened."""

    card: str


class Ended(Struct, frozen=True):
    """The game ended."""

    outcome: Outcome


Fact = Drawn | PlayedDown | Shown | Opened | Ended
