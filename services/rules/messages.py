"""A game's own messages, in requests and in answers: bytes there, the game's own values here.

What comes in may be nonsense: it is checked, and every flaw is named. A position that was just made or checked is
remembered by its bytes, so that a game that goes on is not parsed anew at every move.
"""

from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any

from google.protobuf.message import DecodeError, Message
from monsters.rules.v1 import opaque_pb2 as opaque

from services.games import Entry
from services.kernel.refusals import Flaw, ImpossiblePosition, Malformed
from services.rules.bounds import (
    LEAST_BYTES,
    MOST_MOVE,
    MOST_MOVE_TEXT,
    MOST_OPTIONS,
    MOST_POSITION,
    MOST_TEXT,
    check_elements,
    check_size,
)
from services.rules.memory import Known, Memory

MOST_MOVES = 1024
"""Moves that are kept encoded: a game has few, and offers them again and again."""
MOST_EVENTS = 4096
"""Events that are kept encoded: most of what happens in a game has happened before, or in another."""


class Messages:
    """One game's messages. What reads raises Malformed and ImpossiblePosition, with field paths within the request."""

    def __init__(self, entry: Entry) -> None:
        self._game = entry.game
        self._codec = entry.codec
        self._types = entry.codec.messages
        self._positions = Memory()
        self._latest: tuple[Any, bytes] = None, b""
        """The view that was encoded last."""
        self.write_move = lru_cache(MOST_MOVES)(self._write_move)
        self._event = lru_cache(MOST_EVENTS)(self._write_event)

    def read_options(self, raw: bytes, seats: int) -> Any:
        """The options, fit for so many seats."""
        allowed = self._game.seats
        if seats not in allowed:
            raise Malformed(Flaw("seats", f"must be {allowed[0]} to {allowed[-1]}, is {seats}"))
        options = _read(self._types.Options, self._codec.read_options, raw, "options", MOST_OPTIONS)
        if flaws := self._game.flaws(options, seats):
            raise Malformed(*(Flaw(f"options.{flaw.field}", flaw.description) for flaw in flaws))
        return options

    def write_options(self, options: Any) -> bytes:
        """Only what differs from the defaults, whatever they were read from."""
        raw: bytes = self._codec.write_options(options).SerializeToString(deterministic=True)
        return raw

    def spell_options(self, options: Any) -> bytes:
        """Every field."""
        raw: bytes = self._codec.spell_options(options).SerializeToString()
        return raw

    def read_position(self, raw: bytes) -> Known:
        """The position, and how many seats it has."""
        if (known := self._positions.get(raw)) is None:
            position = _read(self._types.Position, self._codec.read_position, raw, "position", MOST_POSITION)
            if flaws := self._game.check(position):
                raise ImpossiblePosition([Flaw(f"position.{flaw.field}", flaw.description) for flaw in flaws])
            known = self._positions.put(raw, (position, self._game.seat_count(position)))
        return known

    def write_position(self, position: Any) -> bytes:
        """A position that is possible."""
        raw = self._encode(position)
        self._positions.put(raw, (position, self._game.seat_count(position)))
        return raw

    def parse_position(self, text: str) -> bytes:
        """The position of a line of text, encoded and then checked as if it had come in like that."""
        check_size(len(text.encode()), MOST_TEXT, "position_text")
        try:
            raw = self._encode(self._game.read(text))
        except ValueError as error:  # also of a number for which the message has no room
            raise Malformed(Flaw("position_text", str(error))) from None
        try:
            self.read_position(raw)
        except Malformed as error:
            raise Malformed(*_within("position_text", error.flaws)) from None
        except ImpossiblePosition as error:
            raise ImpossiblePosition(_within("position_text", error.flaws)) from None
        return raw

    def read_move(self, raw: bytes, text: str) -> Any:
        """The move that is given, or the move of the text that stands instead of it."""
        if text:
            if raw:
                raise Malformed(Flaw("move_text", "stands instead of a move, not beside one"))
            check_size(len(text.encode()), MOST_MOVE_TEXT, "move_text")
            try:
                return self._game.read_move(text)
            except ValueError as error:
                raise Malformed(Flaw("move_text", str(error))) from None
        if not raw:
            raise Malformed(Flaw("move", "is required, or its text in move_text"))
        return _read(self._types.Move, self._codec.read_move, raw, "move", MOST_MOVE)

    def write_view(self, view: Any) -> bytes:
        """Where nothing is hidden, all seats have the very same view: it is encoded once."""
        if view is not self._latest[0]:
            self._latest = view, self._codec.write_view(view).SerializeToString()
        return self._latest[1]

    def write_events(self, events: Iterable[Any]) -> list[bytes]:
        """Events with their audiences and their sentences, in order."""
        return [self._event(event) for event in events]

    def _write_event(self, event: Any) -> bytes:
        message = self._codec.write_event(event)
        message.text = self._game.tell(event.fact)
        raw: bytes = message.SerializeToString()
        return raw

    def _write_move(self, move: Any) -> opaque.LegalMove:
        raw = self._codec.write_move(move).SerializeToString()
        return opaque.LegalMove(move=raw, text=self._game.write_move(move))

    def _encode(self, position: Any) -> bytes:
        raw: bytes = self._codec.write_position(position).SerializeToString(deterministic=True)
        return raw


def _read(message_type: type[Message], read: Callable[[Any], Any], raw: bytes, path: str, most: int) -> Any:
    """One of the game's own messages as the game's own value. Raises Malformed with paths within the request."""
    check_size(len(raw), most, path)
    try:
        message = message_type.FromString(raw)
    except DecodeError:
        raise Malformed(Flaw(path, f"the bytes are not a {message_type.DESCRIPTOR.full_name}")) from None
    if len(raw) > LEAST_BYTES:
        check_elements(message, path)
    try:
        return read(message)
    except Malformed as error:
        raise Malformed(*(Flaw(f"{path}.{flaw.field}", flaw.description) for flaw in error.flaws)) from None


def _within(path: str, flaws: Iterable[Flaw]) -> list[Flaw]:
    """The flaws of something that was made of this field."""
    return [Flaw(path, str(flaw)) for flaw in flaws]
