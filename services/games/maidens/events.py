"""What can happen. Everybody may know of all of it (M-R3)."""

from dataclasses import dataclass
from enum import Enum

from services.games.maidens.position import DieKind, Face
from services.kernel.standing import Outcome, Seat


class EndCondition(Enum):
    """How a turn ends."""

    STOPPED = "stopped"
    ALL_MAIDENS = "all maidens"
    UNIFORM = "uniform"
    NO_RESCUED = "no rescued"


@dataclass(frozen=True, slots=True)
class Started:
    """The game started; this seat begins."""

    first_seat: Seat


@dataclass(frozen=True, slots=True)
class TimedOut:
    """The active seat ran out of time."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class RolledDie:
    """One die of a roll, by its index."""

    die: int
    kind: DieKind
    face: Face


@dataclass(frozen=True, slots=True)
class Rolled:
    """The dice in the pool were rolled."""

    seat: Seat
    roll_number: int
    dice: tuple[RolledDie, ...]


@dataclass(frozen=True, slots=True)
class Rerolled:
    """The dice just rolled were rolled once more; it is still the same roll of the turn."""

    seat: Seat
    roll_number: int
    dice: tuple[RolledDie, ...]


@dataclass(frozen=True, slots=True)
class ChipUsed:
    """A chip changed a die, and is gone."""

    seat: Seat
    die: int
    before: Face
    face: Face


@dataclass(frozen=True, slots=True)
class ChipLost:
    """A seat lost its chip without having used it."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class ChipEarned:
    """A seat got a chip."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Rescued:
    """So many Maidens came to the Hero card, from these dice; so many are on it now."""

    maidens: int
    die_indices: tuple[int, ...]
    rescued: int


@dataclass(frozen=True, slots=True)
class Fought:
    """So many Heroes and Monsters fought."""

    heroes: int
    monsters: int


@dataclass(frozen=True, slots=True)
class Captured:
    """So many Maidens went from the Hero card to the Monster card; what is on the two now."""

    maidens: int
    rescued: int
    captured: int


@dataclass(frozen=True, slots=True)
class Freed:
    """So many Maidens went from the Monster card to the Hero card; what is on the two now."""

    maidens: int
    rescued: int
    captured: int


@dataclass(frozen=True, slots=True)
class TakenToCastle:
    """The King took so many Maidens to the castle; so many are there now."""

    maidens: int
    castle: int


@dataclass(frozen=True, slots=True)
class TakenByDragon:
    """The Dragon took so many Maidens; so many it has now."""

    maidens: int
    dragon: int


@dataclass(frozen=True, slots=True)
class TurnEnded:
    """A turn ended, by this."""

    seat: Seat
    condition: EndCondition


@dataclass(frozen=True, slots=True)
class Scored:
    """A seat scored for its Hero card and for the castle; its points and the supply now."""

    seat: Seat
    rescued: int
    castle: int
    points: int
    supply: int


@dataclass(frozen=True, slots=True)
class Ended:
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
