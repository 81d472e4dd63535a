"""What a request may have at most, whatever the session: what goes beyond is malformed."""

from google.protobuf.any_pb2 import Any
from monsters.session.v1 import session_pb2 as wire

from services.session.domain import failures, names
from services.session.domain.session import Seat
from services.session.usecases.standings import SeatKey
from services.session.usecases.submitting import Action
from services.session.wire.messages import read_name

MOST_SEATS = 16
"""More than any game has. Each may bring a name, and to read one takes time."""
MOST_STANDINGS = 100
"""Seats that somebody asks about at once: as many sessions as a page of lobbies has."""
MOST_ENTROPY = 64
MOST_CODE = 64
"""With all the dashes and spaces that somebody may write into it."""
MOST_OPTIONS = 4096
"""Bytes of a game's Options as they come. They are stored as the rules have read them, and nothing else of them is."""
MOST_MOVE = 4096
"""Bytes of a game's Move as it comes. It is stored as the rules have read it."""
MOST_TEXT = 256
"""Characters of a move's text."""


def read_seats(request: wire.CreateSessionRequest) -> tuple[Seat, ...]:
    """The seats that somebody asks for. Raises Failure MALFORMED_REQUEST."""
    if len(request.seats) > MOST_SEATS:
        raise failures.invalid_field("seats", f"must be at most {MOST_SEATS}, are {len(request.seats)}")
    return tuple(_read_seat(seat, f"seats[{number}]") for number, seat in enumerate(request.seats))


def _read_seat(request: wire.SeatRequest, path: str) -> Seat:
    name = read_display_name(request.name, f"{path}.name")
    check_entropy(request.entropy, f"{path}.entropy")
    kinds = wire.SeatKind.values()
    if request.kind not in kinds:
        raise failures.invalid_field(f"{path}.kind", f"must be one of {kinds}, is {request.kind}")
    if request.kind == wire.SEAT_KIND_BOT and request.entropy:
        raise failures.invalid_field(f"{path}.entropy", "must be empty: a bot has no share in the seeds")
    return Seat(name, request.kind or wire.SEAT_KIND_HUMAN, entropy=request.entropy)


def read_seat_keys(request: wire.BatchGetStandingsRequest) -> list[SeatKey]:
    """The seats that somebody asks about. Raises Failure MALFORMED_REQUEST."""
    if len(request.seats) > MOST_STANDINGS:
        raise failures.invalid_field("seats", f"must be at most {MOST_STANDINGS}, are {len(request.seats)}")
    return [
        SeatKey(read_name(seat.name, f"seats[{number}].name"), seat.token or None)
        for number, seat in enumerate(request.seats)
    ]


def read_join_code(code: str) -> str:
    """The code that somebody typed. Raises Failure JOIN_CODE_NOT_FOUND, MALFORMED_REQUEST when there is none."""
    if not code:
        raise failures.invalid_field("join_code", "is required, or the name of a listed session")
    if len(code) > MOST_CODE:
        raise failures.join_code_not_found()
    return code


def read_options(request: wire.CreateSessionRequest) -> bytes:
    """The game's Options, which only the rules understand. Raises Failure WRONG_GAME, MALFORMED_REQUEST."""
    options = request.options
    if request.HasField("options") and (said := read_type(options)) != f"monsters.{request.game}.v1.Options":
        raise failures.wrong_game(request.game, said)
    if len(options.value) > MOST_OPTIONS:
        raise failures.invalid_field("options", f"must have at most {MOST_OPTIONS} bytes, has {len(options.value)}")
    return options.value


def read_action(request: wire.SubmitMoveRequest | wire.PlaySeatSubmit) -> Action:
    """What is played. Raises Failure MALFORMED_REQUEST when there is nothing, or too much."""
    match request.WhichOneof("action"):
        case "move" if len(request.move.value) <= MOST_MOVE:
            return Action(read_type(request.move), request.move.value, "")
        case "text" if 0 < len(request.text) <= MOST_TEXT:
            return Action("", b"", request.text)
        case "move":
            raise failures.invalid_field("move", f"must have at most {MOST_MOVE} bytes, has {len(request.move.value)}")
        case "text" if request.text:
            raise failures.invalid_field("text", f"must have at most {MOST_TEXT} characters, has {len(request.text)}")
        case _:
            raise failures.invalid_field("move", "is required, or its text")


def read_type(message: Any) -> str:
    """The full name of what an Any holds."""
    return message.type_url.rpartition("/")[2]


def read_display_name(name: str, path: str) -> str:
    """A name as it is stored and shown. Empty where none is given. Raises Failure MALFORMED_REQUEST."""
    if not name:
        return name
    try:
        return names.read_name(name)
    except ValueError as flaw:
        raise failures.invalid_field(path, str(flaw)) from None


def check_entropy(entropy: bytes, path: str) -> None:
    """Raise Failure MALFORMED_REQUEST for more than anybody needs."""
    if len(entropy) > MOST_ENTROPY:
        raise failures.invalid_field(path, f"must have at most {MOST_ENTROPY} bytes, has {len(entropy)}")
