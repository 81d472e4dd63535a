"""What can happen, with the names and fields that it has on the wire.

What only some may know is told twice: with it to them, and without it to everybody else.
"""

from msgspec import Struct

from services.games.heads.moves import Say
from services.games.heads.position import Card, Hand, Role, Side
from services.kernel.audience import Audience, only
from services.kernel.game import Event
from services.kernel.standing import Outcome, Seat


class Started(Struct, frozen=True):
    """The game started: everybody has a role and a hand."""


class Dealt(Struct, frozen=True):
    """A seat got its role and its hand."""

    seat: Seat
    role: Role
    hand: tuple[Card, ...]


class Proposed(Struct, frozen=True):
    """A seat offered another to play together."""

    seat: Seat
    to_seat: Seat


class Withdrawn(Struct, frozen=True):
    """A seat took its proposal back."""

    seat: Seat


class Declined(Struct, frozen=True):
    """A seat turned another's proposal down."""

    seat: Seat
    from_seat: Seat


class Agreed(Struct, frozen=True):
    """Two seats agreed to play."""

    pair_seats: tuple[Seat, ...]


class PairDrawn(Struct, frozen=True):
    """Two seats were drawn to play."""

    pair_seats: tuple[Seat, ...]


class BackedOut(Struct, frozen=True):
    """A seat backed out of an agreement; cards that lay face down are in their hands again."""

    seat: Seat


class CardPlayed(Struct, frozen=True):
    """A seat played a card face down. Only that seat is told which."""

    seat: Seat
    card: Card | None


class Nominated(Struct, frozen=True):
    """A seat nominated a validator; whom, is told when both have (D11)."""

    seat: Seat


class ValidatorChosen(Struct, frozen=True):
    """There is a validator. The nominations are in the order of the pair; without a choice there are none."""

    seat: Seat
    nominated_seats: tuple[Seat, ...] = ()


class Placed(Struct, frozen=True):
    """The two cards of a round lie on the trek card. Only the validator is told which, in order."""

    round: int
    validator_seat: Seat
    side: Side
    cards: tuple[Card, ...]


class Peeked(Struct, frozen=True):
    """A seat looked at a card of another. Only the former is told which, unless the option says otherwise."""

    seat: Seat
    target_seat: Seat
    card: Card | None


class PeekSkipped(Struct, frozen=True):
    """A seat looked at nobody's card."""

    seat: Seat


class RoundBegan(Struct, frozen=True):
    """The next round began."""

    round: int


class ForkReached(Struct, frozen=True):
    """The Fork in the Road was reached."""


class Said(Struct, frozen=True):
    """A seat said something."""

    seat: Seat
    say: Say


class TimedOut(Struct, frozen=True):
    """These seats ran out of time."""

    seats: tuple[Seat, ...]


class Revealed(Struct, frozen=True):
    """Everything was turned face up: roles and hands by seat, the played cards by round in the order of its pair."""

    roles: tuple[Role, ...]
    hands: tuple[Hand, ...]
    plays: tuple[Hand, ...]


class Ended(Struct, frozen=True):
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
