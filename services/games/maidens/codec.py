"""Monsters & Maidens to and from the wire: the only file of this game that knows generated code.

A position is read and written field by field: it comes from outside, and whatever means nothing here is refused. What
only goes out, views, events and options, has the names and the fields of its messages, and is written by these.
"""

from collections.abc import Mapping
from enum import Enum
from typing import Any

from monsters.maidens.v1 import maidens_pb2 as wire

from services.games.codec import Codec, Mirror, known
from services.games.maidens.events import EndCondition
from services.games.maidens.position import (
    DEFAULTS,
    Act,
    Die,
    DieKind,
    Face,
    Maidens,
    Move,
    Options,
    Phase,
    Position,
    UniformEnd,
    UseChip,
    View,
)
from services.kernel.refusals import Flaw, Malformed

# From the wire. Of an option the unspecified value is the default.
UNIFORM_ENDS: Mapping[int, UniformEnd] = {
    wire.UNIFORM_END_UNSPECIFIED: DEFAULTS.uniform_end,
    wire.UNIFORM_END_SCORE: UniformEnd.SCORE,
    wire.UNIFORM_END_BATTLE: UniformEnd.BATTLE,
    wire.UNIFORM_END_BUST: UniformEnd.BUST,
}
PHASES: Mapping[int, Phase] = {
    wire.PHASE_ROLL: Phase.ROLL,
    wire.PHASE_WINDOW: Phase.WINDOW,
    wire.PHASE_DECIDE: Phase.DECIDE,
}
DIE_KINDS: Mapping[int, DieKind] = {
    wire.DIE_KIND_HERO: DieKind.HERO,
    wire.DIE_KIND_MONSTER: DieKind.MONSTER,
    wire.DIE_KIND_MAIDEN: DieKind.MAIDEN,
    wire.DIE_KIND_ADVENTURE: DieKind.ADVENTURE,
}
FACES: Mapping[int, Face] = {
    wire.FACE_HERO: Face.HERO,
    wire.FACE_MONSTER: Face.MONSTER,
    wire.FACE_MAIDEN: Face.MAIDEN,
    wire.FACE_TWO_MAIDENS: Face.TWO_MAIDENS,
    wire.FACE_TWO_HEROES: Face.TWO_HEROES,
    wire.FACE_TWO_MONSTERS: Face.TWO_MONSTERS,
    wire.FACE_KING: Face.KING,
    wire.FACE_DRAGON: Face.DRAGON,
    wire.FACE_REROLL: Face.REROLL,
}
ACTS = {act.value.replace(" ", "_"): act for act in Act}
"""Moves without anything to say, by their fields."""

# To the wire.
NUMBERS: Mapping[Enum, int] = {
    **{word: number for known in (UNIFORM_ENDS, PHASES, DIE_KINDS, FACES) for number, word in known.items() if number},
    EndCondition.STOPPED: wire.END_CONDITION_STOPPED,
    EndCondition.ALL_MAIDENS: wire.END_CONDITION_ALL_MAIDENS,
    EndCondition.UNIFORM: wire.END_CONDITION_UNIFORM,
    EndCondition.NO_RESCUED: wire.END_CONDITION_NO_RESCUED,
}
MIRROR = Mirror(wire, DEFAULTS, NUMBERS)


def read_options(message: wire.Options, path: str = "") -> Options:
    """Options with the defaults where a field is absent. Raises Malformed for an enum value that there isn't."""
    return Options(
        message.adventure_die,
        known(UNIFORM_ENDS, message.uniform_end, f"{path}uniform_end"),
        message.chip_on_adventure if message.HasField("chip_on_adventure") else DEFAULTS.chip_on_adventure,
        message.castle_counts_as_rescued,
        message.first_seat if message.HasField("first_seat") else None,
    )


def read_position(message: wire.Position) -> Position:
    """A position, possible or not. Raises Malformed for an enum value that there isn't."""
    return Position(
        tuple(message.points),
        tuple(message.chips),
        message.turn,
        message.active_seat,
        known(PHASES, message.phase, "phase"),
        message.roll_number,
        tuple([_read_die(index, die) for index, die in enumerate(message.dice)]),
        Maidens(message.rescued, message.captured, message.castle, message.dragon),
        message.chip_used,
        read_options(message.options, "options.") if message.HasField("options") else DEFAULTS,
    )


def write_position(position: Position) -> wire.Position:
    """A position."""
    return wire.Position(**_fields(position))


def write_view(view: View) -> wire.View:
    """A view: all that there is (M-R3)."""
    return wire.View(**_fields(view.position), supply=view.supply, last_round=view.last_round)


def read_move(message: wire.Move) -> Move:
    """A move. Raises Malformed when none is set, or for a face that there isn't."""
    kind = message.WhichOneof("kind")
    if kind is None:
        raise Malformed(Flaw("kind", f"must be use_chip or one of {', '.join(ACTS)}"))
    if kind == "use_chip":
        return UseChip(message.use_chip.die, known(FACES, message.use_chip.face, "use_chip.face"))
    return ACTS[kind]


def write_move(move: Move) -> wire.Move:
    """A move."""
    if isinstance(move, UseChip):
        return wire.Move(use_chip=MIRROR.field(move))
    kind: dict[str, Any] = {move.value.replace(" ", "_"): {}}
    return wire.Move(**kind)


def _fields(position: Position) -> dict[str, Any]:
    """What a position and a view say alike."""
    maidens = position.maidens
    return {
        "points": position.points,
        "chips": position.chips,
        "turn": position.turn,
        "active_seat": position.active_seat,
        "phase": NUMBERS[position.phase],
        "roll_number": position.roll_number,
        "dice": [
            {"kind": NUMBERS[die.kind], "face": NUMBERS[die.face], "in_pool": die.in_pool} for die in position.dice
        ],
        "rescued": maidens.rescued,
        "captured": maidens.captured,
        "castle": maidens.castle,
        "dragon": maidens.dragon,
        "chip_used": position.chip_used,
        "options": MIRROR.chosen(position.options),
    }


def _read_die(index: int, message: wire.Die) -> Die:
    kind = known(DIE_KINDS, message.kind, f"dice[{index}].kind")
    return Die(kind, known(FACES, message.face, f"dice[{index}].face"), message.in_pool)


CODEC = Codec(
    messages=wire,
    read_options=read_options,
    write_options=MIRROR.options,
    spell_options=MIRROR.spelled,
    read_position=read_position,
    write_position=write_position,
    read_move=read_move,
    write_move=write_move,
    write_view=write_view,
    write_event=MIRROR.event,
)
