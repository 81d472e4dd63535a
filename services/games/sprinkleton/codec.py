"""Sprinkleton to and from the wire: the only file of this game that knows generated code.

A position is read and written field by field: it comes from outside, and whatever means nothing here is refused. What
only goes out, views, events and options, has the names and the fields of its messages, and is written by these.
"""

from collections.abc import Mapping
from enum import Enum
from typing import Any

from monsters.sprinkleton.v1 import sprinkleton_pb2 as wire

from services.games.codec import Codec, Mirror, known
from services.games.sprinkleton.deck import CARDS, Card, Deck
from services.games.sprinkleton.moves import Act, Move, Pick
from services.games.sprinkleton.position import (
    DEFAULTS,
    Dice,
    LateTouch,
    Options,
    Part,
    Phase,
    Picked,
    Position,
    Verdict,
)
from services.games.sprinkleton.view import View
from services.kernel.refusals import Flaw, Malformed

# From the wire. Of an option the unspecified value is the default.
DECKS: Mapping[int, Deck] = {
    wire.DECK_UNSPECIFIED: DEFAULTS.deck,
    wire.DECK_OURS: Deck.OURS,
    wire.DECK_SHORT: Deck.SHORT,
}
LATE_TOUCHES: Mapping[int, LateTouch] = {
    wire.LATE_TOUCH_UNSPECIFIED: DEFAULTS.late_touch,
    wire.LATE_TOUCH_RETRY: LateTouch.RETRY,
    wire.LATE_TOUCH_SPENT: LateTouch.SPENT,
}
PARTS: Mapping[int, Part] = {
    wire.PART_ARMS: Part.ARMS,
    wire.PART_LEGS: Part.LEGS,
    wire.PART_EYES: Part.EYES,
}
VERDICTS: Mapping[int, Verdict] = {
    wire.VERDICT_CLAIMED: Verdict.CLAIMED,
    wire.VERDICT_WRONG_CARD: Verdict.WRONG_CARD,
    wire.VERDICT_WRONG_ZILCH: Verdict.WRONG_ZILCH,
    wire.VERDICT_TOO_LATE: Verdict.TOO_LATE,
    wire.VERDICT_PASSED: Verdict.PASSED,
}
ACTS = {act.value: act for act in Act}
"""Moves without anything to say, by their fields."""

# To the wire.
NUMBERS: Mapping[Enum, int] = {
    **{word: number for known in (DECKS, LATE_TOUCHES, PARTS, VERDICTS) for number, word in known.items() if number},
    Phase.ROLL: wire.PHASE_ROLL,
    Phase.SEARCH: wire.PHASE_SEARCH,
    Phase.OVER: wire.PHASE_OVER,
}
MIRROR = Mirror(wire, DEFAULTS, NUMBERS, {Card: lambda card: WIRE_CARDS[card.id]})
WIRE_CARDS: Mapping[int, wire.Card] = {card.id: wire.Card(**MIRROR.fields(card)) for card in CARDS.values()}
"""Every view shows dozens of them: each is made once."""


def read_options(message: wire.Options, path: str = "") -> Options:
    """Options with the defaults where a field is absent. Raises Malformed for an enum value that there isn't."""
    given = {
        name: getattr(message, name)
        for name in ("penalty_at_once", "round_limit_ms", "max_idle_rounds", "max_rounds", "first_seat")
        if message.HasField(name)
    }
    deck = known(DECKS, message.deck, f"{path}deck")
    return Options(deck, known(LATE_TOUCHES, message.late_touch, f"{path}late_touch"), **given)


def read_position(message: wire.Position) -> Position:
    """A position, possible or not. Raises Malformed for an enum value that there isn't."""
    dice = message.dice
    return Position(
        tuple(message.table),
        tuple(message.deck),
        tuple([tuple(pile.card_ids) for pile in message.piles]),
        message.baker_seat,
        message.round,
        message.idle_rounds,
        Dice(dice.number, known(PARTS, dice.part, "dice.part")) if message.HasField("dice") else None,
        tuple(
            [
                Picked(picked.seat, known(VERDICTS, picked.verdict, f"picks[{index}].verdict"), picked.card_id)
                for index, picked in enumerate(message.picks)
            ]
        ),
        read_options(message.options, "options.") if message.HasField("options") else DEFAULTS,
    )


def write_position(position: Position) -> wire.Position:
    """A position."""
    return wire.Position(
        table=position.table,
        deck=position.deck,
        piles=[wire.PileOrder(card_ids=pile) for pile in position.piles],
        baker_seat=position.baker_seat,
        round=position.round,
        idle_rounds=position.idle_rounds,
        dice=MIRROR.field(position.dice),
        picks=MIRROR.field(position.picks),
        options=MIRROR.chosen(position.options),
    )


def write_view(view: View) -> wire.View:
    """A view."""
    return wire.View(**MIRROR.fields(view))


def read_move(message: wire.Move) -> Move:
    """A move. Raises Malformed when none is set."""
    kind = message.WhichOneof("kind")
    if kind is None:
        raise Malformed(Flaw("kind", f"must be pick or one of {', '.join(ACTS)}"))
    return Pick(message.pick.card_id) if kind == "pick" else ACTS[kind]


def write_move(move: Move) -> wire.Move:
    """A move."""
    if isinstance(move, Pick):
        return wire.Move(pick=wire.Pick(card_id=move.card_id))
    kind: dict[str, Any] = {move.value: {}}
    return wire.Move(**kind)


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
