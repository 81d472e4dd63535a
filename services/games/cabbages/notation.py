"""A position as one line.

    turn 5; seat 1; cabbages 12 7 9; feedings 0 1 0; cup 3; gap 0; rolled feed 3 4, cup 1 2 3; options cup_start 1

The cup's dice; the seat on whose left it stands; the rolls of the turn before, each with its cause. Rolls are left
out before the first turn, and options where they are the defaults.
"""

from services.games.cabbages.position import (
    DEFAULTS,
    Cause,
    Position,
    Roll,
)
from services.kernel.notation import read_options, write_options

CLAUSES = ("turn", "seat", "cabbages", "feedings", "cup", "gap")


def write(position: Position) -> str:
    """A position's text."""
    values = (
        position.turn,
        position.active_seat,
        _numbers(position.cabbages),
        _numbers(position.feedings),
        position.cup_dice,
        position.cup_gap,
    )
    clauses = [f"{name} {value}".rstrip() for name, value in zip(CLAUSES, values, strict=True)]
    if position.last_roll:
        rolls = [f"{roll.cause.value} {_numbers(roll.dice)}".rstrip() for roll in position.last_roll]
        clauses.append("rolled " + ", ".join(rolls))
    chosen = write_options(position.options, DEFAULTS)
    if chosen:
        clauses.append(f"options {chosen}")
    return "; ".join(clauses)


def read(text: str) -> Position:
    """The position of a text. Raises ValueError when it can't be read."""
    clauses: dict[str, str] = {}
    for clause in text.split(";"):
        name, _, value = clause.strip().partition(" ")
        if name in clauses:
            raise ValueError(f"{name!r} stands there twice: {text!r}")
        clauses[name] = value
    rolled = clauses.pop("rolled", None)
    chosen = clauses.pop("options", None)
    if tuple(clauses) != CLAUSES:
        raise ValueError(f"a position reads '{' ..; '.join(CLAUSES)} ..', not {text!r}")
    try:
        return Position(
            _read_numbers(clauses["cabbages"]),
            _read_numbers(clauses["feedings"]),
            int(clauses["cup"]),
            int(clauses["gap"]),
            int(clauses["turn"]),
            int(clauses["seat"]),
            () if rolled is None else tuple([_read_roll(roll) for roll in rolled.split(",")]),
            DEFAULTS if chosen is None else read_options(chosen, DEFAULTS),
        )
    except (KeyError, ValueError) as problem:
        raise ValueError(f"{text!r} can't be read: {problem}") from None


def _numbers(numbers: tuple[int, ...]) -> str:
    return " ".join(map(str, numbers))


def _read_numbers(text: str) -> tuple[int, ...]:
    return tuple([int(number) for number in text.split()])


def _read_roll(text: str) -> Roll:
    cause, _, dice = text.strip().partition(" ")
    return Roll(Cause(cause), _read_numbers(dice))
