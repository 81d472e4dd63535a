"""What lies on the table: options, rolls, the position, and what can be done."""

from enum import Enum

from msgspec import Struct

SEATS = range(2, 6)
SIDES = 6
HARVEST_DICE = 2
MOST_START_DICE = 6
CUP_LIMITS = (0, 6, 8)
MOST_QUIET_DICE = 8
"""Nine dice always end the game (C-T2): so many are the most in the cup while it goes on."""


class CupMove(Enum):
    """Where the cup goes after its turn."""

    RIGHT = "right"
    STAY = "stay"


class EmptyFeed(Enum):
    """Whether an empty cup can be fed."""

    FORBID = "forbid"
    FREE = "free"


class MultiSet(Enum):
    """Which of two triples in one roll counts: the bigger set, then the higher or the lower face."""

    BIG_HIGH = "big_high"
    BIG_LOW = "big_low"


class Cause(Enum):
    """Why dice were rolled."""

    HARVEST = "harvest"
    FEED = "feed"
    CUP = "cup"

    __hash__ = object.__hash__
    """By identity, as members are compared: every move looks them up, and hashing the name takes five times as long."""


class Move(Enum):
    """What can be done. The values are the moves' texts."""

    HARVEST = "harvest"
    FEED = "feed"
    TIMEOUT = "timeout"

    __hash__ = object.__hash__
    """By identity, as members are compared: every move looks them up, and hashing the name takes five times as long."""


class Options(Struct, frozen=True):
    """What is chosen at the start. In `cup_max` and `max_turns` 0 is no limit; no `first_seat` means drawn."""

    cup_start: int = 0
    cup_max: int = 0
    cup_move: CupMove = CupMove.RIGHT
    empty_feed: EmptyFeed = EmptyFeed.FORBID
    hungry_first: bool = True
    multi_set: MultiSet = MultiSet.BIG_HIGH
    max_turns: int = 1000
    first_seat: int | None = None


DEFAULTS = Options()


class Roll(Struct, frozen=True):
    """One roll. A Feed that empties the cup rolls no dice; one that finds it empty is no roll (C-R12, C-R10)."""

    cause: Cause
    dice: tuple[int, ...]


class Position(Struct, frozen=True):
    """A game at one moment.

    Whether it is over follows from the last roll and from the turn; so the two can't contradict each other.
    """

    cabbages: tuple[int, ...]
    feedings: tuple[int, ...]
    cup_dice: int
    cup_gap: int
    """The cup stands on the left of this seat: between it and the next."""
    turn: int
    """The number of the turn to be taken, from 1. Once the game is over, of the turn that is not taken any more."""
    active_seat: int
    """The seat that takes it."""
    last_roll: tuple[Roll, ...]
    """The rolls of the turn before: the player's, but for a free Feed of an empty cup; then the cup's if it acted."""
    options: Options


View = Position
"""Nothing is hidden: everybody sees the whole position (C-R24)."""
