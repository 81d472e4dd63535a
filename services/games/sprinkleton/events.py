"""What can happen, with the names and fields that it has on the wire."""

from dataclasses import dataclass

from services.games.sprinkleton.deck import Card
from services.games.sprinkleton.position import Dice
from services.games.sprinkleton.view import Pile
from services.kernel.standing import Outcome, Seat


@dataclass(frozen=True, slots=True)
class Started:
    """The game started."""

    baker_seat: Seat
    table: tuple[Card, ...]
    deck_size: int


@dataclass(frozen=True, slots=True)
class Rolled:
    """The dice were rolled."""

    seat: Seat
    dice: Dice


@dataclass(frozen=True, slots=True)
class Claimed:
    """A seat touched a card that matches, first."""

    seat: Seat
    card: Card


@dataclass(frozen=True, slots=True)
class PickedWrong:
    """A seat touched a card that doesn't match."""

    seat: Seat
    card: Card


@dataclass(frozen=True, slots=True)
class TooLate:
    """A seat touched a card that somebody had claimed, and that was its pick."""

    seat: Seat
    card: Card


@dataclass(frozen=True, slots=True)
class ZilchRight:
    """A seat touched the Zilch token, and no card matched."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class ZilchWrong:
    """A seat touched the Zilch token, and a card matched."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Passed:
    """A seat searches no longer."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class PenaltyPaid:
    """A seat laid the top card of its pile back on the table."""

    seat: Seat
    card: Card
    pile_size: int


@dataclass(frozen=True, slots=True)
class Collected:
    """A seat put the card that it had claimed on its pile."""

    seat: Seat
    card: Card
    pile_size: int


@dataclass(frozen=True, slots=True)
class Drawn:
    """A seat put the top card of the deck on its pile. Only that seat is told which."""

    seat: Seat
    card: Card | None
    pile_size: int
    deck_size: int


@dataclass(frozen=True, slots=True)
class Refilled:
    """Cards came from the deck to the table."""

    cards: tuple[Card, ...]
    deck_size: int


@dataclass(frozen=True, slots=True)
class DicePassed:
    """The dice went to the left, and the next round began."""

    baker_seat: Seat
    round: int


@dataclass(frozen=True, slots=True)
class TimedOut:
    """These seats ran out of time."""

    seats: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class Revealed:
    """All score piles were turned face up."""

    piles: tuple[Pile, ...]


@dataclass(frozen=True, slots=True)
class Ended:
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
