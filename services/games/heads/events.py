"""What can happen, with the names and fields that it has on the wire.

What only some may know is told twice: with it to them, and without it to everybody else.
"""

from dataclasses import dataclass

from services.games.heads.moves import Say
from services.games.heads.position import Card, Hand, Role, Side
from services.kernel.audience import Audience, only
from services.kernel.game import Event
from services.kernel.standing import Outcome, Seat


@dataclass(frozen=True, slots=True)
class Started:
    """The game started: everybody has a role and a hand."""


@dataclass(frozen=True, slots=True)
class Dealt:
    """A seat got its role and its hand."""

    seat: Seat
    role: Role
    hand: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Proposed:
    """A seat offered another to play together."""

    seat: Seat
    to_seat: Seat


@dataclass(frozen=True, slots=True)
class Withdrawn:
    """A seat took its proposal back."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Declined:
    """A seat turned another's proposal down."""

    seat: Seat
    from_seat: Seat


@dataclass(frozen=True, slots=True)
class Agreed:
    """Two seats agreed to play."""

    pair_seats: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class PairDrawn:
    """Two seats were drawn to play."""

    pair_seats: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class BackedOut:
    """A seat backed out of an agreement; cards that lay face down are in their hands again."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class CardPlayed:
    """A seat played a card face down. Only that seat is told which."""

    seat: Seat
    card: Card | None


@dataclass(frozen=True, slots=True)
class Nominated:
    """A seat nominated a validator; whom, is told when both have (D11)."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class ValidatorChosen:
    """There is a validator. The nominations are in the order of the pair; without a choice there are none."""

    seat: Seat
    nominated_seats: tuple[Seat, ...] = ()


@dataclass(frozen=True, slots=True)
class Placed:
    """The two cards of a round lie on the trek card. Only the validator is told which, in order."""

    round: int
    validator_seat: Seat
    side: Side
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Peeked:
    """A seat looked at a card of another. Only the former is told which, unless the option says otherwise."""

    seat: Seat
    target_seat: Seat
    card: Card | None


@dataclass(frozen=True, slots=True)
class PeekSkipped:
    """A seat looked at nobody's card."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class RoundBegan:
    """The next round began."""

    round: int


@dataclass(frozen=True, slots=True)
class ForkReached:
    """The Fork in the Road was reached."""


@dataclass(frozen=True, slots=True)
class Said:
    """A seat said something."""

    seat: Seat
    say: Say


@dataclass(frozen=True, slots=True)
class TimedOut:
    """These seats ran out of time."""

    seats: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class Revealed:
    """Everything was turned face up: roles and hands by seat, the played cards by round in the order of its pair."""

    roles: tuple[Role, ...]
    hands: tuple[Hand, ...]
    plays: tuple[Hand, ...]


@dataclass(frozen=True, slots=True)
class Ended:
    """The game ended."""

    outcome: Outcome


Fact = (
    Started
    | Dealt
    | Proposed
    | Withdrawn
    | Declined
    | Agreed
    | PairDrawn
    | BackedOut
    | CardPlayed
    | Nominated
    | ValidatorChosen
    | Placed
    | Peeked
    | PeekSkipped
    | RoundBegan
    | ForkReached
    | Said
    | TimedOut
    | Revealed
    | Ended
)


def told_apart(whole: Fact, without: Fact, knowing: tuple[Seat, ...], seats: int) -> tuple[Event[Fact], Event[Fact]]:
    """Two events of one happening: the whole fact for those who may know it, the other for everybody else."""
    others = tuple([seat for seat in range(seats) if seat not in knowing])
    return Event(whole, only(*knowing)), Event(without, Audience(seats=others, spectators=True))
