"""Deliberate leaks in the rules of any game that hides something, each to be switched on by itself.

A mutant is a context: it gives the game as it leaks, and whatever it has patched is whole again afterwards.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from functools import wraps
from typing import Any
from unittest.mock import patch
from zlib import crc32

from google.protobuf.any_pb2 import Any as AnyMessage
from monsters.session.v1.session_pb2 import Update as UpdateMessage
from msgspec.structs import replace

from services.games import Entry
from services.kernel.audience import EVERYBODY
from services.kernel.game import AnyGame
from services.kernel.refusals import IllegalMove, Refusal
from services.rules import handler, words
from services.rules.handler import RulesHandler
from services.session.domain.callers import Caller
from services.session.wire.updates import Updates
from tests.support.canary import rules
from tests.support.canary.position import Draw, Timeout

Mutant = Callable[[Entry], AbstractContextManager[Entry]]


def tells(position: object) -> bool:
    """One bit of everything that is hidden."""
    return crc32(repr(position).encode()) % 2 == 1


def _of_the_game(change: Callable[[AnyGame], AnyGame]) -> Mutant:
    """A mutant that is a change of a game's own functions."""

    @wraps(change)
    @contextmanager
    def mutant(entry: Entry) -> Iterator[Entry]:
        yield replace(entry, game=change(entry.game))

    return mutant


@_of_the_game
def a_view_is_another_seats(game: AnyGame) -> AnyGame:
    """Whoever looks sees what the next seat sees; a spectator what the first seat does."""

    def view(position: Any, seat: int | None) -> Any:
        return game.view(position, 0 if seat is None else (seat + 1) % game.seat_count(position))

    return replace(game, view=view)


@_of_the_game
def moves_come_in_an_order_that_tells(game: AnyGame) -> AnyGame:
    """A seat with several moves has them backwards."""

    def moves(position: Any, seat: int | None) -> Any:
        listed = tuple(game.moves(position, seat))
        return listed[::-1] if tells(position) else listed

    return replace(game, moves=moves)


def _refusing(game: AnyGame, change: Callable[[Any, Refusal], Refusal]) -> AnyGame:
    """A game that refuses in other words, both where it is asked and where it plays."""

    def refuse(position: Any, seat: int | None, move: Any) -> Any:
        refusal = game.refuse(position, seat, move)
        return refusal and change(position, refusal)

    def play(position: Any, seat: int | None, move: Any, dice: Any) -> Any:
        if refusal := refuse(position, seat, move):
            raise IllegalMove(refusal)
        return game.play(position, seat, move, dice)

    return replace(game, refuse=refuse, play=play)


@_of_the_game
def a_refusal_names_what_is_hidden(game: AnyGame) -> AnyGame:
    """The sentence says more than the view."""
    return _refusing(
        game, lambda position, refusal: replace(refusal, message=f"{refusal.message} {game.write(position)}")
    )


@_of_the_game
def a_refusal_has_a_reason_that_tells(game: AnyGame) -> AnyGame:
    """What is tested first depends on what is hidden."""
    return _refusing(
        game, lambda position, refusal: replace(refusal, reason="NOT_YOUR_TURN") if tells(position) else refusal
    )


@_of_the_game
def events_come_in_an_order_that_tells(game: AnyGame) -> AnyGame:
    """What happened is told backwards."""

    def play(*arguments: Any) -> Any:
        played = game.play(*arguments)
        return replace(played, events=played.events[::-1]) if tells(played.position) else played

    return replace(game, play=play)


@_of_the_game
def resampling_changes_nothing(game: AnyGame) -> AnyGame:
    """The same position again, which proves nothing."""
    return replace(game, resample=lambda position, _seat, _dice: position)


@contextmanager
def an_event_is_for_everybody(entry: Entry) -> Iterator[Entry]:
    """What only some may know is told to all."""

    def write_event(event: Any) -> Any:
        return entry.codec.write_event(replace(event, audience=EVERYBODY))

    yield replace(entry, codec=replace(entry.codec, write_event=write_event))


@contextmanager
def a_draw_is_for_everybody(entry: Entry) -> Iterator[Entry]:
    """The receipt of a shuffle or a roll is told to all."""

    def leaky(draws: Any) -> Any:
        return words.write_draws([replace(draw, audience=EVERYBODY) for draw in draws])

    with patch.object(handler, "write_draws", leaky):
        yield entry


@contextmanager
def views_are_remembered_for_everybody(entry: Entry) -> Iterator[Entry]:
    """The handler makes one view of a position, and gives it to whoever comes next."""
    view, known = RulesHandler._view, dict[Any, Any]()

    def leaky(self: RulesHandler, position: Any, seat: int | None) -> Any:
        return known.setdefault(position, view(self, position, seat))

    with patch.object(RulesHandler, "_view", leaky):
        yield entry


@contextmanager
def the_session_tells_every_event(entry: Entry) -> Iterator[Entry]:
    """The session passes events on without looking at their audience."""
    with _telling("events", lambda record: [_pack(entry, event) for event in record.step.events]):
        yield entry


@contextmanager
def the_session_tells_every_draw(entry: Entry) -> Iterator[Entry]:
    """The session passes draws on without looking at their audience."""
    with _telling("draws", lambda record: record.step.draws):
        yield entry


def _pack(entry: Entry, event: bytes) -> Any:
    packed = AnyMessage()
    packed.Pack(entry.codec.messages.Event.FromString(event))
    return packed


@contextmanager
def _telling(field: str, everything: Callable[[Any], Any]) -> Iterator[None]:
    """Put all that there is into one field of every update."""
    write = Updates.write

    def leaky(self: Updates, caller: Any, view: Any = None) -> bytes:
        update = UpdateMessage.FromString(write(self, caller, view))
        update.ClearField(field)
        getattr(update, field).extend(everything(self.record))
        return update.SerializeToString()

    with patch.object(Updates, "write", leaky):
        yield


@contextmanager
def spectators_know_everything(entry: Entry) -> Iterator[Entry]:
    """Who has no seat is in every audience."""
    may_know = Caller.may_know
    with patch.object(Caller, "may_know", lambda self, audience: self.seat is None or may_know(self, audience)):
        yield entry


OF_EVERY_GAME: Mapping[Mutant, str] = {
    a_view_is_another_seats: "views",
    views_are_remembered_for_everybody: "views",
    moves_come_in_an_order_that_tells: "something",
    a_refusal_names_what_is_hidden: "something",
    a_refusal_has_a_reason_that_tells: "something",
    events_come_in_an_order_that_tells: "something",
    an_event_is_for_everybody: "events",
    the_session_tells_every_event: "events",
    a_draw_is_for_everybody: "draws",
    the_session_tells_every_draw: "draws",
    spectators_know_everything: "draws",
}
"""With what a game must have so that this is a leak of it."""


@_of_the_game
def a_refusal_says_who_holds_a_card(game: AnyGame) -> AnyGame:
    """Of the canary: that a card is in somebody else's hand is tested before whose turn it is."""

    def refuse(position: Any, seat: int | None, move: Any) -> Any:
        if not isinstance(move, Draw | Timeout):
            others = {card.text for each, hand in enumerate(position.hands) if each != seat for card in hand}
            if move.card in others:
                return rules.NOT_IN_HAND
        return game.refuse(position, seat, move)

    return replace(game, refuse=refuse)


@_of_the_game
def an_event_tells_a_card_that_was_played_face_down(game: AnyGame) -> AnyGame:
    """Of the canary: both events of one happening have the card in them."""

    def play(*arguments: Any) -> Any:
        played = game.play(*arguments)
        fact = played.events[0].fact
        events = [replace(event, fact=fact) if type(event.fact) is type(fact) else event for event in played.events]
        return replace(played, events=tuple(events))

    return replace(game, play=play)


@_of_the_game
def the_view_is_open_at_the_end(game: AnyGame) -> AnyGame:
    """Of the canary: all hands are shown when the game is over, though its rules don't say so."""

    def view(position: Any, seat: int | None) -> Any:
        return game.view(position, seat) if position.turns else position

    return replace(game, view=view)


@_of_the_game
def resampling_leaves_the_bottom_as_it_is(game: AnyGame) -> AnyGame:
    """Of the canary: one of the hidden cards is never dealt anew."""

    def resample(position: Any, *others: Any) -> Any:
        return replace(game.resample(position, *others), bottom=position.bottom)

    return replace(game, resample=resample)


OF_THE_CANARY: tuple[Mutant, ...] = (
    a_refusal_says_who_holds_a_card,
    an_event_tells_a_card_that_was_played_face_down,
    the_view_is_open_at_the_end,
)
OF_RESAMPLING: tuple[Mutant, ...] = (resampling_changes_nothing, resampling_leaves_the_bottom_as_it_is)
