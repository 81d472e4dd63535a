"""Taking seats by the join code; the last one starts the game."""

import re

import pytest
from monsters.session.v1 import session_pb2 as wire

from tests.support.refusals import refusal_of
from tests.support.servers import Stubs
from tests.support.sessions import (
    abort,
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
SPELLINGS = (str, str.upper, lambda code: code.replace("-", ""), lambda code: f"  {code[:2]} {code[2:]}-\n")


def test_a_join_code_can_be_read_aloud(any_server: Stubs) -> None:
    assert re.fullmatch(r"[0-9a-hjkmnp-tv-z]{4}-[0-9a-hjkmnp-tv-z]{4}", open_lobby(any_server).join_code)


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_case_and_dashes_of_a_code_do_not_matter(any_server: Stubs, spelling: object) -> None:
    lobby = open_lobby(any_server)
    assert callable(spelling)
    assert join(any_server, lobby, join_code=spelling(lobby.join_code)).session.name == lobby.session.name


def test_letters_that_look_like_digits_are_read_as_digits(any_server: Stubs) -> None:
    for _ in range(200):
        lobby = open_lobby(any_server)
        misread = lobby.join_code.translate(str.maketrans("01", "OL"))
        if misread != lobby.join_code:
            assert join(any_server, lobby, join_code=misread).seat == 0
            return
    pytest.fail("no code has a digit that looks like a letter")


def test_the_last_seat_starts_the_game(any_server: Stubs) -> None:
    lobby = open_lobby(any_server, seats=3)
    for seat in range(2):
        session = join(any_server, lobby).session
        assert session.state == wire.STATE_LOBBY
        assert [seat.taken for seat in session.seats].count(True) == seat + 1
    session = join(any_server, lobby).session
    assert (session.state, session.revision) == (wire.STATE_PLAYING, 0)
    assert session.rules_version
    assert list(session.standing.awaited) == [0]
    assert len(history_of(any_server, lobby)) == 1
    assert session_of(any_server, lobby) == session
    assert session.commitment == lobby.session.commitment


def test_a_player_takes_the_first_free_seat_or_the_one_that_is_wanted(any_server: Stubs) -> None:
    lobby = open_lobby(any_server, seats=4)
    assert [join(any_server, lobby, seat=2).seat, join(any_server, lobby).seat] == [2, 0]
    assert [join(any_server, lobby).seat, join(any_server, lobby).seat] == [1, 3]


def test_a_player_brings_a_name_or_takes_the_one_that_is_there(any_server: Stubs) -> None:
    seats = [wire.SeatRequest(name="Ann"), wire.SeatRequest(name="Ben"), wire.SeatRequest()]
    lobby = any_server.sessions.CreateSession(wire.CreateSessionRequest(game="cabbages", seats=seats))
    join(any_server, lobby)
    join(any_server, lobby, display_name="Bea")
    session = join(any_server, lobby).session
    assert [seat.display_name for seat in session.seats] == ["Ann", "Bea", "Seat 2"]


def test_whoever_joins_can_play(any_server: Stubs) -> None:
    lobby = open_lobby(any_server)
    lobby.seat_tokens.extend(join(any_server, lobby).seat_token for _ in range(2))
    assert submit(any_server, lobby, 0).revision == 1
    assert submit(any_server, lobby, 1).revision == 2


def test_the_same_join_has_the_same_answer_whatever_has_happened_since(any_server: Stubs) -> None:
    lobby, request_id = open_lobby(any_server, options=options(max_turns=2)), new_id()

    def again() -> tuple[int, str]:
        answer = join(any_server, lobby, request_id=request_id, display_name="Ann")
        return answer.seat, answer.seat_token

    first = again()
    assert again() == first
    lobby.seat_tokens.extend([first[1], join(any_server, lobby).seat_token])
    assert again() == first
    play_out(any_server, lobby)
    assert session_of(any_server, lobby).state == wire.STATE_OVER
    assert again() == first


def test_the_same_join_has_the_same_answer_also_when_the_host_has_ended_it(any_server: Stubs) -> None:
    lobby, request_id = open_lobby(any_server), new_id()
    first = join(any_server, lobby, request_id=request_id)
    abort(any_server, lobby)
    assert join(any_server, lobby, request_id=request_id).seat_token == first.seat_token


def test_callers_with_one_request_id_take_one_seat(any_server: Stubs) -> None:
    lobby = open_lobby(any_server, seats=3)
    request = wire.JoinSessionRequest(join_code=lobby.join_code, request_id=new_id())
    calls = [any_server.sessions.JoinSession.future(request) for _ in range(AT_ONCE)]
    answers = [(call.result().seat, call.result().seat_token) for call in calls]
    assert answers == [answers[0]] * AT_ONCE
    assert [seat.taken for seat in session_of(any_server, lobby).seats] == [True, False, False]


def test_everybody_who_comes_at_once_gets_a_seat_while_there_are_some(any_server: Stubs) -> None:
    lobby = open_lobby(any_server, seats=4)
    request = wire.JoinSessionRequest(join_code=lobby.join_code)
    calls = [any_server.sessions.JoinSession.future(request) for _ in range(6)]
    late = [call for call in calls if call.exception()]
    assert sorted(call.result().seat for call in calls if call not in late) == [0, 1, 2, 3]
    assert [refusal_of(call.result).reason for call in late] == ["SEAT_TAKEN"] * 2
    assert session_of(any_server, lobby).state == wire.STATE_PLAYING
    assert len(history_of(any_server, lobby)) == 1
