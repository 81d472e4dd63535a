"""A seat's stream in both directions, without any stream."""

from typing import Any

import grpc
import pytest
from google.rpc.status_pb2 import Status
from monsters.session.v1 import session_pb2 as wire

import lair
from lair._calls import Call
from lair._talk import Talk
from tests.unit.test_sdk_watching import PLAYING, known, seats


def update(revision: int) -> wire.Update:
    return wire.Update(revision=revision)


def accepted(talk: Talk[Any], revision: int) -> wire.Acknowledgement:
    return wire.Acknowledgement(request_id=id_of(talk), revision=revision)


def id_of(talk: Talk[Any]) -> str:
    assert talk.pending is not None
    return talk.pending.submit.request_id


@pytest.fixture
def talk() -> Talk[Any]:
    talk: Talk[Any] = Talk(known(), "token", 0)
    talk.take(wire.PlaySeatResponse(session=PLAYING))
    talk.take(wire.PlaySeatResponse(snapshot=wire.Snapshot(state=wire.STATE_PLAYING, revision=4)))
    talk.received.clear()
    return talk


def test_an_acknowledged_move_gives_its_update_and_the_reader_gets_it_too(talk: Talk[Any]) -> None:
    talk.submit("harvest", None, None)
    talk.take(wire.PlaySeatResponse(update=update(5)))
    assert not talk.answered
    talk.take(wire.PlaySeatResponse(update=update(6), acknowledgement=accepted(talk, 6)))
    assert talk.answered
    settled = talk.settle()
    assert isinstance(settled, lair.Update)
    assert settled.revision == 6
    assert [item.revision for item in talk.received] == [5, 6]
    assert talk.pending is None


def test_a_refusal_is_raised_and_the_next_move_is_free_of_it(talk: Talk[Any]) -> None:
    talk.submit("feed", None, None)
    error = Status(code=grpc.StatusCode.FAILED_PRECONDITION.value[0], message="no")
    talk.take(wire.PlaySeatResponse(acknowledgement=wire.Acknowledgement(request_id=id_of(talk), error=error)))
    with pytest.raises(lair.WrongState):
        talk.settle()
    talk.submit("harvest", None, None)
    assert not talk.answered


def test_an_answer_to_another_move_is_not_taken(talk: Talk[Any]) -> None:
    talk.submit("harvest", None, None)
    talk.take(wire.PlaySeatResponse(acknowledgement=wire.Acknowledgement(request_id="another", revision=5)))
    assert not talk.answered


def test_a_move_under_way_is_sent_again_with_its_request_id(talk: Talk[Any]) -> None:
    talk.submit("harvest", '"4"', "mine")
    first = talk.pending
    talk.broken()
    assert talk.pending == first
    assert first is not None
    assert (first.submit.request_id, first.submit.etag, first.submit.text) == ("mine", '"4"', "harvest")
    opening = talk.call().request
    assert isinstance(opening, wire.PlaySeatRequest)
    assert opening.open.after_revision == 4


@pytest.mark.parametrize("instead", ["an older revision", "the end"])
def test_an_update_that_the_stream_did_not_bring_is_asked_for_by_the_same_move(talk: Talk[Any], instead: str) -> None:
    talk.submit("harvest", '"4"', "mine")
    if instead == "the end":
        talk.take(wire.PlaySeatResponse(closing=wire.Closing(reason=wire.CLOSING_REASON_SESSION_ENDED)))
    else:
        talk.take(wire.PlaySeatResponse(acknowledgement=accepted(talk, 3)))
    assert talk.answered
    call = talk.settle()
    assert isinstance(call, Call)
    assert call.request == wire.SubmitMoveRequest(
        name="sessions/7f3k", seat=0, text="harvest", etag='"4"', request_id="mine"
    )


def test_who_leaves_is_told_on_a_seat_s_stream_too(talk: Talk[Any]) -> None:
    talk.take(wire.PlaySeatResponse(session=wire.Session(name="sessions/7f3k", seats=seats("Ann", "Ben", left=1))))
    change = talk.received.popleft()
    assert isinstance(change, lair.FactsChanged)
    assert [seat.name for seat in change.left] == ["Ben"]


def test_a_seat_s_stream_goes_on_after_the_end_until_a_rematch_if_it_shall() -> None:
    for wanted in (True, False):
        talk: Talk[Any] = Talk(known(), "token", 0, until_rematch=wanted)
        opening = talk.call().request
        assert isinstance(opening, wire.PlaySeatRequest)
        assert opening.open.await_rematch == wanted


def test_a_move_that_was_given_up_is_not_sent_again(talk: Talk[Any]) -> None:
    talk.submit("harvest", None, None)
    talk.give_up()
    assert talk.pending is None
