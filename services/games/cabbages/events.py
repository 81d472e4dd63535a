"""What can happen. Everybody may know of all of it (C-R24)."""

from msgspec import Struct

from services.games.cabbages.position import Cause
from services.kernel.standing import Outcome, Seat


class Started(Struct, frozen=True):
    """The game started; this seat begins."""

    first_seat: Seat


class TimedOut(Struct, frozen=True):
    """The active seat ran out of time."""

    seat: Seat


class Harvested(Struct, frozen=True):
    """A seat harvested and has so many cabbages now."""

    seat: Seat
    dice: tuple[int, ...]
    cabbages: int


class DieRemoved(Struct, frozen=True):
    """A die left the cup; so many stay."""

    cup_dice: int


class Fed(Struct, frozen=True):
    """A Feeding was marked; the seat has so many now."""

    seat: Seat
    feedings: int


class MonsterRoll(Struct, frozen=True):
    """The Monster Dice were rolled, by a Feed or by the cup."""

    cause: Cause
    dice: tuple[int, ...]


class DieAdded(Struct, frozen=True):
    """A die came into the cup; so many are in it now."""

    cup_dice: int


class CupMoved(Struct, frozen=True):
    """The cup stands on the left of this seat now."""

    cup_gap: Seat


class Ended(Struct, frozen=True):
    """The game ended."""

    outcome: Outcome


Fact = Started | TimedOut | Harvested | DieRemoved | Fed | MonsterRoll | DieAdded | CupMoved | Ended
