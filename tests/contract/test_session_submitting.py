"""Moves are played once, whoever asks however often; what they led to is the answer."""

from typing import Any

import pytest
from monsters.cabbages.v1 import cabbages_pb2 as cabbages
from monsters.session.v1 import session_pb2 as wire

from tests.support.refusals import Refused, refusal_of
from tests.support.servers import Stubs, bearer
from tests.support.sessions import (
    Created,
    create,
    history_of,
    move,
    new_id,
    options,
    play_out,
    session_of,
    submit,
    view_of,
)

AT_ONCE = 5


def at_once(stubs: Stubs, created: Created, *requests: wire.SubmitMoveRequest) -> list[wire.Update | Refused]:
    """What seat 0 gets for requests that are under way together."""
    metadata = bearer(created.seat_tokens[0])
    calls = [stubs.sessions.SubmitMove.future(request, metadata=metadata) for request in requests]
    return [refusal_of(call.result) if call.exception() else call.result().update for call in calls]


def harvest(created: Created, **fields: str) -> wire.SubmitMoveRequest:
    return wire.SubmitMoveRequest(name=created.session.name, text="harvest", **fields)  # type: ignore[arg-type]  # as said


def reasons(answers: list[wire.Update | Refused]) -> list[str]:
    return [answer.reason for answer in answers if isinstance(answer, Refused)]


def test_a_move_is_answered_with_what_it_led_to(any_server: Stubs) -> None:
    created = create(any_server)
    update = submit(any_server, created, 0)
    assert (update.revision, update.seat, update.etag) == (1, 0, session_of(any_server, created).etag)
    assert update.etag != created.session.etag
    harvested = cabbages.Event()
    assert update.events[0].Unpack(harvested)
    assert list(harvested.harvested.dice) == list(update.draws[0].results)
    view = cabbages.View()
    assert update.view.Unpack(view)
    assert list(view.cabbages) == [sum(harvested.harvested.dice), 0]
    assert not update.moves, "the next move is another seat's"
    assert list(update.standing.awaited) == [1]
    assert update.commit_time == session_of(any_server, created).update_time


@pytest.mark.parametrize("action", [{"text": "harvest"}, {"move": move("harvest")}])
def test_a_text_and_its_move_are_the_same(any_server: Stubs, action: dict[str, Any]) -> None:
    assert submit(any_server, create(any_server), 0, **action).revision == 1


def test_every_legal_move_can_be_sent_back_as_it_came(any_server: Stubs) -> None:
    created = create(any_server, options=options(cup_start=3))
    moves = view_of(any_server, created, 0).moves
    assert [move.text for move in moves] == ["harvest", "feed"]
    for legal in moves:
        played = create(any_server, options=options(cup_start=3))
        assert submit(any_server, played, 0, move=legal.move).revision == 1


def test_the_host_says_that_time_is_up(any_server: Stubs) -> None:
    created = create(any_server)
    request = wire.SubmitMoveRequest(name=created.session.name, text="timeout")
    update = any_server.sessions.SubmitMove(request, metadata=bearer(created.host_token)).update
    assert (update.revision, update.HasField("seat")) == (1, False)
    assert list(update.standing.awaited) == [1]


def test_a_retry_returns_the_first_answer(any_server: Stubs) -> None:
    """Also after others have moved on, and with the etag that the first attempt has made stale."""
    created, request_id = create(any_server, options=options(max_turns=6)), new_id()
    etag = created.session.etag

    def again() -> wire.Update:
        return submit(any_server, created, 0, request_id=request_id, etag=etag)

    first = again()
    assert again() == first
    submit(any_server, created, 1)
    assert again() == first
    play_out(any_server, created)
    assert session_of(any_server, created).state == wire.STATE_OVER
    assert again() == first
    assert submit(any_server, created, 0, request_id=request_id.upper(), etag=etag) == first
    assert len([update for update in history_of(any_server, created) if update.revision == 1]) == 1


def test_a_request_id_is_of_one_session(any_server: Stubs) -> None:
    request_id = new_id()
    first, second = create(any_server), create(any_server)
    assert submit(any_server, first, 0, request_id=request_id).revision == 1
    assert submit(any_server, second, 0, request_id=request_id).revision == 1


def test_a_refused_move_uses_no_request_id_up(any_server: Stubs) -> None:
    created, request_id = create(any_server), new_id()
    assert refusal_of(lambda: submit(any_server, created, 0, "feed", request_id=request_id)).reason == "CUP_EMPTY"
    assert submit(any_server, created, 0, request_id=request_id).revision == 1


def test_without_an_id_every_request_is_another_move(any_server: Stubs) -> None:
    created = create(any_server)
    submit(any_server, created, 0)
    assert refusal_of(lambda: submit(any_server, created, 0)).reason == "NOT_YOUR_TURN"


def test_callers_with_one_request_id_play_one_move(any_server: Stubs) -> None:
    created = create(any_server)
    request = harvest(created, request_id=new_id())
    first, *others = at_once(any_server, created, *[request] * AT_ONCE)
    assert isinstance(first, wire.Update)
    assert first.revision == 1
    assert others == [first] * (AT_ONCE - 1)
    assert session_of(any_server, created).revision == 1
    assert len(history_of(any_server, created)) == 2


def test_callers_with_one_etag_play_one_move_and_the_others_are_told(any_server: Stubs) -> None:
    created = create(any_server)
    requests = [harvest(created, request_id=new_id(), etag=created.session.etag) for _ in range(AT_ONCE)]
    answers = at_once(any_server, created, *requests)
    (applied,) = [answer for answer in answers if isinstance(answer, wire.Update)]
    assert applied.revision == 1
    assert reasons(answers) == ["STALE_SESSION"] * (AT_ONCE - 1)
    assert session_of(any_server, created).revision == 1


def test_callers_without_an_etag_are_judged_by_the_position_that_they_come_to(any_server: Stubs) -> None:
    created = create(any_server)
    answers = at_once(any_server, created, *[harvest(created, request_id=new_id()) for _ in range(AT_ONCE)])
    (applied,) = [answer for answer in answers if isinstance(answer, wire.Update)]
    assert applied.revision == 1
    assert reasons(answers) == ["NOT_YOUR_TURN"] * (AT_ONCE - 1)
    assert session_of(any_server, created).revision == 1


def test_two_seats_at_once_do_not_lose_each_others_moves(any_server: Stubs) -> None:
    """The one that comes too early may be told so; whatever is acknowledged is there."""
    created = create(any_server, options=options(max_turns=20))
    acknowledged = []
    for _ in range(10):
        calls = [
            any_server.sessions.SubmitMove.future(harvest(created, request_id=new_id()), metadata=bearer(token))
            for token in created.seat_tokens
        ]
        acknowledged += [call.result().update.revision for call in calls if not call.exception()]
    revisions = [update.revision for update in history_of(any_server, created)]
    assert sorted(acknowledged) == revisions[1:] == list(range(1, session_of(any_server, created).revision + 1))
