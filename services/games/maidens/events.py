"""What can happen. Everybody may know of all of it (M-R3)."""

from enum import Enum

from msgspec import Struct

from services.games.maidens.position import DieKind, Face
from services.kernel.standing import Outcome, Seat


class EndCondition(Enum):
    """How a turn ends."""

    STOPPED = "stopped"
    ALL_MAIDENS = "all maidens"
    UNIFORM = "uniform"
    NO_RESCUED = "no rescued"


class Started(Struct, frozen=True):
    """The game started; this seat begins."""

    first_seat: Seat


class TimedOut(Struct, frozen=True):
    """The active seat ran out of time."""

    seat: Seat


class RolledDie(Struct, frozen=True):
    """One die of a roll, by its index."""

    die: int
    kind: DieKind
    face: Face


class Rolled(Struct, frozen=True):
    """The dice in the pool were rolled."""

    seat: Seat
    roll_number: int
    dice: tuple[RolledDie, ...]


class Rerolled(Struct, frozen=True):
    """The dice just rolled were rolled once more; it is still the same roll of the turn."""

    seat: Seat
    roll_number: int
    dice: tuple[RolledDie, ...]


class ChipUsed(Struct, frozen=True):
    """A chip changed a die, and is gone."""

    seat: Seat
    die: int
    before: Face
    face: Face


class ChipLost(Struct, frozen=True):
    """A seat lost its chip without having used it."""

    seat: Seat


class ChipEarned(Struct, frozen=True):
    """A seat got a chip."""

    seat: Seat


class Rescued(Struct, frozen=True):
    """So many Maidens came to the Hero card, from these dice; so many are on it now."""

    maidens: int
    die_indices: tuple[int, ...]
    rescued: int


class Fought(Struct, frozen=True):
    """So many Heroes and Monsters fought."""

    heroes: int
    monsters: int


class Captured(Struct, frozen=True):
    """So many Maidens went from the Hero card to the Monster card; what is on the two now."""

    maidens: int
    rescued: int
    captured: int


class Freed(Struct, frozen=True):
    """So many Maidens went from the Monster card to the Hero card; what is on the two now."""

    maidens: int
    rescued: int
    captured: int


class TakenToCastle(Struct, frozen=True):
    """The King took so many Maidens to the castle; so many are there now."""

    maidens: int
    castle: int


class TakenByDragon(Struct, frozen=True):
    """The Dragon took so many Maidens; so many it has now."""

    maidens: int
    dragon: int


class TurnEnded(Struct, frozen=True):
    """A turn ended, by this."""

    seat: Seat
    condition: EndCondition


class Scored(Struct, frozen=True):
    """A seat scored for its Hero card and for the castle; its points and the supply now."""

    seat: Seat
    rescued: int
    castle: int
    points: int
    supply: int


class Ended(Struct, frozen=True):
    """The game ended."""

    outcome: Outcome


Fact = (
    Started
    | TimedOut
    | Rolled
    | Rerolled
    | ChipUsed
    | ChipLost
    | ChipEarned
    | Rescued
    | Fought
    | Captured
    | Freed
    | TakenToCastle
    | TakenByDragon
    | TurnEnded
    | Scored
    | Ended
)
