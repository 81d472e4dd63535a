"""Every method, called by everybody, however the session stands: tests/support/access.py has what is to come."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import grpc
import pytest
from google.protobuf.message import Message
from monsters.session.v1 import session_pb2 as wire

from tests.support import access
from tests.support.refusals import read_error, read_status
from tests.support.servers import Stubs, bearer
from tests.support.sessions import create, endless, feed_on, leave, new_id, open_lobby, options, rematch_of

SERVICE = wire.DESCRIPTOR.services_by_name["SessionService"]
COLUMNS = (*access.PLAYING, *access.OVER)


@dataclass(frozen=True)
class Caller:
    """A session, and a token for a call to it."""

    name: str
    token: str | None = None
    seat: int | None = None
    """The seat that is claimed."""


def in_lobby(stubs: Stubs) -> Caller:
    return Caller(open_lobby(stubs, listed=True).session.name)


def nobody(stubs: Stubs) -> Caller:
    return Caller(create(stubs, listed=True).session.name)


def wrong_token(stubs: Stubs) -> Caller:
    return replace(nobody(stubs), token=create(stubs, listed=True).seat_tokens[0])


def seat(stubs: Stubs) -> Caller:
    created = create(stubs, listed=True)
    return Caller(created.session.name, created.seat_tokens[0])


def other_seat(stubs: Stubs) -> Caller:
    return replace(seat(stubs), seat=1)


def host(stubs: Stubs) -> Caller:
    created = create(stubs, listed=True)
    return Caller(created.session.name, created.host_token)


def left_seat(stubs: Stubs) -> Caller:
    created = create(stubs, listed=True)
    leave(stubs, created, 1)
    return Caller(created.session.name, created.seat_tokens[1])


def over(stubs: Stubs) -> wire.CreateSessionResponse:
    created = create(stubs, listed=True, **endless(1))
    feed_on(stubs, created)
    return created


def nobody_over(stubs: Stubs) -> Caller:
    return Caller(over(stubs).session.name)


def seat_over(stubs: Stubs) -> Caller:
    created = over(stubs)
    return Caller(created.session.name, created.seat_tokens[0])


def host_over(stubs: Stubs) -> Caller:
    created = over(stubs)
    return Caller(created.session.name, created.host_token)


def rematch_open(stubs: Stubs) -> Caller:
    created = over(stubs)
    rematch_of(stubs, created)
    return Caller(created.session.name, created.seat_tokens[0])


def at_the_rematch(stubs: Stubs) -> Caller:
    created = over(stubs)
    return Caller(rematch_of(stubs, created).session.name, created.seat_tokens[0])


CALLERS: dict[access.Column, Callable[[Stubs], Caller]] = dict(
    zip(
        COLUMNS,
        (
            in_lobby,
            nobody,
            wrong_token,
            seat,
            other_seat,
            host,
            left_seat,
            nobody_over,
            seat_over,
            host_over,
            rematch_open,
            at_the_rematch,
        ),
        strict=True,
    )
)
FIELDS: dict[str, dict[str, Any]] = {
    "CreateSession": {"game": "cabbages", "seats": [wire.SeatRequest(name="Ann"), wire.SeatRequest(name="Ben")]},
    "SubmitMove": {"text": "harvest"},
}
"""What a request needs besides its session."""


def request_of(method: Any, caller: Caller) -> Message:
    """A request that is right in itself."""
    request: Message = getattr(wire, method.input_type.name)(**FIELDS.get(method.name, {}))
    names = {field.name for field in method.input_type.fields}
    if method.client_streaming:
        request.open.name = caller.name  # type: ignore[attr-defined]  # PlaySeat is the only one
        return request
    if method.name == "BatchGetStandings":
        request.seats.add(name=caller.name, token=caller.token or "")  # type: ignore[attr-defined]  # this one has them
        return request
    given = {"name": caller.name, "request_id": new_id(), "seat": caller.seat}
    for name, value in given.items():
        if name in names and value is not None:
            setattr(request, name, value)
    if method.name == "CreateSession":
        request.options.CopyFrom(options())  # type: ignore[attr-defined]  # this one has them
    return request


def answer_of(stubs: Stubs, method: Any, caller: Caller) -> str:
    """What is said: yes, or the code and the reason of the refusal."""
    metadata = () if caller.token is None else bearer(caller.token)
    request = request_of(method, caller)
    call = getattr(stubs.sessions, method.name)
    try:
        answer = call(iter([request]) if method.client_streaming else request, metadata=metadata)
        if method.server_streaming:
            next(answer)
            answer.cancel()
    except grpc.RpcError as error:
        refused = read_error(error)
        return f"{refused.code} {refused.reason}"
    if isinstance(answer, wire.BatchGetStandingsResponse) and answer.standings[0].HasField("error"):
        refused = read_status(answer.standings[0].error)
        return f"{refused.code} {refused.reason}"
    return access.YES


def test_every_method_has_a_row_and_every_row_all_callers() -> None:
    assert list(access.MATRIX) == [method.name for method in SERVICE.methods]
    assert {len(cells) for cells in access.MATRIX.values()} == {len(COLUMNS)}


@pytest.mark.parametrize("name", [method.name for method in SERVICE.methods])
def test_everybody_is_answered_as_the_table_says(server: Stubs, name: str) -> None:
    method = SERVICE.methods_by_name[name]
    claims = "seat" in {field.name for field in method.input_type.fields}
    answers = {
        column.name: access.NONE
        if column is access.OTHER and not claims
        else answer_of(server, method, CALLERS[column](server))
        for column in COLUMNS
    }
    assert answers == {column.name: cell for column, cell in zip(COLUMNS, access.MATRIX[name], strict=True)}


def test_the_page_has_this_table() -> None:
    assert access.PAGE.read_text("utf-8") == access.page(), "python -m tests.support.access writes it"
