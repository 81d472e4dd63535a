"""The methods of a game's RulesService, in the opaque form: the same code for every game."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from monsters.rules.v1 import opaque_pb2 as opaque
from monsters.rules.v1 import rules_pb2 as wire

from services.games import Entry
from services.kernel.refusals import Flaw, IllegalMove, ImpossiblePosition, Malformed
from services.kernel.standing import Seat
from services.rules.describe import describe
from services.rules.failures import illegal, impossible
from services.rules.messages import Messages
from services.rules.words import Chance, fill_standing, write_draws, write_refusal, write_standing
from services.runtime.failure import Failure, malformed

if TYPE_CHECKING:  # it has this name in the stubs alone
    from google.protobuf.internal.containers import RepeatedCompositeFieldContainer

    Views = RepeatedCompositeFieldContainer[opaque.SeatView]

REFUSALS = (IllegalMove, ImpossiblePosition, Malformed)


class RulesHandler:
    """One game's rules for callers on the wire. Every method raises Failure."""

    def __init__(self, entry: Entry) -> None:
        self._entry = entry
        self._game = entry.game
        self._messages = Messages(entry)
        self._refusing = _Refusing(self._failure)

    def describe_game(self, _: opaque.DescribeGameRequest) -> opaque.DescribeGameResponse:
        """Seats, options with defaults, the rules' version, every rule."""
        options = self._messages.spell_options(self._game.options)
        return opaque.DescribeGameResponse(options=options, game=describe(self._entry))

    def start_game(self, request: opaque.StartGameRequest) -> opaque.StartGameResponse:
        """A new game."""
        with self._refusing:
            options = self._messages.read_options(request.options, request.seats)
            chance = Chance(request.chance)
            played = self._game.start(options, request.seats, chance.dice)
            draws = chance.used()
            answer = opaque.StartGameResponse(
                position=self._messages.write_position(played.position),
                standing=write_standing(self._game.standing(played.position)),
                chance=chance.message,
                events=self._messages.write_events(played.events),
                draws=write_draws(draws),
                options=self._messages.write_options(options),
                rules_version=self._game.version,
            )
            viewers, moves = viewers_of(request.view_for, request.seats), request.view_for.moves
            self._add_views(answer.views, played.position, viewers, moves=moves)
            return answer

    def enumerate_moves(self, request: opaque.EnumerateMovesRequest) -> opaque.EnumerateMovesResponse:
        """Every legal move of a seat, or of the host."""
        with self._refusing:
            position, seats = self._messages.read_position(request.position)
            return opaque.EnumerateMovesResponse(moves=self._moves(position, seat_of(request, seats)))

    def validate_move(self, request: opaque.ValidateMoveRequest) -> opaque.ValidateMoveResponse:
        """Legal, or the refusal: here that is an answer, not an error."""
        with self._refusing:
            position, seats = self._messages.read_position(request.position)
            move = self._messages.read_move(request.move, request.move_text)
            refusal = self._game.refuse(position, seat_of(request, seats), move)
            if refusal is None:
                return opaque.ValidateMoveResponse(legal=True)
            return opaque.ValidateMoveResponse(refusal=write_refusal(refusal))

    def apply_move(self, request: opaque.ApplyMoveRequest) -> opaque.ApplyMoveResponse:
        """The position after a move."""
        with self._refusing:
            position, seats = self._messages.read_position(request.position)
            move = self._messages.read_move(request.move, request.move_text)
            chance = Chance(request.chance)
            played = self._game.play(position, seat_of(request, seats), move, chance.dice)
            draws = chance.used()
            answer = opaque.ApplyMoveResponse(
                position=self._messages.write_position(played.position),
                move=self._messages.write_move(move).move,
                chance=chance.message,
                events=self._messages.write_events(played.events),
                draws=write_draws(draws),
                rules_version=self._game.version,
            )
            fill_standing(answer.standing, self._game.standing(played.position))
            viewers, moves = viewers_of(request.view_for, seats), request.view_for.moves
            self._add_views(answer.views, played.position, viewers, moves=moves)
            return answer

    def view_position(self, request: opaque.ViewPositionRequest) -> opaque.ViewPositionResponse:
        """What a seat or a spectator may know."""
        with self._refusing:
            position, seats = self._messages.read_position(request.position)
            seat = seat_of(request, seats)
            return opaque.ViewPositionResponse(
                standing=write_standing(self._game.standing(position)),
                view=opaque.SeatView(
                    seat=seat,
                    view=self._view(position, seat),
                    moves=() if seat is None else self._moves(position, seat),
                ),
            )

    def suggest_move(self, request: opaque.SuggestMoveRequest) -> opaque.SuggestMoveResponse:
        """A plausible move of a seat whose player is away, chosen from what its view shows."""
        with self._refusing:
            position, seats = self._messages.read_position(request.position)
            seat = seat_of(request, seats)
            moves = self._game.moves(position, seat)
            if not moves:
                raise Malformed(Flaw("seat", f"seat {seat} may not act"))
            chance = Chance(request.chance)
            move = self._game.suggest(self._game.view(position, seat), moves, chance.dice)
            chance.used()
            return opaque.SuggestMoveResponse(suggestion=None if move is None else self._messages.write_move(move))

    def format_position(self, request: opaque.FormatPositionRequest) -> opaque.FormatPositionResponse:
        """A position as one line of text."""
        with self._refusing:
            position, _ = self._messages.read_position(request.position)
            return opaque.FormatPositionResponse(position_text=self._game.write(position))

    def parse_position(self, request: opaque.ParsePositionRequest) -> opaque.ParsePositionResponse:
        """The position of a line of text."""
        with self._refusing:
            return opaque.ParsePositionResponse(position=self._messages.parse_position(request.position_text))

    def _failure(self, error: IllegalMove | ImpossiblePosition | Malformed) -> Failure:
        """What one of the kernel's refusals is on the wire."""
        if isinstance(error, IllegalMove):
            return illegal(self._entry.package, error)
        if isinstance(error, ImpossiblePosition):
            return impossible(self._game.token, error)
        return malformed(*error.flaws)

    def _moves(self, position: Any, seat: Seat | None) -> list[opaque.LegalMove]:
        return [self._messages.write_move(move) for move in self._game.moves(position, seat)]

    def _view(self, position: Any, seat: Seat | None) -> bytes:
        return self._messages.write_view(self._game.view(position, seat))

    def _add_views(self, views: "Views", position: Any, viewers: Sequence[Seat | None], *, moves: bool) -> None:
        """Add what these may know, in place: a view that is built first and then put into an answer is copied."""
        for seat in viewers:
            view = views.add(seat=seat, view=self._view(position, seat))
            if moves and seat is not None:
                view.moves.extend(self._moves(position, seat))


class _Refusing:
    """Gives the kernel's three refusals the codes and domains of the wire. Made once: every call enters it."""

    __slots__ = ("_failure",)

    def __init__(self, failure: Callable[[Any], Failure]) -> None:
        self._failure = failure

    def __enter__(self) -> None:
        """Nothing is to be done before."""

    def __exit__(self, _: object, error: BaseException | None, __: object) -> None:
        """Raise the Failure that a refusal is."""
        if isinstance(error, REFUSALS):
            raise self._failure(error) from None


def viewers_of(view_for: wire.ViewFor, seats: int) -> Sequence[Seat | None]:
    """Whose views are asked for; None is a spectator's. Raises Malformed when the game has no such seat."""
    wanted = view_for.seats
    if len(wanted) > seats:
        raise Malformed(Flaw("view_for.seats", f"has {len(wanted)} seats; the game has {seats}"))
    for index, seat in enumerate(wanted):
        if not 0 <= seat < seats:
            raise Malformed(Flaw(f"view_for.seats[{index}]", f"must be 0 to {seats - 1}, is {seat}"))
    return (*wanted, None) if view_for.spectator else tuple(wanted)


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
