"""The methods of a game's RulesService, in the opaque form: the same code for every game.

Positions come in from outside and may be nonsense: they are checked, and every flaw is named. A position that this face
has just made or checked is remembered by its bytes, so that a game that goes on is not parsed anew at every move.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from typing import Any

from google.protobuf.message import DecodeError, Message
from monsters.rules.v1 import opaque_pb2 as opaque
from monsters.rules.v1 import rules_pb2 as wire

from services.games import Entry
from services.kernel.refusals import Flaw, IllegalMove, ImpossiblePosition, Malformed
from services.kernel.standing import Seat
from services.rules.describe import describe
from services.rules.memory import Memory
from services.rules.words import Chance, write_draws, write_refusal, write_standing
from services.runtime.failure import Failure, illegal, impossible, malformed

REFUSALS = (IllegalMove, ImpossiblePosition, Malformed)

MOST_MOVES = 1024
"""Moves that are kept encoded: a game has few, and offers them again and again."""


class RulesFace:
    """One game's rules for callers on the wire. Every method raises Failure."""

    def __init__(self, entry: Entry) -> None:
        self._entry = entry
        self._game = entry.game
        self._codec = entry.codec
        self._messages = entry.codec.messages
        self._positions = Memory()
        self._latest: tuple[Any, bytes] = None, b""
        """The view that was encoded last."""
        self._legal = lru_cache(MOST_MOVES)(self._write_legal)

    def describe_game(self, _: opaque.DescribeGameRequest) -> opaque.DescribeGameResponse:
        """Seats, options with defaults, the rules' version, every rule."""
        options = self._codec.spell_options(self._game.options).SerializeToString()
        return opaque.DescribeGameResponse(options=options, game=describe(self._entry))

    def start_game(self, request: opaque.StartGameRequest) -> opaque.StartGameResponse:
        """A new game."""
        with self._refusing():
            options = self._read_options(request.options, request.seats)
            chance = Chance(request.chance)
            played = self._game.start(options, request.seats, chance.dice)
            draws = chance.used()
            return opaque.StartGameResponse(
                position=self._write_position(played.position),
                standing=write_standing(self._game.standing(played.position)),
                chance=chance.message,
                events=[self._codec.write_event(event).SerializeToString() for event in played.events],
                draws=write_draws(draws),
                views=self._views(played.position, request.view_for, request.seats),
            )

    def enumerate_moves(self, request: opaque.EnumerateMovesRequest) -> opaque.EnumerateMovesResponse:
        """Every legal move of a seat, or of the host."""
        with self._refusing():
            position, seats = self._read_position(request.position)
            return opaque.EnumerateMovesResponse(moves=self._moves(position, seat_of(request, seats)))

    def validate_move(self, request: opaque.ValidateMoveRequest) -> opaque.ValidateMoveResponse:
        """Legal, or the refusal: here that is an answer, not an error."""
        with self._refusing():
            position, seats = self._read_position(request.position)
            move = self._read_move(request.move, request.move_text)
            refusal = self._game.refuse(position, seat_of(request, seats), move)
            if refusal is None:
                return opaque.ValidateMoveResponse(legal=True)
            return opaque.ValidateMoveResponse(refusal=write_refusal(refusal))

    def apply_move(self, request: opaque.ApplyMoveRequest) -> opaque.ApplyMoveResponse:
        """The position after a move."""
        with self._refusing():
            position, seats = self._read_position(request.position)
            move = self._read_move(request.move, request.move_text)
            chance = Chance(request.chance)
            played = self._game.play(position, seat_of(request, seats), move, chance.dice)
            draws = chance.used()
            return opaque.ApplyMoveResponse(
                position=self._write_position(played.position),
                move=self._legal(move).move,
                standing=write_standing(self._game.standing(played.position)),
                chance=chance.message,
                events=[self._codec.write_event(event).SerializeToString() for event in played.events],
                draws=write_draws(draws),
                views=self._views(played.position, request.view_for, seats),
            )

    def view_position(self, request: opaque.ViewPositionRequest) -> opaque.ViewPositionResponse:
        """What a seat or a spectator may know."""
        with self._refusing():
            position, seats = self._read_position(request.position)
            return opaque.ViewPositionResponse(
                standing=write_standing(self._game.standing(position)),
                view=self._view(position, seat_of(request, seats), moves=True),
            )

    def suggest_move(self, request: opaque.SuggestMoveRequest) -> opaque.SuggestMoveResponse:
        """A plausible move of a seat whose player is away, chosen from what its view shows."""
        with self._refusing():
            position, seats = self._read_position(request.position)
            seat = seat_of(request, seats)
            moves = self._game.moves(position, seat)
            if not moves:
                raise Malformed(Flaw("seat", f"seat {seat} may not act"))
            chance = Chance(request.chance)
            move = self._game.suggest(self._game.view(position, seat), moves, chance.dice)
            chance.used()
            return opaque.SuggestMoveResponse(suggestion=None if move is None else self._legal(move))

    @contextmanager
    def _refusing(self) -> Iterator[None]:
        """Give the kernel's three refusals the codes and domains of the wire."""
        try:
            yield
        except REFUSALS as error:
            raise self._failure(error) from None

    def _failure(self, error: IllegalMove | ImpossiblePosition | Malformed) -> Failure:
        """What one of the kernel's refusals is on the wire."""
        if isinstance(error, IllegalMove):
            return illegal(self._entry.package, error)
        if isinstance(error, ImpossiblePosition):
            return impossible(self._game.token, error)
        return malformed(*error.flaws)

    def _read_options(self, raw: bytes, seats: int) -> Any:
        allowed = self._game.seats
        if seats not in allowed:
            raise Malformed(Flaw("seats", f"must be {allowed[0]} to {allowed[-1]}, is {seats}"))
        options = _read(self._messages.Options, self._codec.read_options, raw, "options")
        if flaws := self._game.flaws(options, seats):
            raise Malformed(*(Flaw(f"options.{flaw.field}", flaw.description) for flaw in flaws))
        return options

    def _read_position(self, raw: bytes) -> tuple[Any, int]:
        """The position, and how many seats it has."""
        if (known := self._positions.get(raw)) is None:
            position = _read(self._messages.Position, self._codec.read_position, raw, "position")
            if flaws := self._game.check(position):
                raise ImpossiblePosition([Flaw(f"position.{flaw.field}", flaw.description) for flaw in flaws])
            known = self._positions.put(raw, (position, self._game.seat_count(position)))
        return known

    def _write_position(self, position: Any) -> bytes:
        raw: bytes = self._codec.write_position(position).SerializeToString(deterministic=True)
        self._positions.put(raw, (position, self._game.seat_count(position)))
        return raw

    def _read_move(self, raw: bytes, text: str) -> Any:
        if text:
            if raw:
                raise Malformed(Flaw("move_text", "stands instead of a move, not beside one"))
            try:
                return self._game.read_move(text)
            except ValueError as error:
                raise Malformed(Flaw("move_text", str(error))) from None
        if not raw:
            raise Malformed(Flaw("move", "is required, or its text in move_text"))
        return _read(self._messages.Move, self._codec.read_move, raw, "move")

    def _moves(self, position: Any, seat: Seat | None) -> list[opaque.LegalMove]:
        return [self._legal(move) for move in self._game.moves(position, seat)]

    def _write_legal(self, move: Any) -> opaque.LegalMove:
        raw = self._codec.write_move(move).SerializeToString()
        return opaque.LegalMove(move=raw, text=self._game.write_move(move))

    def _view(self, position: Any, seat: Seat | None, *, moves: bool) -> opaque.SeatView:
        return opaque.SeatView(
            seat=seat,
            view=self._write_view(self._game.view(position, seat)),
            moves=self._moves(position, seat) if moves and seat is not None else (),
        )

    def _write_view(self, view: Any) -> bytes:
        """Where nothing is hidden, all seats have the very same view: it is encoded once."""
        if view is not self._latest[0]:
            self._latest = view, self._codec.write_view(view).SerializeToString()
        return self._latest[1]

    def _views(self, position: Any, view_for: wire.ViewFor, seats: int) -> list[opaque.SeatView]:
        if len(view_for.seats) > seats:
            raise Malformed(Flaw("view_for.seats", f"has {len(view_for.seats)} seats; the game has {seats}"))
        for index, seat in enumerate(view_for.seats):
            if not 0 <= seat < seats:
                raise Malformed(Flaw(f"view_for.seats[{index}]", f"must be 0 to {seats - 1}, is {seat}"))
        wanted: Sequence[Seat | None] = (*view_for.seats, *((None,) if view_for.spectator else ()))
        return [self._view(position, seat, moves=view_for.moves) for seat in wanted]


def _read(message_type: type[Message], read: Callable[[Any], Any], raw: bytes, path: str) -> Any:
    """One of the game's own messages as the game's own value. Raises Malformed with paths within the request."""
    try:
        return read(message_type.FromString(raw))
    except DecodeError:
        raise Malformed(Flaw(path, f"the bytes are not a {message_type.DESCRIPTOR.full_name}")) from None
    except Malformed as error:
        raise Malformed(*(Flaw(f"{path}.{flaw.field}", flaw.description) for flaw in error.flaws)) from None


def seat_of(
    request: opaque.EnumerateMovesRequest
    | opaque.ValidateMoveRequest
    | opaque.ApplyMoveRequest
    | opaque.NextMove
    | opaque.ViewPositionRequest
    | opaque.SuggestMoveRequest,
    seats: int,
) -> Seat | None:
    """The request's seat; None is the host or a spectator. Raises Malformed when the game has no such seat."""
    if not request.HasField("seat"):
        return None
    if not 0 <= request.seat < seats:
        raise Malformed(Flaw("seat", f"must be 0 to {seats - 1}, is {request.seat}"))
    return request.seat
