"""Names in a session: read by one rule, and no two of them equal, however people come to their seats."""

import pytest
from monsters.session.v1 import session_pb2 as wire

import lair
from lair.cli.sitting import plain
from tests.support.refusals import refusal_of
from tests.support.servers import Stubs, bearer
from tests.support.sessions import join, open_lobby, options, session_of

FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467"


def opened(server: Stubs, *names: str, **more: object) -> wire.CreateSessionResponse:
    seats = [wire.SeatRequest(name=name) for name in names]
    return server.sessions.CreateSession(wire.CreateSessionRequest(game="cabbages", seats=seats, **more))


def names_of(session: wire.Session) -> list[str]:
    return [seat.display_name for seat in session.seats]


def test_names_are_stored_trimmed_and_normalised(server: Stubs) -> None:
    assert names_of(opened(server, " Ame\u0301lie ", FAMILY, all_tokens=True).session) == ["Am\u00e9lie", FAMILY]
    lobby = open_lobby(server)
    assert (
        names_of(join(server, lobby, display_name="\u5c71\u7530\u3000\u592a\u90ce").session)[0]
        == "\u5c71\u7530 \u592a\u90ce"
    )


def test_a_name_that_is_none_is_refused_and_named(server: Stubs) -> None:
    refused = refusal_of(lambda: opened(server, "Ann", "\u202enneB"))
    assert refused.reason == "MALFORMED_REQUEST"
    assert refused.fields == {"seats[1].name": "must not have U+202E RIGHT-TO-LEFT OVERRIDE, or not there"}
    lobby = open_lobby(server)
    refused = refusal_of(lambda: join(server, lobby, display_name="\u2800"))
    assert refused.fields == {"display_name": "must have something to see"}


def test_two_anns_are_told_apart_from_the_start(server: Stubs) -> None:
    assert names_of(opened(server, "Ann", "ann", all_tokens=True).session) == ["Ann", "ann 2"]
    assert names_of(opened(server, "Ann", "Ann").session) == ["Ann", "Ann 2"]


def test_two_anns_who_join_are_told_apart(server: Stubs) -> None:
    lobby = opened(server, "", "", "")
    for _ in range(3):
        session = join(server, lobby, display_name="Ann").session
    assert names_of(session) == ["Ann", "Ann 2", "Ann 3"]
    assert names_of(session_of(server, lobby)) == names_of(session)


def test_whoever_comes_to_the_seat_with_their_name_sits_there(server: Stubs) -> None:
    lobby = opened(server, "Ann", "Ben", "")
    joined = join(server, lobby, display_name=" ben")
    assert joined.seat == 1
    assert names_of(joined.session) == ["Ann", "ben", ""]
    joined = join(server, lobby, display_name="Ben")
    assert (joined.seat, names_of(joined.session)) == (0, ["Ben 2", "ben", ""])


def test_nobody_takes_the_name_that_a_seat_has_by_default(server: Stubs) -> None:
    lobby = opened(server, "", "")
    assert names_of(join(server, lobby, display_name="Seat 1").session)[0] == "Seat 1 2"
    assert names_of(join(server, lobby).session) == ["Seat 1 2", "Seat 1"]


def test_a_bot_and_a_person_are_told_apart(server: Stubs) -> None:
    seats = [wire.SeatRequest(), wire.SeatRequest(kind=wire.SEAT_KIND_BOT)]
    lobby = server.sessions.CreateSession(wire.CreateSessionRequest(game="cabbages", seats=seats))
    assert names_of(join(server, lobby, display_name="bot 1").session) == ["bot 1 2", "Bot 1"]


def test_names_stay_in_a_rematch_and_newcomers_are_told_apart(server: Stubs) -> None:
    lobby = opened(server, "Ann", "Ann", all_tokens=True, options=options(max_turns=2))
    name, host = lobby.session.name, bearer(lobby.host_token)
    server.sessions.LeaveSession(wire.LeaveSessionRequest(name=name), metadata=bearer(lobby.seat_tokens[0]))
    server.sessions.AbortSession(wire.AbortSessionRequest(name=name), metadata=host)
    again = server.sessions.CreateRematch(wire.CreateRematchRequest(name=name), metadata=host)
    assert names_of(again.session) == ["", "Ann 2"]
    request = wire.JoinSessionRequest(join_code=again.join_code, display_name="Ann 2", seat=0)
    joined = server.sessions.JoinSession(request)
    assert names_of(joined.session) == ["Ann 2 2", "Ann 2"]


def test_the_same_join_has_the_same_name(server: Stubs) -> None:
    lobby, request_id = opened(server, "", "", ""), "3f9d3a0c-9b3e-4a43-9a3f-6a2f5b8f2f10"
    join(server, lobby, display_name="Ann")
    first = join(server, lobby, display_name="Ann", request_id=request_id)
    assert join(server, lobby, display_name="Ann", request_id=request_id) == first
    assert names_of(first.session) == ["Ann", "Ann 2", ""]


def test_the_sdk_shows_what_the_server_says(server: Stubs) -> None:
    with lair.connect(server.address) as client:
        game = client.create("cabbages", seats=[" Ann", "Ann", FAMILY])
        assert [seat.name for seat in game.seats] == ["Ann", "Ann 2", FAMILY]
        table = client.open("cabbages", seats=2)
        assert [client.join(table.join_code, name="Ann").name for _ in range(2)] == ["Ann", "Ann 2"]
        with pytest.raises(lair.InvalidRequest, match="something to see"):
            client.create("cabbages", seats=["Ann", "  "])


@pytest.mark.parametrize("name", [FAMILY, "\u0639\u0644\u06cc\u200c\u0631\u0636\u0627", "\U0001fae8"])
def test_the_command_line_shows_what_the_server_says(name: str) -> None:
    assert plain(name) == name
    assert plain(f"\x1b{name}\u202e\n\u2028") == f"?{name}???"
