"""Opening sessions: with all tokens at once, or as a lobby that waits for players."""

import pytest
from google.protobuf.any_pb2 import Any as Packed
from monsters.cabbages.v1 import cabbages_pb2 as cabbages
from monsters.session.v1 import session_pb2 as wire

from tests.support.refusals import refusal_of
from tests.support.servers import Stubs
from tests.support.sessions import (
    create,
    history_of,
    join,
    new_id,
    open_lobby,
    options,
    play_out,
    session_of,
    submit,
)

AT_ONCE = 5
TOKEN_LENGTH = 43
"""256 bits in base 64, without padding."""


def test_with_all_tokens_the_game_starts_at_once(any_server: Stubs) -> None:
    created = create(any_server, seats=3)
    session = created.session
    assert (session.game, session.state, session.revision) == ("cabbages", wire.STATE_PLAYING, 0)
    assert session.name.startswith("sessions/")
    assert [seat.display_name for seat in session.seats] == ["Player 0", "Player 1", "Player 2"]
    assert all(seat.taken and seat.kind == wire.SEAT_KIND_HUMAN for seat in session.seats)
    assert list(session.standing.awaited) == [0]
    assert session.rules_version
    assert len(session.commitment) == 32
    assert session.options == options()
    assert session.create_time.ToDatetime() <= session.update_time.ToDatetime()
    assert not created.join_code
    assert session_of(any_server, created) == session
    (start,) = history_of(any_server, created)
    assert (start.revision, start.HasField("seat")) == (0, False)


def test_every_key_is_another_one_and_has_256_bits(any_server: Stubs) -> None:
    keys = [
        key
        for created in (create(any_server, seats=5), create(any_server, seats=5))
        for key in (created.host_token, *created.seat_tokens)
    ]
    assert len(set(keys)) == len(keys) == 12
    assert {len(key) for key in keys} == {TOKEN_LENGTH}


def test_without_tokens_the_session_waits(any_server: Stubs) -> None:
    lobby = open_lobby(any_server)
    session = lobby.session
    assert (session.state, session.revision, session.rules_version) == (wire.STATE_LOBBY, 0, "")
    assert not session.HasField("standing")
    assert not any(seat.taken for seat in session.seats)
    assert len(session.commitment) == 32
    assert lobby.join_code
    assert lobby.host_token
    assert not lobby.seat_tokens
    assert history_of(any_server, lobby) == []


def test_seats_without_names_get_one(any_server: Stubs) -> None:
    seats = [wire.SeatRequest(), wire.SeatRequest(name="Ben", kind=wire.SEAT_KIND_BOT)]
    request = wire.CreateSessionRequest(game="cabbages", seats=seats, all_tokens=True)
    session = any_server.sessions.CreateSession(request).session
    assert [(seat.display_name, seat.kind) for seat in session.seats] == [
        ("Seat 0", wire.SEAT_KIND_HUMAN),
        ("Ben", wire.SEAT_KIND_BOT),
    ]


def test_without_options_the_defaults_hold(any_server: Stubs) -> None:
    request = wire.CreateSessionRequest(game="cabbages", seats=[wire.SeatRequest()] * 2, all_tokens=True)
    created = any_server.sessions.CreateSession(request)
    chosen = cabbages.Options()
    assert created.session.options.Unpack(chosen)
    assert chosen == cabbages.Options()
    assert play_out(any_server, created)[-1].standing.HasField("outcome")


def test_bad_options_are_refused_before_anybody_waits(any_server: Stubs) -> None:
    listed = any_server.sessions.ListSessions(wire.ListSessionsRequest(page_size=100))
    for bad in (options(cup_max=7), options(first_seat=2), Packed(type_url=options().type_url, value=b"\xff")):
        assert refusal_of(lambda: open_lobby(any_server, options=bad)).reason == "MALFORMED_REQUEST"  # noqa: B023  called here
    assert any_server.sessions.ListSessions(wire.ListSessionsRequest(page_size=100)) == listed


@pytest.mark.parametrize("all_tokens", [True, False])
def test_the_same_request_has_the_same_answer(any_server: Stubs, all_tokens: bool) -> None:  # noqa: FBT001  a case
    request_id = new_id()
    first = create(any_server, request_id=request_id, all_tokens=all_tokens)
    assert create(any_server, request_id=request_id, all_tokens=all_tokens) == first
    assert create(any_server, request_id=request_id.upper(), all_tokens=all_tokens) == first


def test_without_an_id_every_request_is_a_new_one(any_server: Stubs) -> None:
    assert create(any_server).session.name != create(any_server).session.name


def test_a_late_retry_still_gives_the_keys(any_server: Stubs) -> None:
    request_id = new_id()
    first = create(any_server, request_id=request_id)
    submit(any_server, first, 0)
    again = create(any_server, request_id=request_id)
    assert (again.host_token, again.seat_tokens, again.session.name) == (
        first.host_token,
        first.seat_tokens,
        first.session.name,
    )
    assert again.session.revision == 1, "the session is shown as it is now"


def test_callers_with_one_request_id_open_one_session(any_server: Stubs) -> None:
    request = wire.CreateSessionRequest(
        game="cabbages", seats=[wire.SeatRequest()] * 2, all_tokens=True, request_id=new_id()
    )
    calls = [any_server.sessions.CreateSession.future(request) for _ in range(AT_ONCE)]
    first, *others = [call.result() for call in calls]
    assert others == [first] * (AT_ONCE - 1)


def test_a_request_that_was_refused_can_be_made_well_with_the_same_id(any_server: Stubs) -> None:
    request_id = new_id()
    assert refusal_of(lambda: create(any_server, options=options(cup_max=7), request_id=request_id))
    assert create(any_server, request_id=request_id).session.state == wire.STATE_PLAYING
    lobby = open_lobby(any_server)
    assert refusal_of(lambda: join(any_server, lobby, seat=9, request_id=request_id))
    assert join(any_server, lobby, seat=1, request_id=request_id).seat == 1


@pytest.mark.parametrize("all_tokens", [True, False], ids=["at once", "in a lobby"])
def test_options_are_kept_as_the_rules_have_read_them(any_server: Stubs, all_tokens: bool) -> None:  # noqa: FBT001  a parameter
    """Others read them: fields that come twice, that are the defaults or that no game knows are not passed on."""
    raw = (
        cabbages.Options(max_turns=9, cup_start=1).SerializeToString()
        + cabbages.Options(cup_start=2, cup_max=0).SerializeToString()
        + b"\xfa\x3f\x03odd"  # field 1023, bytes
    )
    packed = Packed(type_url="type.googleapis.com/monsters.cabbages.v1.Options", value=raw)
    created = create(any_server, options=packed, all_tokens=all_tokens, listed=True)
    kept = cabbages.Options(cup_start=2, max_turns=9)
    for session in (created.session, session_of(any_server, created)):
        assert session.options.value == kept.SerializeToString(deterministic=True)
    if not all_tokens:
        assert {join(any_server, created).session.options.value for _ in range(2)} == {created.session.options.value}
