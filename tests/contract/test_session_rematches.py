"""Playing again: one rematch of a session, for its host, with the seats of those who sat there before."""

from typing import Any

import pytest
from monsters.session.v1 import session_pb2 as wire

from tests.support.draws import every_draw_agrees
from tests.support.refusals import refusal_of
from tests.support.servers import Stubs, bearer
from tests.support.sessions import (
    Created,
    abort,
    create,
    endless,
    feed_on,
    join,
    new_id,
    open_lobby,
    options,
    play_out,
    reveal_of,
    session_of,
    submit,
)


def ask(stubs: Stubs, created: Created, token: str | None = None) -> wire.CreateRematchResponse:
    """Ask for the rematch as the host, or with another token."""
    request = wire.CreateRematchRequest(name=created.session.name)
    return stubs.sessions.CreateRematch(request, metadata=bearer(created.host_token if token is None else token))


def sit(stubs: Stubs, created: Created, seat: int, **fields: Any) -> wire.JoinRematchResponse:
    """Take a seat in the rematch with the token from before."""
    request = wire.JoinRematchRequest(name=created.session.name, **fields)
    return stubs.sessions.JoinRematch(request, metadata=bearer(created.seat_tokens[seat]))


def ended(stubs: Stubs, seats: int = 2, **fields: Any) -> Created:
    """A session that is over after one round."""
    created = create(stubs, **{**endless(seats, seats), **fields})
    feed_on(stubs, created)
    return created


def seated(answer: wire.CreateRematchResponse, *joined: wire.JoinRematchResponse) -> Created:
    """The rematch as its players have it between them."""
    tokens = [each.seat_token for each in joined]
    return Created(session=answer.session, host_token=answer.host_token, seat_tokens=tokens)


def test_a_rematch_has_the_game_options_clocks_and_seats_of_the_session_before(any_server: Stubs) -> None:
    limits = wire.TimeLimits()
    limits.turn.FromSeconds(600)
    limits.keep.FromSeconds(7200)
    seats = [wire.SeatRequest(name="Ann"), wire.SeatRequest(name="Robot", kind=wire.SEAT_KIND_BOT)]
    before = any_server.sessions.CreateSession(
        wire.CreateSessionRequest(
            game="cabbages", seats=seats, limits=limits, options=options(max_turns=1), all_tokens=True
        )
    )
    submit(any_server, before, 0)
    rematch = ask(any_server, before).session
    old = session_of(any_server, before)
    assert rematch.name != old.name
    assert (rematch.game, rematch.options, rematch.limits) == (old.game, old.options, old.limits)
    assert [(seat.display_name, seat.kind) for seat in rematch.seats] == [
        (seat.display_name, seat.kind) for seat in old.seats
    ]
    assert (rematch.state, rematch.commitment != old.commitment) == (wire.STATE_LOBBY, True)
    assert [seat.taken for seat in rematch.seats] == [False, True], "a bot stays"


def test_the_others_learn_of_it_from_the_session_before(any_server: Stubs) -> None:
    before = ended(any_server)
    assert session_of(any_server, before).rematch == ""
    name = ask(any_server, before).session.name
    assert session_of(any_server, before).rematch == name == reveal_of(any_server, before).session.rematch
    assert any_server.sessions.GetSession(wire.GetSessionRequest(name=name)).session.rematch == ""


def test_everybody_sits_where_they_sat_and_the_last_one_starts_the_game(any_server: Stubs) -> None:
    before = ended(any_server, seats=3)
    answer = ask(any_server, before)
    joined = {seat: sit(any_server, before, seat) for seat in (2, 0, 1)}
    assert [joined[seat].seat for seat in range(3)] == [0, 1, 2]
    assert [joined[seat].session.state for seat in (2, 0, 1)] == [wire.STATE_LOBBY] * 2 + [wire.STATE_PLAYING]
    assert [seat.display_name for seat in joined[1].session.seats] == ["Player 0", "Player 1", "Player 2"]
    again = seated(answer, *(joined[seat] for seat in range(3)))
    assert play_out(any_server, again)
    assert not {before.host_token, *before.seat_tokens} & {again.host_token, *again.seat_tokens}


def test_both_games_verify_and_the_shares_in_the_seeds_are_new(any_server: Stubs) -> None:
    lobby = open_lobby(any_server, options=options(max_turns=2))
    lobby.seat_tokens.extend(join(any_server, lobby, entropy=b"old").seat_token for _ in range(2))
    play_out(any_server, lobby)
    answer = ask(any_server, lobby)
    again = seated(answer, *(sit(any_server, lobby, seat, entropy=b"new %d" % seat) for seat in range(2)))
    play_out(any_server, again)
    for session, entropies in ((lobby, [b"old", b"old"]), (again, [b"new 0", b"new 1"])):
        revealed = reveal_of(any_server, session)
        assert list(revealed.entropies) == entropies
        assert every_draw_agrees(revealed)


def test_asking_again_has_the_same_answer_whatever_has_happened_since(any_server: Stubs) -> None:
    before = ended(any_server)
    first = ask(any_server, before)
    assert ask(any_server, before) == first
    for seat in range(2):
        sit(any_server, before, seat)
    later = ask(any_server, before)
    assert later.session.state == wire.STATE_PLAYING
    assert (later.host_token, later.join_code) == (first.host_token, first.join_code)


def test_hosts_who_ask_at_once_have_one_rematch(any_server: Stubs) -> None:
    before = ended(any_server)
    request = wire.CreateRematchRequest(name=before.session.name)
    metadata = bearer(before.host_token)
    calls = [any_server.sessions.CreateRematch.future(request, metadata=metadata) for _ in range(5)]
    assert len({(call.result().session.name, call.result().host_token, call.result().join_code) for call in calls}) == 1


def test_only_the_host_opens_a_rematch_and_only_a_seat_joins_it(any_server: Stubs) -> None:
    before = ended(any_server)
    assert refusal_of(lambda: ask(any_server, before, before.seat_tokens[0])).reason == "HOST_ONLY"
    assert refusal_of(lambda: ask(any_server, before, "nobody's")).reason == "BAD_TOKEN"
    nobody = wire.CreateRematchRequest(name=before.session.name)
    assert refusal_of(lambda: any_server.sessions.CreateRematch(nobody)).reason == "BAD_TOKEN"
    ask(any_server, before)
    for token in (before.host_token, "nobody's", None):
        request = wire.JoinRematchRequest(name=before.session.name)
        metadata = () if token is None else bearer(token)
        refused = refusal_of(lambda r=request, m=metadata: any_server.sessions.JoinRematch(r, metadata=m))  # type: ignore[misc]  # bound at once
        assert refused.reason == "BAD_TOKEN"


@pytest.mark.parametrize("waiting", [open_lobby, create])
def test_nobody_plays_again_before_the_end(any_server: Stubs, waiting: Any) -> None:
    created = waiting(any_server)
    assert refusal_of(lambda: ask(any_server, created)).reason == "SESSION_NOT_OVER"
    assert session_of(any_server, created).rematch == ""


def test_there_is_nothing_to_join_before_the_host_has_asked(any_server: Stubs) -> None:
    before = ended(any_server)
    refused = refusal_of(lambda: sit(any_server, before, 0))
    assert (refused.kind[0], refused.reason) == ("NOT_FOUND", "REMATCH_NOT_FOUND")
    ask(any_server, before)
    assert sit(any_server, before, 0).seat == 0


def test_an_aborted_session_is_played_again_too(any_server: Stubs) -> None:
    before = create(any_server)
    abort(any_server, before)
    answer = ask(any_server, before)
    assert abort(any_server, seated(answer)).state == wire.STATE_ABORTED
    assert refusal_of(lambda: sit(any_server, before, 0)).reason == "SESSION_ABORTED"
    once_more = ask(any_server, seated(answer))
    assert once_more.session.name not in (before.session.name, answer.session.name), "a rematch has one of its own"


def test_a_seat_that_was_left_is_free_for_whoever_has_the_code(any_server: Stubs) -> None:
    before = create(any_server, **endless(3))
    leaving = wire.LeaveSessionRequest(name=before.session.name)
    any_server.sessions.LeaveSession(leaving, metadata=bearer(before.seat_tokens[0]))
    abort(any_server, before)
    answer = ask(any_server, before)
    assert [seat.display_name for seat in answer.session.seats] == ["", "Player 1"]
    assert refusal_of(lambda: sit(any_server, before, 0)).reason == "BAD_TOKEN"
    sit(any_server, before, 1)
    lobby = Created(join_code=answer.join_code)
    assert join(any_server, lobby, display_name="Cleo").session.state == wire.STATE_PLAYING


def test_a_seat_is_the_first_comer_s(any_server: Stubs) -> None:
    before = ended(any_server)
    lobby = Created(join_code=ask(any_server, before).join_code)
    join(any_server, lobby, seat=0, display_name="Eve")
    assert refusal_of(lambda: sit(any_server, before, 0)).reason == "SEAT_TAKEN"


def test_a_retry_of_taking_a_seat_hears_the_first_answer_and_nobody_else_does(any_server: Stubs) -> None:
    before, request_id = ended(any_server), new_id()
    ask(any_server, before)
    first = sit(any_server, before, 0, entropy=b"mine", request_id=request_id)
    assert sit(any_server, before, 0, entropy=b"mine", request_id=request_id) == first
    for again in ({"seat": 0, "entropy": b"other"}, {"seat": 1, "entropy": b"mine"}):
        refused = refusal_of(lambda a=again: sit(any_server, before, request_id=request_id, **a))  # type: ignore[misc]  # bound at once
        assert refused.reason == "REQUEST_ID_REUSED"
    assert refusal_of(lambda: sit(any_server, before, 0)).reason == "SEAT_TAKEN"


def test_players_who_send_one_request_at_once_have_one_seat_and_its_state(any_server: Stubs) -> None:
    before = ended(any_server)
    ask(any_server, before)
    request = wire.JoinRematchRequest(name=before.session.name, request_id=new_id())
    metadata = bearer(before.seat_tokens[1])
    calls = [any_server.sessions.JoinRematch.future(request, metadata=metadata) for _ in range(5)]
    assert len({call.result().seat_token for call in calls}) == 1
    assert [call.result().session.seats[1].taken for call in calls] == [True] * 5


def test_what_is_absurd_is_malformed(any_server: Stubs) -> None:
    before = ended(any_server)
    ask(any_server, before)
    for fields in ({"entropy": bytes(65)}, {"request_id": "soon"}):
        refused = refusal_of(lambda f=fields: sit(any_server, before, 0, **f))  # type: ignore[misc]  # bound at once
        assert refused.reason == "MALFORMED_REQUEST"
    nowhere = wire.CreateRematchRequest(name="sessions/nowhere")
    assert refusal_of(lambda: any_server.sessions.CreateRematch(nowhere)).reason == "SESSION_NOT_FOUND"
