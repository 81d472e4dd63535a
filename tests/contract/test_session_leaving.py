"""Leaving exactly once: a request that is sent again hears its first answer, and nobody else hears it."""

from typing import Any

import pytest
from monsters.session.v1 import session_pb2 as wire

from tests.support.refusals import refusal_of
from tests.support.servers import Stubs, bearer
from tests.support.sessions import Created, abort, create, endless, join, new_id, open_lobby, session_of, submit


def leaving(created: Created, request_id: str = "") -> wire.LeaveSessionRequest:
    return wire.LeaveSessionRequest(name=created.session.name, request_id=request_id)


def leave(stubs: Stubs, created: Created, token: str, request_id: str = "") -> wire.Session:
    return stubs.sessions.LeaveSession(leaving(created, request_id), metadata=bearer(token)).session


def refused(stubs: Stubs, created: Created, token: str, request_id: str = "") -> str:
    return refusal_of(lambda: leave(stubs, created, token, request_id)).reason


def test_a_retry_of_leaving_a_game_hears_the_first_answer(any_server: Stubs) -> None:
    created, request_id = create(any_server, **endless(3)), new_id()
    first = leave(any_server, created, created.seat_tokens[0], request_id)
    assert [seat.left for seat in first.seats] == [True, False]
    again = leave(any_server, created, created.seat_tokens[0], request_id.upper())
    assert again.seats == first.seats
    assert refused(any_server, created, created.seat_tokens[0]) == "BAD_TOKEN", "the token opens nothing else"
    assert refused(any_server, created, created.seat_tokens[0], new_id()) == "BAD_TOKEN"


def test_a_retry_of_leaving_a_lobby_takes_the_seat_from_nobody_who_has_come_since(any_server: Stubs) -> None:
    lobby, request_id = open_lobby(any_server), new_id()
    gone = join(any_server, lobby, display_name="Ann").seat_token
    assert not any(seat.taken for seat in leave(any_server, lobby, gone, request_id).seats)
    cleo = join(any_server, lobby, display_name="Cleo", seat=0)
    assert leave(any_server, lobby, gone, request_id).seats[0].display_name == "Cleo"
    assert session_of(any_server, lobby).seats[0].taken
    assert not leave(any_server, lobby, cleo.seat_token, new_id()).seats[0].taken


@pytest.mark.parametrize("end", [abort, lambda stubs, created: submit(stubs, created, 1)])
def test_the_request_id_comes_before_the_state(any_server: Stubs, end: Any) -> None:
    created, request_id = create(any_server, **endless(2)), new_id()
    submit(any_server, created, 0, "feed")
    leave(any_server, created, created.seat_tokens[0], request_id)
    end(any_server, created)
    ended = leave(any_server, created, created.seat_tokens[0], request_id)
    assert ended == session_of(any_server, created)
    assert ended.state in (wire.STATE_OVER, wire.STATE_ABORTED)


def test_whoever_has_learned_the_request_id_hears_nothing(any_server: Stubs) -> None:
    created, request_id = create(any_server, **endless(9)), new_id()
    leave(any_server, created, created.seat_tokens[0], request_id)
    stranger = refusal_of(lambda: any_server.sessions.LeaveSession(leaving(created, request_id)))
    assert stranger.reason == "BAD_TOKEN"
    assert refused(any_server, created, "nobody's", request_id) == "BAD_TOKEN"
    assert refused(any_server, created, created.host_token, request_id) == "BAD_TOKEN"
    assert refused(any_server, created, created.seat_tokens[1], request_id) == "REQUEST_ID_REUSED"
    assert not session_of(any_server, created).seats[1].left


def test_an_id_is_used_for_one_thing(any_server: Stubs) -> None:
    created, moved, left = create(any_server, **endless(9)), new_id(), new_id()
    submit(any_server, created, 0, "feed", request_id=moved)
    assert refused(any_server, created, created.seat_tokens[0], moved) == "REQUEST_ID_REUSED"
    leave(any_server, created, created.seat_tokens[0], left)
    assert refusal_of(lambda: submit(any_server, created, 1, "feed", request_id=left)).reason == "REQUEST_ID_REUSED"


def test_callers_with_one_request_id_leave_once(any_server: Stubs) -> None:
    created = create(any_server, seats=3)
    request = leaving(created, new_id())
    metadata = bearer(created.seat_tokens[2])
    calls = [any_server.sessions.LeaveSession.future(request, metadata=metadata) for _ in range(5)]
    assert [[seat.left for seat in call.result().session.seats] for call in calls] == [[False, False, True]] * 5


def test_callers_with_ids_of_their_own_leave_once_and_the_others_have_no_seat(any_server: Stubs) -> None:
    created = create(any_server, seats=3)
    metadata = bearer(created.seat_tokens[2])
    calls = [any_server.sessions.LeaveSession.future(leaving(created, new_id()), metadata=metadata) for _ in range(5)]
    reasons = [refusal_of(call.result).reason for call in calls if call.exception()]
    assert reasons == ["BAD_TOKEN"] * 4


def test_a_refused_request_has_no_answer_yet(any_server: Stubs) -> None:
    created, request_id = create(any_server), new_id()
    assert refused(any_server, created, created.host_token, request_id) == "BAD_TOKEN"
    assert leave(any_server, created, created.seat_tokens[0], request_id).seats[0].left


def test_an_absurd_request_id_is_malformed(any_server: Stubs) -> None:
    created = create(any_server)
    assert refused(any_server, created, created.seat_tokens[0], "soon") == "MALFORMED_REQUEST"
