"""What lies on the table: options, dice, Maidens, the position, and what can be done."""

from collections.abc import Mapping
from enum import Enum

from msgspec import Struct

SEATS = range(2, 7)
SUPPLY_A_SEAT = 20
SIDES = 6


class DieKind(Enum):
    """The sorts of dice."""

    HERO = "hero"
    MONSTER = "monster"
    MAIDEN = "maiden"
    ADVENTURE = "adventure"

    __hash__ = object.__hash__
    """By identity, as members are compared: many tables ask for it, and hashing the name takes five times as long."""


class Face(Enum):
    """What dice show. The values are the words of moves and of the notation."""

    HERO = "hero"
    MONSTER = "monster"
    MAIDEN = "maiden"
    TWO_MAIDENS = "two-maidens"
    TWO_HEROES = "two-heroes"
    TWO_MONSTERS = "two-monsters"
    KING = "king"
    DRAGON = "dragon"
    REROLL = "reroll"

    __hash__ = object.__hash__
    """By identity, as members are compared: many tables ask for it, and hashing the name takes five times as long."""


HERO, MONSTER, MAIDEN = Face.HERO, Face.MONSTER, Face.MAIDEN
SIDES_OF: Mapping[DieKind, tuple[Face, ...]] = {
    DieKind.HERO: (HERO, HERO, HERO, MONSTER, MONSTER, MAIDEN),
    DieKind.MONSTER: (MONSTER, MONSTER, MONSTER, MAIDEN, MAIDEN, HERO),
    DieKind.MAIDEN: (MAIDEN, MAIDEN, MAIDEN, HERO, HERO, MONSTER),
    DieKind.ADVENTURE: (
        Face.TWO_MAIDENS,
        Face.TWO_HEROES,
        Face.TWO_MONSTERS,
        Face.KING,
        Face.DRAGON,
        Face.REROLL,
    ),
}
"""The face of each result from 1 on (M-R2, M-R30, D12)."""
FACES_OF: Mapping[DieKind, tuple[Face, ...]] = {kind: tuple(dict.fromkeys(sides)) for kind, sides in SIDES_OF.items()}
"""The different faces of each sort."""
STANDARD: tuple[DieKind, ...] = (DieKind.HERO,) * 3 + (DieKind.MONSTER,) * 3 + (DieKind.MAIDEN,) * 3
"""The nine dice in the order in which they are rolled (D12)."""
WITH_ADVENTURE = (*STANDARD, DieKind.ADVENTURE)


class UniformEnd(Enum):
    """What happens when a roll leaves only Heroes or only Monsters (M-R9)."""

    SCORE = "score"
    BATTLE = "battle"
    BUST = "bust"


class Options(Struct, frozen=True):
    """What is chosen at the start. No `first_seat` means drawn."""

    adventure_die: bool = False
    uniform_end: UniformEnd = UniformEnd.SCORE
    chip_on_adventure: bool = True
    castle_counts_as_rescued: bool = False
    first_seat: int | None = None


DEFAULTS = Options()


class Act(Enum):
    """What can be done, but for the chip. The values are the moves' texts."""

    ROLL = "roll"
    KEEP = "keep"
    REROLL = "reroll"
    ROLL_AGAIN = "roll again"
    STOP = "stop"
    TIMEOUT = "timeout"


class UseChip(Struct, frozen=True):
    """Change a die, by its index, to another of its faces (M-R19)."""

    die: int
    face: Face


Move = Act | UseChip


class Phase(Enum):
    """What a turn waits for."""

    ROLL = "roll"
    """Its first roll. So it is once the game is over, when nobody rolls any more."""
    WINDOW = "window"
    """The chip, a re-roll, or neither."""
    DECIDE = "decide"
    """To roll again, or to stop."""


class Die(Struct, frozen=True):
    """A die as it lies: in the pool, whose dice are rolled together, or out for the rest of the turn."""

    kind: DieKind
    face: Face
    in_pool: bool = True


class Maidens(Struct, frozen=True):
    """Where the Maidens of a turn are. They are counters: two that came on one die may part."""

    rescued: int = 0
    """On the Hero card."""
    captured: int = 0
    """On the Monster card."""
    castle: int = 0
    dragon: int = 0
    """Taken by the Dragon."""


NO_MAIDENS = Maidens()


class Position(Struct, frozen=True):
    """A game at one moment.

    Whether it is over, and what is left of the supply, follow from the points and from the turn; so they can't
    contradict each other.
    """

    points: tuple[int, ...]
    chips: tuple[int, ...]
    """1 for a seat that holds a chip, else 0."""
    turn: int
    """The number of the turn, from 1. Once the game is over, of the turn that is not taken any more."""
    active_seat: int
    phase: Phase
    roll_number: int
    """How often this turn has rolled; a re-roll is part of its roll."""
    dice: tuple[Die, ...]
    """None before the first roll of the turn."""
    maidens: Maidens
    chip_used: bool
    """Whether the active seat has used its chip in this turn."""
    options: Options


class View(Struct, frozen=True):
    """What everybody sees: the whole position (M-R3), and what follows from it."""

    position: Position
    supply: int
    """The victory points that are left."""
    last_round: bool
    """Whether the supply is used up, and the round in which it was is still being played."""
