"""Monsters & Maidens to and from the wire: the only file of this game that knows generated code."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from monsters.maidens.v1 import maidens_pb2 as wire

from services.games.codec import Codec, known
from services.games.maidens import events
from services.games.maidens.events import EndCondition, Fact
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
from services.games.words import fill_audience, write_outcome
from services.kernel.game import Event
from services.kernel.refusals import Flaw, Malformed

# Each from the wire. Of an option the unspecified value is the default.
UNIFORM_ENDS = {
    wire.UNIFORM_END_UNSPECIFIED: DEFAULTS.uniform_end,
    wire.UNIFORM_END_SCORE: UniformEnd.SCORE,
    wire.UNIFORM_END_BATTLE: UniformEnd.BATTLE,
    wire.UNIFORM_END_BUST: UniformEnd.BUST,
}
PHASES = {
    wire.PHASE_ROLL: Phase.ROLL,
    wire.PHASE_WINDOW: Phase.WINDOW,
    wire.PHASE_DECIDE: Phase.DECIDE,
}
DIE_KINDS = {
    wire.DIE_KIND_HERO: DieKind.HERO,
    wire.DIE_KIND_MONSTER: DieKind.MONSTER,
    wire.DIE_KIND_MAIDEN: DieKind.MAIDEN,
    wire.DIE_KIND_ADVENTURE: DieKind.ADVENTURE,
}
FACES = {
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
ACTS = {
    "roll": Act.ROLL,
    "reroll": Act.REROLL,
    "keep": Act.KEEP,
    "roll_again": Act.ROLL_AGAIN,
    "stop": Act.STOP,
    "timeout": Act.TIMEOUT,
}

# And to the wire.
WIRE_UNIFORM_ENDS = {ours: number for number, ours in UNIFORM_ENDS.items() if number}
WIRE_PHASES = {ours: number for number, ours in PHASES.items()}
WIRE_DIE_KINDS = {ours: number for number, ours in DIE_KINDS.items()}
WIRE_FACES = {ours: number for number, ours in FACES.items()}
WIRE_ACTS = {ours: kind for kind, ours in ACTS.items()}
WIRE_CONDITIONS = {
    EndCondition.STOPPED: wire.END_CONDITION_STOPPED,
    EndCondition.ALL_MAIDENS: wire.END_CONDITION_ALL_MAIDENS,
    EndCondition.UNIFORM: wire.END_CONDITION_UNIFORM,
    EndCondition.NO_RESCUED: wire.END_CONDITION_NO_RESCUED,
}
COUNTED: Mapping[type[Fact], str] = {
    events.Started: "started",
    events.TimedOut: "timed_out",
    events.ChipLost: "chip_lost",
    events.ChipEarned: "chip_earned",
    events.Rescued: "rescued",
    events.Fought: "fought",
    events.Captured: "captured",
    events.Freed: "freed",
    events.TakenToCastle: "taken_to_castle",
    events.TakenByDragon: "taken_by_dragon",
    events.Scored: "scored",
}
"""Events that hold numbers alone, with the wire's names for them."""


def read_options(message: wire.Options, path: str = "") -> Options:
    """Options with the defaults where a field is absent. Raises Malformed for an enum value that there isn't."""
    return Options(
        message.adventure_die,
        known(UNIFORM_ENDS, message.uniform_end, f"{path}uniform_end"),
        message.chip_on_adventure if message.HasField("chip_on_adventure") else DEFAULTS.chip_on_adventure,
        message.castle_counts_as_rescued,
        message.first_seat if message.HasField("first_seat") else None,
    )


def write_options(options: Options) -> wire.Options:
    """Only what differs from the defaults."""
    message = wire.Options()
    if options == DEFAULTS:
        return message
    spelled = spell_options(options)
    for field, value in spelled.ListFields():
        if getattr(options, field.name) != getattr(DEFAULTS, field.name):
            setattr(message, field.name, value)
    return message


def spell_options(options: Options) -> wire.Options:
    """Every field; but no first seat is absence itself."""
    return wire.Options(
        adventure_die=options.adventure_die,
        uniform_end=WIRE_UNIFORM_ENDS[options.uniform_end],
        chip_on_adventure=options.chip_on_adventure,
        castle_counts_as_rescued=options.castle_counts_as_rescued,
        first_seat=options.first_seat,
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
        return wire.Move(use_chip=wire.UseChip(die=move.die, face=WIRE_FACES[move.face]))
    kind: dict[str, Any] = {WIRE_ACTS[move]: {}}
    return wire.Move(**kind)


def write_event(event: Event[Fact]) -> wire.Event:
    """An event with its audience."""
    match event.fact:
        case events.Rolled(seat, roll_number, dice):
            rolled = wire.Rolled(seat=seat, roll_number=roll_number, dice=_write_roll(dice))
            message = wire.Event(rolled=rolled)
        case events.Rerolled(seat, roll_number, dice):
            rerolled = wire.Rerolled(seat=seat, roll_number=roll_number, dice=_write_roll(dice))
            message = wire.Event(rerolled=rerolled)
        case events.ChipUsed(seat, die, before, face):
            used = wire.ChipUsed(seat=seat, die=die, before=WIRE_FACES[before], face=WIRE_FACES[face])
            message = wire.Event(chip_used=used)
        case events.TurnEnded(seat, condition):
            message = wire.Event(turn_ended=wire.TurnEnded(seat=seat, condition=WIRE_CONDITIONS[condition]))
        case events.Ended(how):
            message = wire.Event(ended=wire.Ended(outcome=write_outcome(how)))
        case counted:
            kind: dict[str, Any] = {COUNTED[type(counted)]: asdict(counted)}
            message = wire.Event(**kind)
    fill_audience(message.audience, event.audience)
    return message


def _fields(position: Position) -> dict[str, Any]:
    """What a position and a view say alike."""
    options, maidens = position.options, position.maidens
    return {
        "points": position.points,
        "chips": position.chips,
        "turn": position.turn,
        "active_seat": position.active_seat,
        "phase": WIRE_PHASES[position.phase],
        "roll_number": position.roll_number,
        "dice": [
            wire.Die(kind=WIRE_DIE_KINDS[die.kind], face=WIRE_FACES[die.face], in_pool=die.in_pool)
            for die in position.dice
        ],
        "rescued": maidens.rescued,
        "captured": maidens.captured,
        "castle": maidens.castle,
        "dragon": maidens.dragon,
        "chip_used": position.chip_used,
        "options": None if options == DEFAULTS else write_options(options),
    }


def _read_die(index: int, message: wire.Die) -> Die:
    kind = known(DIE_KINDS, message.kind, f"dice[{index}].kind")
    return Die(kind, known(FACES, message.face, f"dice[{index}].face"), message.in_pool)


def _write_roll(dice: tuple[events.RolledDie, ...]) -> list[wire.RolledDie]:
    return [
        wire.RolledDie(die=rolled.die, kind=WIRE_DIE_KINDS[rolled.kind], face=WIRE_FACES[rolled.face])
        for rolled in dice
    ]


CODEC = Codec(
    messages=wire,
    read_options=read_options,
    write_options=write_options,
    spell_options=spell_options,
    read_position=read_position,
    write_position=write_position,
    read_move=read_move,
    write_move=write_move,
    write_view=write_view,
    write_event=write_event,
)
