"""The canary game to and from its messages."""

from typing import Any

from services.games.codec import Codec
from services.games.words import fill_audience, write_outcome
from services.kernel.audience import Audience
from services.kernel.game import Event
from services.kernel.refusals import Flaw, Malformed
from tests.support.canary.position import (
    DEFAULTS,
    Card,
    Draw,
    Drawn,
    Ended,
    Fact,
    Move,
    Opened,
    Options,
    Play,
    PlayedDown,
    Position,
    Show,
    Shown,
    Timeout,
    View,
)
from tests.support.canary.proto import canary_pb2

wire: Any = canary_pb2


def read_options(message: Any) -> Options:
    """Options with the default where the field is absent."""
    return Options(message.turns) if message.HasField("turns") else DEFAULTS


def spell_options(options: Options) -> Any:
    """Every field."""
    return wire.Options(turns=options.turns)


def write_options(options: Options) -> Any:
    """Only what differs from the default."""
    return wire.Options() if options == DEFAULTS else spell_options(options)


def read_position(message: Any) -> Position:
    """A position, possible or not."""
    hands = tuple(tuple(map(_read_card, hand.cards)) for hand in message.hands)
    pile, bottom = tuple(map(_read_card, message.pile)), _read_card(message.bottom)
    return Position(hands, pile, bottom, message.active_seat, message.turns, read_options(message.options))


def write_position(position: Position) -> Any:
    """A position."""
    return wire.Position(**_fields(position))


def write_view(view: View) -> Any:
    """A view."""
    return wire.View(**_fields(view))


def read_move(message: Any) -> Move:
    """A move. Raises Malformed when none is set."""
    match message.WhichOneof("kind"):
        case "draw":
            return Draw()
        case "play":
            return Play(message.play.card)
        case "show":
            return Show(message.show.card, message.show.seat)
        case "timeout":
            return Timeout()
        case _:
            raise Malformed(Flaw("kind", "must be draw, play, show or timeout"))


def write_move(move: Move) -> Any:
    """A move."""
    match move:
        case Draw():
            return wire.Move(draw=wire.Draw())
        case Play(card):
            return wire.Move(play=wire.Play(card=card))
        case Show(card, seat):
            return wire.Move(show=wire.Show(card=card, seat=seat))
        case Timeout():
            return wire.Move(timeout=wire.Timeout())


def write_event(event: Event[Fact]) -> Any:
    """An event with its audience."""
    message = wire.Event()
    fill_audience(message.audience, event.audience)
    match event.fact:
        case Drawn(seat, card):
            message.drawn.CopyFrom(wire.Drawn(seat=seat, card=card))
        case PlayedDown(seat, card):
            message.played.CopyFrom(wire.Played(seat=seat, card=card))
        case Shown(seat, to, card):
            message.shown.CopyFrom(wire.Shown(seat=seat, to=to, card=card))
        case Opened(card):
            message.opened.card = card
        case Ended(how):
            message.ended.outcome.CopyFrom(write_outcome(how))
    return message


def _fields(position: Position) -> dict[str, Any]:
    """What a position and a view have alike."""
    return {
        "hands": [wire.Hand(cards=map(_write_card, hand)) for hand in position.hands],
        "pile": map(_write_card, position.pile),
        "bottom": _write_card(position.bottom),
        "active_seat": position.active_seat,
        "turns": position.turns,
        "options": write_options(position.options),
    }


def _read_card(message: Any) -> Card:
    known = message.known
    return Card(message.text, Audience(known.everybody, tuple(known.seats), known.spectators))


def _write_card(card: Card) -> Any:
    message = wire.Card(text=card.text)
    fill_audience(message.known, card.known)
    return message


CODEC = Codec(
    messages=canary_pb2,
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
