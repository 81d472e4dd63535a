"""A position as one line.

    turn 5; seat 1; points 12 7 9; chips 0 0 1; phase decide; rolls 2; dice hero: hero *maiden monster, monster: monster
    monster *maiden, maiden: *maiden *maiden hero; rescued 3; captured 1; chip used; options uniform_end bust

The dice by their sorts, with what they show; a star says that a die is out. Clauses after `phase` are left out where
they are 0, none or the defaults; `castle` and `dragon` stand after `captured`.
"""

from itertools import groupby

from services.games.maidens.position import (
    DEFAULTS,
    Die,
    DieKind,
    Face,
    Maidens,
    Phase,
    Position,
)
from services.kernel.notation import read_options, write_options

NEEDED = ("turn", "seat", "points", "chips", "phase")
CLAUSES = (*NEEDED, "rolls", "dice", "rescued", "captured", "castle", "dragon", "chip", "options")
OUT = "*"
USED = "used"


def write(position: Position) -> str:
    """A position's text."""
    maidens = position.maidens
    values = (
        str(position.turn),
        str(position.active_seat),
        _numbers(position.points),
        _numbers(position.chips),
        position.phase.value,
        _number(position.roll_number),
        _write_dice(position.dice),
        _number(maidens.rescued),
        _number(maidens.captured),
        _number(maidens.castle),
        _number(maidens.dragon),
        USED if position.chip_used else "",
        write_options(position.options, DEFAULTS),
    )
    said = [f"{name} {value}".rstrip() for name, value in zip(CLAUSES, values, strict=True) if value or name in NEEDED]
    return "; ".join(said)


def read(text: str) -> Position:
    """The position of a text. Raises ValueError when it can't be read."""
    pairs = [clause.strip().partition(" ")[::2] for clause in text.split(";")]
    clauses = dict(pairs)
    if [name for name in CLAUSES if name in NEEDED or name in clauses] != [name for name, _ in pairs]:
        raise ValueError(f"a position reads '{' ..; '.join(CLAUSES)} ..', not {text!r}")
    try:
        return Position(
            _read_numbers(clauses["points"]),
            _read_numbers(clauses["chips"]),
            int(clauses["turn"]),
            int(clauses["seat"]),
            Phase(clauses["phase"]),
            int(clauses.get("rolls", "0")),
            _read_dice(clauses["dice"]) if "dice" in clauses else (),
            Maidens(*(int(clauses.get(place, "0")) for place in ("rescued", "captured", "castle", "dragon"))),
            {USED: True, "": False}[clauses.get("chip", "")],
            read_options(clauses["options"], DEFAULTS) if "options" in clauses else DEFAULTS,
        )
    except (KeyError, TypeError, ValueError) as problem:
        raise ValueError(f"{text!r} can't be read: {problem}") from None


def _number(number: int) -> str:
    return str(number or "")


def _numbers(numbers: tuple[int, ...]) -> str:
    return " ".join(map(str, numbers))


def _read_numbers(text: str) -> tuple[int, ...]:
    return tuple([int(number) for number in text.split()])


def _write_dice(dice: tuple[Die, ...]) -> str:
    sorts = [(kind, list(group)) for kind, group in groupby(dice, key=lambda die: die.kind)]
    return ", ".join(
        " ".join([f"{kind.value}:", *(f"{'' if die.in_pool else OUT}{die.face.value}" for die in group)])
        for kind, group in sorts
    )


def _read_dice(text: str) -> tuple[Die, ...]:
    dice: list[Die] = []
    for sort in text.split(","):
        kind, _, faces = sort.strip().partition(":")
        dice += [Die(DieKind(kind), Face(face.removeprefix(OUT)), not face.startswith(OUT)) for face in faces.split()]
    return tuple(dice)
