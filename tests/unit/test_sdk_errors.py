"""From a gRPC status to an exception: every reason there is has one, and nothing that the server says is lost."""

import pickle
from importlib import import_module
from typing import Any

import grpc
import pytest
from google.protobuf.any_pb2 import Any as Packed
from google.protobuf.duration_pb2 import Duration
from google.protobuf.message import Message
from google.rpc.error_details_pb2 import BadRequest, ErrorInfo, RetryInfo
from google.rpc.status_pb2 import Status
from monsters.rules.v1 import rules_pb2
from monsters.session.v1 import session_pb2

import lair
from lair import errors
from lair._translation import BY_CODE, BY_REASON, OF_EVERY_GAME, SESSION, SHARED, from_status, translate
from lair.games import installed

GAME = "monsters.cabbages.v1"


def status_of(code: grpc.StatusCode, domain: str, reason: str, *more: Message, **metadata: str) -> Status:
    """What a server ends a call with."""
    status = Status(code=code.value[0], message="a sentence")
    for detail in (ErrorInfo(domain=domain, reason=reason, metadata=metadata), *more):
        packed = Packed()
        packed.Pack(detail)
        status.details.append(packed)
    return status


class Ended(grpc.RpcError):
    """A call that has ended, as gRPC's blocking client raises it."""

    def __init__(self, code: grpc.StatusCode, details: str, trailer: bytes | None = None) -> None:
        super().__init__()
        self._code, self._details, self._trailer = code, details, trailer

    def code(self) -> grpc.StatusCode:
        return self._code

    def details(self) -> str:
        return self._details

    def trailing_metadata(self) -> Any:
        return None if self._trailer is None else (("grpc-status-details-bin", self._trailer),)


def reasons(enum: Any, prefix: str) -> list[str]:
    return [name.removeprefix(prefix) for name, number in enum.items() if number]


@pytest.mark.parametrize("reason", reasons(rules_pb2.ErrorReason, "ERROR_REASON_"))
def test_every_shared_reason_has_an_exception(reason: str) -> None:
    assert (SHARED, reason) in BY_REASON


@pytest.mark.parametrize("reason", reasons(session_pb2.ErrorReason, "ERROR_REASON_"))
def test_every_reason_of_sessions_has_an_exception(reason: str) -> None:
    assert (SESSION, reason) in BY_REASON


def test_no_exception_is_mapped_for_a_reason_that_there_is_not() -> None:
    known = {(SHARED, reason) for reason in reasons(rules_pb2.ErrorReason, "ERROR_REASON_")}
    known |= {(SESSION, reason) for reason in reasons(session_pb2.ErrorReason, "ERROR_REASON_")}
    assert set(BY_REASON) == known


@pytest.mark.parametrize("token", installed())
def test_every_refusal_of_every_game_is_an_illegal_move(token: str) -> None:
    module = import_module(f"monsters.{token}.v1.{token}_pb2")
    names = reasons(module.RefusalReason, "REFUSAL_REASON_")
    assert set(OF_EVERY_GAME) <= set(names)
    for reason in names:
        error = from_status(status_of(grpc.StatusCode.FAILED_PRECONDITION, f"monsters.{token}.v1", reason, rule="X-R1"))
        assert isinstance(error, lair.IllegalMove)
        assert (error.reason, error.rule) == (reason, "X-R1")
    turn = from_status(status_of(grpc.StatusCode.FAILED_PRECONDITION, f"monsters.{token}.v1", "NOT_YOUR_TURN"))
    assert type(turn) is lair.NotYourTurn


def test_a_reason_of_a_game_that_nobody_has_heard_of_is_an_illegal_move() -> None:
    error = from_status(status_of(grpc.StatusCode.FAILED_PRECONDITION, "monsters.goblins.v1", "TOO_LOUD"))
    assert type(error) is lair.IllegalMove


def test_a_new_reason_falls_back_on_its_code() -> None:
    error = from_status(status_of(grpc.StatusCode.FAILED_PRECONDITION, SESSION, "SOMETHING_NEW"))
    assert type(error) is lair.WrongState
    assert error.reason == "SOMETHING_NEW"
    elsewhere = from_status(status_of(grpc.StatusCode.FAILED_PRECONDITION, "example.org", "NOT_YOUR_TURN"))
    assert type(elsewhere) is lair.WrongState


@pytest.mark.parametrize("code", [code for code in grpc.StatusCode if code is not grpc.StatusCode.OK])
def test_every_code_has_an_exception(code: grpc.StatusCode) -> None:
    error = translate(Ended(code, "something"))
    assert type(error) is BY_CODE.get(code, lair.ServerError)
    assert error.code is code
    assert str(error)


def test_everything_that_the_server_says_is_kept() -> None:
    fields = BadRequest(field_violations=[BadRequest.FieldViolation(field="seats", description="must be 2 to 5")])
    later = RetryInfo(retry_delay=Duration(seconds=1, nanos=500_000_000))
    status = status_of(grpc.StatusCode.INVALID_ARGUMENT, SHARED, "MALFORMED_REQUEST", fields, later, game="cabbages")
    error = translate(Ended(grpc.StatusCode.INVALID_ARGUMENT, "a sentence", status.SerializeToString()))
    assert isinstance(error, lair.InvalidRequest)
    assert error.code is grpc.StatusCode.INVALID_ARGUMENT
    assert (error.domain, error.reason, error.message) == (SHARED, "MALFORMED_REQUEST", "a sentence")
    assert error.metadata == {"game": "cabbages"}
    assert error.violations == (lair.Violation("seats", "must be 2 to 5"),)
    assert error.retry_after == 1.5


def test_asyncio_s_errors_are_translated_too() -> None:
    status = status_of(grpc.StatusCode.ABORTED, SESSION, "STALE_SESSION", current_etag='"42"')
    trailer = grpc.aio.Metadata(("grpc-status-details-bin", status.SerializeToString()))
    cause = grpc.aio.AioRpcError(grpc.StatusCode.ABORTED, grpc.aio.Metadata(), trailer, details="a sentence")
    assert not isinstance(cause, grpc.Call)
    error = translate(cause)
    assert isinstance(error, lair.StaleSession)
    assert error.current_etag == '"42"'


@pytest.mark.parametrize("trailer", [b"\xff\xff", Status(code=3, message="another").SerializeToString(), None])
def test_a_trailer_that_does_not_fit_leaves_the_code(trailer: bytes | None) -> None:
    error = translate(Ended(grpc.StatusCode.NOT_FOUND, "gone", trailer))
    assert (type(error), str(error)) == (lair.NotFound, "gone")


def test_a_rule_is_named_with_the_sentence() -> None:
    status = status_of(grpc.StatusCode.FAILED_PRECONDITION, GAME, "CUP_EMPTY", rule="C-R10")
    assert str(from_status(status)) == "a sentence (C-R10)"
    assert str(from_status(status_of(grpc.StatusCode.FAILED_PRECONDITION, SESSION, "GAME_OVER"))) == "a sentence"


def test_an_error_can_cross_processes() -> None:
    error = from_status(status_of(grpc.StatusCode.FAILED_PRECONDITION, GAME, "CUP_EMPTY", rule="C-R10"))
    again = pickle.loads(pickle.dumps(error))
    assert (type(again), again.details) == (type(error), error.details)


def test_the_tree_in_the_docstring_is_the_tree() -> None:
    assert errors.__doc__ is not None
    drawn: dict[str, int] = {}
    for line in errors.__doc__.splitlines():
        name = line.lstrip("│├└─ ").split(" ")[0]
        if name in vars(errors):
            drawn[name] = (len(line) - len(line.lstrip("│├└─ "))) // 4
    classes = {
        name: thing for name, thing in vars(errors).items() if isinstance(thing, type) and issubclass(thing, Exception)
    }
    assert drawn == {name: len(thing.__mro__) - len(lair.LairError.__mro__) for name, thing in classes.items()}
    assert set(classes) <= set(lair.__all__)
