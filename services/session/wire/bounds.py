"""What a request may have at most, whatever the session: what goes beyond is malformed."""

from monsters.session.v1 import session_pb2 as wire

from services.session.domain import failures
from services.session.domain.session import Seat

MOST_SEATS = 64
MOST_NAME = 64
MOST_ENTROPY = 64
MOST_CODE = 64
"""With all the dashes and spaces that somebody may write into it."""


def read_seats(request: wire.CreateSessionRequest) -> tuple[Seat, ...]:
    """The seats that somebody asks for. Raises Failure MALFORMED_REQUEST."""
    if len(request.seats) > MOST_SEATS:
        raise failures.invalid_field("seats", f"must be at most {MOST_SEATS}, are {len(request.seats)}")
    return tuple(_read_seat(seat, f"seats[{number}]") for number, seat in enumerate(request.seats))


def _read_seat(request: wire.SeatRequest, path: str) -> Seat:
    check_name(request.name, f"{path}.name")
    check_entropy(request.entropy, f"{path}.entropy")
    kinds = wire.SeatKind.values()
    if request.kind not in kinds:
        raise failures.invalid_field(f"{path}.kind", f"must be one of {kinds}, is {request.kind}")
    return Seat(request.name, request.kind or wire.SEAT_KIND_HUMAN, entropy=request.entropy)


def read_join_code(code: str) -> str:
    """The code that somebody typed. Raises Failure JOIN_CODE_NOT_FOUND, MALFORMED_REQUEST when there is none."""
    if not code:
        raise failures.invalid_field("join_code", "is required, or the name of a listed session")
    if len(code) > MOST_CODE:
        raise failures.join_code_not_found()
    return code


def check_name(name: str, path: str) -> None:
    """Names are shown on terminals: nothing in them may steer one. Raises Failure MALFORMED_REQUEST."""
    if len(name) > MOST_NAME or not name.isprintable():
        raise failures.invalid_field(path, f"must be printable and have at most {MOST_NAME} characters")


def check_entropy(entropy: bytes, path: str) -> None:
    """Raise Failure MALFORMED_REQUEST for more than anybody needs."""
    if len(entropy) > MOST_ENTROPY:
        raise failures.invalid_field(path, f"must have at most {MOST_ENTROPY} bytes, has {len(entropy)}")
