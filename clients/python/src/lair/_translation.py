"""From a gRPC status to an exception of ours, and no other place does it. Also what is refused before it is sent."""

import re
import textwrap
from collections.abc import Mapping
from contextlib import suppress

import grpc
from google.protobuf.message import DecodeError, Message
from google.rpc.error_details_pb2 import BadRequest, ErrorInfo, RetryInfo
from google.rpc.status_pb2 import Status
from grpc_status import rpc_status

from lair.errors import (
    BadToken,
    Details,
    GameOver,
    IllegalMove,
    ImpossiblePosition,
    InvalidRequest,
    LairError,
    NotFound,
    NotPlayed,
    NotServed,
    NotYourTurn,
    PermissionDenied,
    RequestIdReused,
    ResourceExhausted,
    SeatTaken,
    ServerError,
    StaleSession,
    TooMany,
    Unavailable,
    Violation,
    WrongGame,
    WrongState,
)

LOCAL = "lair"
"""The domain of what is refused here, before anything is sent."""
CLIENT_CLOSED = "CLIENT_CLOSED"
OTHER_LOOP = "OTHER_LOOP"
LOCAL_ENDS = frozenset({CLIENT_CLOSED, OTHER_LOOP})
"""Reasons for which nothing goes better later: this client is not to be used any more."""
FOREIGN = frozenset({"SPEAKS_TLS", "SPEAKS_NO_TLS", "SPEAKS_HTTP_1", "SPEAKS_NO_GRPC", "CERTIFICATE_REFUSED"})
"""Reasons for which nothing goes better later: what listens there is no Lair server, or not in this way."""
LONGEST_DESCRIPTION = 300
SHARED = "monsters.rules.v1"
SESSION = "monsters.session.v1"
PACKAGE = re.compile(r"monsters\.[a-z][a-z0-9]*\.v[0-9]+")

BY_REASON: Mapping[tuple[str, str], type[LairError]] = {
    (SHARED, "MALFORMED_REQUEST"): InvalidRequest,
    (SHARED, "IMPOSSIBLE_POSITION"): ImpossiblePosition,
    (SHARED, "WRONG_GAME"): WrongGame,
    (SHARED, "RATE_LIMITED"): TooMany,
    (SHARED, "UNEXPECTED"): ServerError,
    (SHARED, "CHAIN_BROKEN"): NotPlayed,
    (SHARED, "TOO_SLOW"): Unavailable,
    (SESSION, "SESSION_NOT_FOUND"): NotFound,
    (SESSION, "JOIN_CODE_NOT_FOUND"): NotFound,
    (SESSION, "GAME_NOT_FOUND"): NotFound,
    (SESSION, "REVISION_NOT_FOUND"): NotFound,
    (SESSION, "REMATCH_NOT_FOUND"): NotFound,
    (SESSION, "JOIN_CODE_REQUIRED"): PermissionDenied,
    (SESSION, "BAD_TOKEN"): BadToken,
    (SESSION, "NOT_YOUR_SEAT"): PermissionDenied,
    (SESSION, "HOST_ONLY"): PermissionDenied,
    (SESSION, "REQUEST_ID_REUSED"): RequestIdReused,
    (SESSION, "STALE_SESSION"): StaleSession,
    (SESSION, "GAME_OVER"): GameOver,
    (SESSION, "SESSION_ABORTED"): WrongState,
    (SESSION, "SESSION_NOT_STARTED"): WrongState,
    (SESSION, "SESSION_NOT_OVER"): WrongState,
    (SESSION, "SEAT_TAKEN"): SeatTaken,
    (SESSION, "TOO_MANY_WATCHERS"): TooMany,
    (SESSION, "RULES_UNAVAILABLE"): Unavailable,
    (SESSION, "STORE_UNAVAILABLE"): Unavailable,
}
"""By domain and reason. A game's own reasons are not listed: a game that this library has never heard of works."""

OF_EVERY_GAME: Mapping[str, type[LairError]] = {"NOT_YOUR_TURN": NotYourTurn, "GAME_OVER": GameOver}
"""Reasons that every game has, in its own domain."""

BY_CODE: Mapping[grpc.StatusCode, type[LairError]] = {
    grpc.StatusCode.INVALID_ARGUMENT: InvalidRequest,
    grpc.StatusCode.OUT_OF_RANGE: InvalidRequest,
    grpc.StatusCode.FAILED_PRECONDITION: WrongState,
    grpc.StatusCode.ABORTED: StaleSession,
    grpc.StatusCode.NOT_FOUND: NotFound,
    grpc.StatusCode.UNIMPLEMENTED: NotServed,
    grpc.StatusCode.PERMISSION_DENIED: PermissionDenied,
    grpc.StatusCode.UNAUTHENTICATED: BadToken,
    grpc.StatusCode.RESOURCE_EXHAUSTED: ResourceExhausted,
    grpc.StatusCode.UNAVAILABLE: Unavailable,
    grpc.StatusCode.DEADLINE_EXCEEDED: Unavailable,
    grpc.StatusCode.CANCELLED: Unavailable,
}
"""For reasons that this library doesn't know. Every other code is a ServerError."""

_CODES = {code.value[0]: code for code in grpc.StatusCode}


def translate(error: grpc.RpcError, target: str = "the server", proxy: str = "") -> LairError:
    """Make an exception of ours from one of gRPC's, sync or asyncio. Raise it `from` the error.

    An asyncio error is not a grpc.Call, yet has the methods of one. A proxy on the way is named, where it may be why.
    """
    try:
        status = rpc_status.from_call(error)
    except (ValueError, DecodeError):  # a proxy has changed the message, or the trailer is not a status
        status = None
    if status is not None:
        return from_status(status)
    code = error.code()
    said = error.details() or ""
    if code is grpc.StatusCode.UNAVAILABLE and (reason := _tls_reason(said)):
        return foreign(target, reason)
    where = f"{target} through the proxy {proxy}" if proxy else target
    metadata = {"proxy": proxy} if proxy else {}
    return _class_of(code, "", "")(Details(code, _sentence(code, said, where), metadata=metadata))


def answered(error: grpc.RpcError) -> bool:
    """Whether it was somebody else who said so, be it only an edge: what gRPC itself says comes without metadata."""
    if error.code() not in (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.CANCELLED, grpc.StatusCode.DEADLINE_EXCEEDED):
        return True
    return bool(error.trailing_metadata() or error.initial_metadata())  # type: ignore[attr-defined]  # each has it


def _tls_reason(said: str) -> str:
    """What a TLS handshake failed for, in the words of BoringSSL."""
    if "WRONG_VERSION_NUMBER" in said:
        return "SPEAKS_NO_TLS"
    return "CERTIFICATE_REFUSED" if "CERTIFICATE_VERIFY_FAILED" in said else ""


def from_status(status: Status) -> LairError:
    """Make an exception from the status that a call has ended with, or a move on a stream."""
    info, request, retry = ErrorInfo(), BadRequest(), RetryInfo()
    known: tuple[Message, ...] = (info, request, retry)
    for detail in status.details:
        for message in known:
            with suppress(DecodeError):  # what can't be read says nothing
                detail.Unpack(message)
    code = _CODES.get(status.code, grpc.StatusCode.UNKNOWN)
    details = Details(
        code,
        status.message,
        info.reason,
        info.domain,
        dict(info.metadata),
        tuple(Violation(violation.field, violation.description) for violation in request.field_violations),
        retry.retry_delay.ToMilliseconds() / 1000 if retry.HasField("retry_delay") else None,
    )
    return _class_of(code, info.domain, info.reason)(details)


def _class_of(code: grpc.StatusCode, domain: str, reason: str) -> type[LairError]:
    if known := BY_REASON.get((domain, reason)):
        return known
    if PACKAGE.fullmatch(domain) and domain not in (SHARED, SESSION) and code is grpc.StatusCode.FAILED_PRECONDITION:
        return OF_EVERY_GAME.get(reason, IllegalMove)
    return BY_CODE.get(code, ServerError)


def _sentence(code: grpc.StatusCode, said: str, target: str) -> str:
    """Word what gRPC itself says for somebody who knows no gRPC."""
    if code is grpc.StatusCode.UNAVAILABLE:
        return f"nobody answers at {target}: is a Lair server running there? ({said})"
    again = "the same can safely be sent again, with the same request_id"
    if code is grpc.StatusCode.CANCELLED:
        return f"{target} has ended the call: does it stop? ({again})"
    if code is grpc.StatusCode.DEADLINE_EXCEEDED:
        return f"no answer from {target} in time: is a Lair server running there? ({again})"
    if code is grpc.StatusCode.UNIMPLEMENTED:
        return f"{target} doesn't serve that: it has no such game, or is older than this library"
    return said or f"the call has ended with {code.name}"


def invalid(path: str, description: str) -> InvalidRequest:
    """Refuse an argument here, before anything is sent. Whatever stands in the description, it is one line."""
    description = textwrap.shorten(description, LONGEST_DESCRIPTION, placeholder=" ...")
    message = f"{path}: {description}"
    violations = (Violation(path, description),)
    return InvalidRequest(
        Details(grpc.StatusCode.INVALID_ARGUMENT, message, "MALFORMED_REQUEST", LOCAL, violations=violations)
    )


def wrong_game(path: str, wanted: str, given: str) -> WrongGame:
    """Refuse another game's message, before anything is sent."""
    violations = (Violation(path, f"must be {wanted}, is {given}"),)
    code = grpc.StatusCode.INVALID_ARGUMENT
    return WrongGame(Details(code, f"{given} is not {wanted}", "WRONG_GAME", LOCAL, {"type": given}, violations))


def missing(message: str, reason: str, **metadata: str) -> NotFound:
    """Say that something isn't there, before anything is sent."""
    return NotFound(Details(grpc.StatusCode.NOT_FOUND, message, reason, LOCAL, metadata))


def wrong_state(message: str, reason: str, **metadata: str) -> WrongState:
    """Say that a session is in no state for something, as far as is known here."""
    return WrongState(Details(grpc.StatusCode.FAILED_PRECONDITION, message, reason, LOCAL, metadata))


def closed(target: str) -> Unavailable:
    """Say that the client was closed."""
    return Unavailable(Details(grpc.StatusCode.CANCELLED, f"this client of {target} is closed", CLIENT_CLOSED, LOCAL))


def cut_off(message: str) -> Unavailable:
    """Say that a stream doesn't bring what it should."""
    return Unavailable(Details(grpc.StatusCode.UNAVAILABLE, message, "CUT_OFF", LOCAL))


def too_late(target: str) -> Unavailable:
    """Say that what was sent over a stream has had no answer in time."""
    code = grpc.StatusCode.DEADLINE_EXCEEDED
    return Unavailable(Details(code, _sentence(code, "", target), "TOO_LATE", LOCAL))


def other_loop(target: str, *, ended: bool) -> Unavailable:
    """Say that an asyncio client is used outside the event loop that it belongs to."""
    loop = "an event loop that has ended" if ended else "another event loop"
    message = f"this client of {target} belongs to {loop}: connect anew in this one"
    return Unavailable(Details(grpc.StatusCode.CANCELLED, message, OTHER_LOOP, LOCAL))


_FOREIGN_SENTENCES = {
    "SPEAKS_TLS": "{} speaks TLS, and was not asked in TLS: `connect` takes `credentials`",
    "SPEAKS_NO_TLS": "{} does not speak TLS, and was asked in TLS: leave the `credentials` out",
    "CERTIFICATE_REFUSED": "{} has a certificate that these `credentials` do not trust",
    "SPEAKS_HTTP_1": "{} speaks HTTP/1 and not gRPC: is that the port of a web server?",
    "SPEAKS_NO_GRPC": "{} does not speak gRPC: is that another server's port?",
    "SAYS_NOTHING": "{} takes connections and says nothing: is a Lair server running there?",
}


def foreign(target: str, reason: str) -> Unavailable:
    """Say what listens there instead of a Lair server."""
    sentence = _FOREIGN_SENTENCES[reason].format(target)
    return Unavailable(Details(grpc.StatusCode.UNAVAILABLE, sentence, reason, LOCAL))


def not_a_seat(name: str) -> BadToken:
    """Say that a token opens no seat."""
    return BadToken(Details(grpc.StatusCode.UNAUTHENTICATED, f"the token opens no seat of {name}", "BAD_TOKEN", LOCAL))
