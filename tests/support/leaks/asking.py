"""A game asked as the session service asks it: opaque bytes through its handler, and the session's own writing.

So what is compared is what goes out, byte for byte, and not what a game thinks that it says.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from google.protobuf.message import Message
from monsters.rules.v1 import opaque_pb2 as opaque
from monsters.rules.v1 import rules_pb2 as words

from services.games import Entry
from services.kernel.standing import Seat as SeatNumber
from services.rules.handler import RulesHandler
from services.runtime.failure import Failure
from services.runtime.status import to_status
from services.session.domain.callers import SPECTATOR, Caller
from services.session.domain.session import Record, Seat, Session, State, Step
from services.session.usecases.reading import Snapshot
from services.session.wire import messages as wire
from services.session.wire.updates import Updates
from tests.support.leaks.fields import differences

Reader = SeatNumber | None
"""Who looks: a seat, or a spectator."""


@dataclass(frozen=True, slots=True)
class Told:
    """What one revision was for one reader."""

    view: bytes
    update: bytes
    """All that the session sends, the view included."""
    position: bytes
    """The truth, of which the reader is told nothing."""


class Rules:
    """One game for so many seats, through its handler."""

    def __init__(self, entry: Entry, seats: int) -> None:
        self.entry = entry
        self.game = entry.game
        self.readers: tuple[Reader, ...] = (None, *range(seats))
        self._seats = tuple(Seat(f"Seat {number}", 1) for number in range(seats))
        self._handler = RulesHandler(entry)

    def pack(self, position: object) -> bytes:
        """A position as its bytes."""
        return _raw(self.entry.codec.write_position(position))

    def unpack(self, raw: bytes) -> Any:
        """The position of these bytes."""
        return self.entry.codec.read_position(self.entry.codec.messages.Position.FromString(raw))

    def write(self, raw: bytes) -> str:
        """A position as its line."""
        return self.game.write(self.unpack(raw))

    def differences(self, one: bytes, other: bytes) -> set[str]:
        """The fields in which two positions differ."""
        return differences(self.entry.codec.messages.Position, one, other)

    def say(self, reader: Reader) -> str:
        """A reader in words."""
        return f"{self.game.token}: {'a spectator' if reader is None else f'seat {reader}'}"

    def moves(self, raw: bytes, actor: Reader) -> Sequence[Any]:
        """What a seat, or the host, can do."""
        return self.game.moves(self.unpack(raw), actor)

    def look(self, raw: bytes, reader: Reader) -> Mapping[str, bytes]:
        """All that a reader is shown of a position without asking for anything in particular."""
        seen = self._handler.view_position(opaque.ViewPositionRequest(position=raw, seat=reader))
        record = Record(1, None, Step(position=raw, standing=seen.standing), 0)
        session = self._session(record)
        moves = self._handler.enumerate_moves(opaque.EnumerateMovesRequest(position=raw, seat=reader))
        return {
            "view": seen.view.view,
            "snapshot": _raw(wire.write_snapshot(Snapshot(session, _caller(reader), record, seen.view), 0)),
            "session": _raw(wire.write_session(session)),
            "moves": _raw(moves),
            "suggestion": self._suggestion(raw, reader) if reader is not None and moves.moves else b"",
        }

    def _suggestion(self, raw: bytes, seat: SeatNumber) -> bytes:
        """What a stand-in would do, with equal chance."""
        chance = words.Chance(seed=bytes(32))
        return _raw(self._handler.suggest_move(opaque.SuggestMoveRequest(position=raw, seat=seat, chance=chance)))

    def judge(self, raw: bytes, actor: Reader, move: object) -> Mapping[str, bytes]:
        """Every answer to a move that somebody thinks of: whether it is legal, and the error of playing it."""
        packed, text = _raw(self.entry.codec.write_move(move)), self.game.write_move(move)
        return {
            "legal": _answer(self._handler.validate_move, position=raw, seat=actor, move=packed),
            "legal as a text": self.judge_text(raw, actor, text),
            "error": self.error(raw, actor, packed),
        }

    def judge_text(self, raw: bytes, actor: Reader, text: str) -> bytes:
        """The answer to a text, a move's or any other."""
        return _answer(self._handler.validate_move, position=raw, seat=actor, move_text=text)

    def error(self, raw: bytes, actor: Reader, packed: bytes) -> bytes:
        """The error that a move ends with, or nothing."""
        try:
            self._apply(raw, actor, packed, words.Chance(seed=bytes(32)), ())
        except Failure as failure:
            return _raw(to_status(failure))
        return b""

    def start(self, options: object, chance: words.Chance) -> Mapping[Reader, Told]:
        """What the start of a game is for every reader."""
        request = opaque.StartGameRequest(
            options=_raw(self.entry.codec.write_options(options)),
            seats=len(self._seats),
            chance=chance,
            view_for=_view_for(self.readers),
        )
        started = self._handler.start_game(request)
        step = Step(position=started.position, standing=started.standing, events=started.events, draws=started.draws)
        return self._told(0, None, step, started.views)

    def play(
        self, raw: bytes, actor: Reader, move: object, chance: words.Chance, readers: Iterable[Reader] | None = None
    ) -> Mapping[Reader, Told]:
        """What a move is for each of these readers, or for all. Raises Failure."""
        packed = _raw(self.entry.codec.write_move(move))
        applied = self._apply(raw, actor, packed, chance, self.readers if readers is None else tuple(readers))
        views = list(applied.views)
        applied.ClearField("views")
        applied.ClearField("chance")
        return self._told(1, actor, applied, views)

    def _apply(
        self, raw: bytes, actor: Reader, packed: bytes, chance: words.Chance, readers: tuple[Reader, ...]
    ) -> opaque.ApplyMoveResponse:
        request = opaque.ApplyMoveRequest(
            position=raw, seat=actor, move=packed, chance=chance, view_for=_view_for(readers)
        )
        return self._handler.apply_move(request)

    def _told(
        self, revision: int, actor: Reader, step: Step, views: Iterable[opaque.SeatView]
    ) -> Mapping[Reader, Told]:
        record = Record(revision, actor, step, 0)
        session = self._session(record)
        told = {}
        for view in views:
            reader = view.seat if view.HasField("seat") else None
            update = Updates(session, record).write(_caller(reader), view)
            told[reader] = Told(view.view, update, step.position)
        return told

    def _session(self, head: Record) -> Session:
        return Session(
            id="1",
            version=1,
            game=self.game.token,
            state=State.PLAYING,
            seats=self._seats,
            options=b"",
            rules_version=self.game.version,
            server_seed=bytes(32),
            host_hash=b"",
            join_hash=None,
            created=0,
            updated=0,
            head=head,
        )


def _caller(reader: Reader) -> Caller:
    return SPECTATOR if reader is None else Caller(reader)


def _view_for(readers: Iterable[Reader]) -> words.ViewFor:
    chosen = tuple(readers)
    seats = [reader for reader in chosen if reader is not None]
    return words.ViewFor(seats=seats, spectator=None in chosen, moves=True)


def _answer(method: Callable[[Any], Message], **fields: Any) -> bytes:
    try:
        return _raw(method(opaque.ValidateMoveRequest(**fields)))
    except Failure as failure:
        return _raw(to_status(failure))


def _raw(message: Message) -> bytes:
    return message.SerializeToString(deterministic=True)
