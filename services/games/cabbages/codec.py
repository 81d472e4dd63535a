"""Monster in the Cabbages to and from the wire: the only file of this game that knows generated code."""

from typing import TypeVar

from monsters.cabbages.v1 import cabbages_pb2 as wire

from services.games.cabbages import events
from services.games.cabbages.events import Fact
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
from services.games.codec import Codec, known
from services.games.words import fill_audience, write_outcome
from services.kernel.game import Event
from services.kernel.refusals import Flaw, Malformed

Message = TypeVar("Message", wire.Position, wire.View)

# Each from the wire. Of an option the unspecified value is the default.
CUP_MOVES = {
    wire.CUP_MOVE_UNSPECIFIED: DEFAULTS.cup_move,
    wire.CUP_MOVE_RIGHT: CupMove.RIGHT,
    wire.CUP_MOVE_STAY: CupMove.STAY,
}
EMPTY_FEEDS = {
    wire.EMPTY_FEED_UNSPECIFIED: DEFAULTS.empty_feed,
    wire.EMPTY_FEED_FORBID: EmptyFeed.FORBID,
    wire.EMPTY_FEED_FREE: EmptyFeed.FREE,
}
MULTI_SETS = {
    wire.MULTI_SET_UNSPECIFIED: DEFAULTS.multi_set,
    wire.MULTI_SET_BIG_HIGH: MultiSet.BIG_HIGH,
    wire.MULTI_SET_BIG_LOW: MultiSet.BIG_LOW,
}
CAUSES = {
    wire.CAUSE_HARVEST: Cause.HARVEST,
    wire.CAUSE_FEED: Cause.FEED,
    wire.CAUSE_CUP: Cause.CUP,
}
MOVES = {"harvest": Move.HARVEST, "feed": Move.FEED, "timeout": Move.TIMEOUT}

# And to the wire.
WIRE_CUP_MOVES = {ours: number for number, ours in CUP_MOVES.items() if number}
WIRE_EMPTY_FEEDS = {ours: number for number, ours in EMPTY_FEEDS.items() if number}
WIRE_MULTI_SETS = {ours: number for number, ours in MULTI_SETS.items() if number}
WIRE_CAUSES = {ours: number for number, ours in CAUSES.items()}


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
        cup_start=options.cup_start,
        cup_max=options.cup_max,
        cup_move=WIRE_CUP_MOVES[options.cup_move],
        empty_feed=WIRE_EMPTY_FEEDS[options.empty_feed],
        hungry_first=options.hungry_first,
        multi_set=WIRE_MULTI_SETS[options.multi_set],
        max_turns=options.max_turns,
        first_seat=options.first_seat,
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
    return _fill(wire.Position(), position)


def write_view(view: View) -> wire.View:
    """A view: all that there is (C-R24)."""
    return _fill(wire.View(), view)


def read_move(message: wire.Move) -> Move:
    """A move. Raises Malformed when none is set."""
    kind = message.WhichOneof("kind")
    if kind is None:
        raise Malformed(Flaw("kind", f"must be one of {', '.join(MOVES)}"))
    return MOVES[kind]


def write_move(move: Move) -> wire.Move:
    """A move."""
    if move is Move.HARVEST:
        return wire.Move(harvest=wire.Harvest())
    if move is Move.FEED:
        return wire.Move(feed=wire.Feed())
    return wire.Move(timeout=wire.Timeout())


def write_event(event: Event[Fact]) -> wire.Event:
    """An event with its audience."""
    message = wire.Event()
    match event.fact:
        case events.Started(first_seat):
            message.started.first_seat = first_seat
        case events.TimedOut(seat):
            message.timed_out.seat = seat
        case events.Harvested(seat, dice, cabbages):
            message.harvested.seat, message.harvested.cabbages = seat, cabbages
            message.harvested.dice.extend(dice)
        case events.DieRemoved(cup_dice):
            message.die_removed.cup_dice = cup_dice
        case events.Fed(seat, feedings):
            message.fed.seat, message.fed.feedings = seat, feedings
        case events.MonsterRoll(cause, dice):
            message.monster_roll.cause = WIRE_CAUSES[cause]
            message.monster_roll.dice.extend(dice)
        case events.DieAdded(cup_dice):
            message.die_added.cup_dice = cup_dice
        case events.CupMoved(cup_gap):
            message.cup_moved.cup_gap = cup_gap
        case events.Ended(how):
            message.ended.outcome.CopyFrom(write_outcome(how))
    fill_audience(message.audience, event.audience)
    return message


def _fill(message: Message, position: Position) -> Message:
    """Write what a position and a view say alike."""
    message.cabbages.extend(position.cabbages)
    message.feedings.extend(position.feedings)
    message.cup_dice, message.cup_gap = position.cup_dice, position.cup_gap
    message.turn, message.active_seat = position.turn, position.active_seat
    for roll in position.last_roll:
        message.last_roll.add(cause=WIRE_CAUSES[roll.cause], dice=roll.dice)
    if position.options is not DEFAULTS and position.options != DEFAULTS:
        message.options.CopyFrom(write_options(position.options))
    return message


def _read_roll(index: int, message: wire.Roll) -> Roll:
    return Roll(known(CAUSES, message.cause, f"last_roll[{index}].cause"), tuple(message.dice))


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
