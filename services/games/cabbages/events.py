"""What can happen. Everybody may know of all of it (C-R24)."""

from dataclasses import dataclass

from services.games.cabbages.position import Cause
from services.kernel.standing import Outcome, Seat


@dataclass(frozen=True, slots=True)
class Started:
    """The game started; this seat begins."""

    first_seat: Seat


@dataclass(frozen=True, slots=True)
class TimedOut:
    """The active seat ran out of time."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Harvested:
    """A seat harvested and has so many cabbages now."""

    seat: Seat
    dice: tuple[int, ...]
    cabbages: int


@dataclass(frozen=True, slots=True)
class DieRemoved:
    """A die left the cup; so many stay."""

    cup_dice: int


@dataclass(frozen=True, slots=True)
class Fed:
    """A Feeding was marked; the seat has so many now."""

    seat: Seat
    feedings: int


@dataclass(frozen=True, slots=True)
class MonsterRoll:
    """The Monster Dice were rolled, by a Feed or by the cup."""

    cause: Cause
    dice: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class DieAdded:
    """A die came into the cup; so many are in it now."""

    cup_dice: int


@dataclass(frozen=True, slots=True)
class CupMoved:
    """The cup stands on the left of this seat now."""

    cup_gap: Seat


@dataclass(frozen=True, slots=True)
class Ended:
    """The game ended."""

    outcome: Outcome


Fact = Started | TimedOut | Harvested | DieRemoved | Fed | MonsterRoll | DieAdded | CupMoved | Ended
