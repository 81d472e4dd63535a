"""What can happen, with the names and fields that it has on the wire."""

from msgspec import Struct

from services.games.sprinkleton.deck import Card
from services.games.sprinkleton.position import Dice
from services.games.sprinkleton.view import Pile
from services.kernel.standing import Outcome, Seat


class Started(Struct, frozen=True):
    """The game started."""

    baker_seat: Seat
    table: tuple[Card, ...]
    deck_size: int


class Rolled(Struct, frozen=True):
    """The dice were rolled."""

    seat: Seat
    dice: Dice


class Claimed(Struct, frozen=True):
    """A seat touched a card that matches, first."""

    seat: Seat
    card: Card


class PickedWrong(Struct, frozen=True):
    """A seat touched a card that doesn't match."""

    seat: Seat
    card: Card


class TooLate(Struct, frozen=True):
    """A seat touched a card that somebody had claimed, and that was its pick."""

    seat: Seat
    card: Card


class ZilchRight(Struct, frozen=True):
    """A seat touched the Zilch token, and no card matched."""

    seat: Seat


class ZilchWrong(Struct, frozen=True):
    """A seat touched the Zilch token, and a card matched."""

    seat: Seat


class Passed(Struct, frozen=True):
    """A seat searches no longer."""

    seat: Seat


class PenaltyPaid(Struct, frozen=True):
    """A seat laid the top card of its pile back on the table."""

    seat: Seat
    card: Card
    pile_size: int


class Collected(Struct, frozen=True):
    """A seat put the card that it had claimed on its pile."""

    seat: Seat
    card: Card
    pile_size: int


class Drawn(Struct, frozen=True):
    """A seat put the top card of the deck on its pile. Only that seat is told which."""

    seat: Seat
    card: Card | None
    pile_size: int
    deck_size: int


class Refilled(Struct, frozen=True):
    """Cards came from the deck to the table."""

    cards: tuple[Card, ...]
    deck_size: int


class DicePassed(Struct, frozen=True):
    """The dice went to the left, and the next round began."""

    baker_seat: Seat
    round: int


class TimedOut(Struct, frozen=True):
    """These seats ran out of time."""

    seats: tuple[Seat, ...]


class Revealed(Struct, frozen=True):
    """All score piles were turned face up."""

    piles: tuple[Pile, ...]


class Ended(Struct, frozen=True):
    """The game ended."""

    outcome: Outcome


Fact = (
    Started
    | Rolled
    | Claimed
    | PickedWrong
    | TooLate
    | ZilchRight
    | ZilchWrong
    | Passed
    | PenaltyPaid
    | Collected
    | Drawn
    | Refilled
    | DicePassed
    | TimedOut
    | Revealed
    | Ended
)
