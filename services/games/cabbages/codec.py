"""Monster in the Cabbages to and from the wire: the only file of this game that knows generated code.

A position is read and written field by field: it comes from outside, and whatever means nothing here is refused. What
only goes out, views, events and options, has the names and the fields of its messages, and is written by these.
"""

from collections.abc import Mapping
from enum import Enum
from typing import Any

from monsters.cabbages.v1 import cabbages_pb2 as wire

from services.games.cabbages.position import (
    DEFAULTS,
    Cause,
    CupMove,
    EmptyFeed,
    Move,
    MultiSet,
    Options,
    Position,
    Roll,
    View,
)
from services.games.codec import Codec, Mirror, known
from services.kernel.refusals import Flaw, Malformed

# From the wire. Of an option the unspecified value is the default.
CUP_MOVES: Mapping[int, CupMove] = {
    wire.CUP_MOVE_UNSPECIFIED: DEFAULTS.cup_move,
    wire.CUP_MOVE_RIGHT: CupMove.RIGHT,
    wire.CUP_MOVE_STAY: CupMove.STAY,
}
EMPTY_FEEDS: Mapping[int, EmptyFeed] = {
    wire.EMPTY_FEED_UNSPECIFIED: DEFAULTS.empty_feed,
    wire.EMPTY_FEED_FORBID: EmptyFeed.FORBID,
    wire.EMPTY_FEED_FREE: EmptyFeed.FREE,
}
MULTI_SETS: Mapping[int, MultiSet] = {
    wire.MULTI_SET_UNSPECIFIED: DEFAULTS.multi_set,
    wire.MULTI_SET_BIG_HIGH: MultiSet.BIG_HIGH,
    wire.MULTI_SET_BIG_LOW: MultiSet.BIG_LOW,
}
CAUSES: Mapping[int, Cause] = {
    wire.CAUSE_HARVEST: Cause.HARVEST,
    wire.CAUSE_FEED: Cause.FEED,
    wire.CAUSE_CUP: Cause.CUP,
}
MOVES = {move.value: move for move in Move}
"""By their fields."""

# To the wire.
NUMBERS: Mapping[Enum, int] = {
    word: number for known in (CUP_MOVES, EMPTY_FEEDS, MULTI_SETS, CAUSES) for number, word in known.items() if number
}
MIRROR = Mirror(wire, DEFAULTS, NUMBERS)


def read_options(message: wire.Options, path: str = "") -> Options:
    """Options with the defaults where a field is absent. Raises Malformed for an enum value that there isn't."""
    return Options(
        message.cup_start,
        message.cup_max,
        known(CUP_MOVES, message.cup_move, f"{path}cup_move"),
        known(EMPTY_FEEDS, message.empty_feed, f"{path}empty_feed"),
        message.hungry_first if message.HasField("hungry_first") else DEFAULTS.hungry_first,
        known(MULTI_SETS, message.multi_set, f"{path}multi_set"),
        message.max_turns if message.HasField("max_turns") else DEFAULTS.max_turns,
        message.first_seat if message.HasField("first_seat") else None,
    )


def read_position(message: wire.Position) -> Position:
    """A position, possible or not. Raises Malformed for an enum value that there isn't."""
    return Position(
        tuple(message.cabbages),
        tuple(message.feedings),
        message.cup_dice,
        message.cup_gap,
        message.turn,
        message.active_seat,
        tuple([_read_roll(index, roll) for index, roll in enumerate(message.last_roll)]),
        read_options(message.options, "options.") if message.HasField("options") else DEFAULTS,
    )


def write_position(position: Position) -> wire.Position:
    """A position."""
    return wire.Position(**_fields(position))


def write_view(view: View) -> wire.View:
    """A view: all that there is in the position (C-R24)."""
    return wire.View(**_fields(view))


def read_move(message: wire.Move) -> Move:
    """A move. Raises Malformed when none is set."""
    kind = message.WhichOneof("kind")
    if kind is None:
        raise Malformed(Flaw("kind", f"must be one of {', '.join(MOVES)}"))
    return MOVES[kind]


def write_move(move: Move) -> wire.Move:
    """A move."""
    kind: dict[str, Any] = {move.value: {}}
    return wire.Move(**kind)


def _fields(position: Position) -> dict[str, Any]:
    """What a position and a view say alike."""
    return {
        "cabbages": position.cabbages,
        "feedings": position.feedings,
        "cup_dice": position.cup_dice,
        "cup_gap": position.cup_gap,
        "turn": position.turn,
        "active_seat": position.active_seat,
        "last_roll": [{"cause": NUMBERS[roll.cause], "dice": roll.dice} for roll in position.last_roll],
        "options": MIRROR.chosen(position.options),
    }


def _read_roll(index: int, message: wire.Roll) -> Roll:
    return Roll(known(CAUSES, message.cause, f"last_roll[{index}].cause"), tuple(message.dice))


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
