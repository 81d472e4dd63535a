"""Lobbies: who wants to be found is listed, by game, and can be joined by name; nobody else stands in any list."""

import pytest
from monsters.heads.v1 import heads_pb2 as heads
from monsters.session.v1 import session_pb2 as wire

from services.games import find_games
from tests.support.refusals import refusal_of
from tests.support.servers import Stubs
from tests.support.sessions import Created, abort, create, join, leave, new_id, open_lobby, pack, session_of


def names(stubs: Stubs, game: str = "") -> set[str]:
    page = stubs.sessions.ListSessions(wire.ListSessionsRequest(page_size=100, game=game))
    assert all(session.listed and session.state == wire.STATE_LOBBY for session in page.sessions)
    return {session.name for session in page.sessions}


def join_by_name(stubs: Stubs, created: Created, **fields: object) -> wire.JoinSessionResponse:
    return stubs.sessions.JoinSession(wire.JoinSessionRequest(name=created.session.name, **fields))  # type: ignore[arg-type]  # any field


def test_a_session_is_listed_for_as_long_as_it_waits(any_server: Stubs) -> None:
    started, ended = open_lobby(any_server, listed=True), open_lobby(any_server, listed=True)
    assert {started.session.name, ended.session.name} <= names(any_server)
    join(any_server, started)
    assert started.session.name in names(any_server)
    join(any_server, started)
    abort(any_server, ended)
    assert not {started.session.name, ended.session.name} & names(any_server)


def test_whoever_does_not_ask_for_it_stands_in_no_list_and_is_joined_by_code_alone(any_server: Stubs) -> None:
    lobby = open_lobby(any_server)
    assert not lobby.session.listed
    assert lobby.session.name not in names(any_server)
    refusal = refusal_of(lambda: join_by_name(any_server, lobby))
    assert (refusal.code, refusal.reason) == ("PERMISSION_DENIED", "JOIN_CODE_REQUIRED")
    assert not any(seat.taken for seat in session_of(any_server, lobby).seats)
    assert join(any_server, lobby).seat == 0


def test_a_listed_session_is_joined_by_its_name_and_by_its_code(any_server: Stubs) -> None:
    lobby, request_id = open_lobby(any_server, listed=True), new_id()
    ann = join_by_name(any_server, lobby, display_name="Ann", seat=1, request_id=request_id)
    assert (ann.seat, ann.session.listed) == (1, True)
    assert join_by_name(any_server, lobby, display_name="Ann", seat=1, request_id=request_id) == ann
    lobby.seat_tokens.extend(["", ann.seat_token])
    assert not any(seat.taken for seat in leave(any_server, lobby, 1).seats)
    join_by_name(any_server, lobby)
    assert join(any_server, lobby).session.state == wire.STATE_PLAYING
    assert refusal_of(lambda: join_by_name(any_server, lobby)).reason == "SEAT_TAKEN"


def test_a_game_of_which_all_tokens_were_given_can_be_joined_by_nobody(any_server: Stubs) -> None:
    created = create(any_server, listed=True)
    assert created.session.name not in names(any_server)
    assert refusal_of(lambda: join_by_name(any_server, created)).reason == "SEAT_TAKEN"


def test_lobbies_are_listed_by_game(any_server: Stubs) -> None:
    options = {"game": "heads", "options": pack(heads.Options())}
    ours, theirs = open_lobby(any_server, listed=True), open_lobby(any_server, 3, listed=True, **options)
    assert {ours.session.name, theirs.session.name} <= names(any_server)
    assert theirs.session.name in names(any_server, "heads")
    assert ours.session.name not in names(any_server, "heads")
    assert names(any_server, "nothing") == set()


@pytest.mark.parametrize(
    "request_of", [lambda _: {}, lambda lobby: {"name": lobby.session.name, "join_code": lobby.join_code}]
)
def test_a_code_or_a_name_is_given_and_not_both(any_server: Stubs, request_of: object) -> None:
    lobby = open_lobby(any_server, listed=True)
    fields = request_of(lobby)  # type: ignore[operator]  # a parameter
    refusal = refusal_of(lambda: any_server.sessions.JoinSession(wire.JoinSessionRequest(**fields)))
    assert refusal.reason == "MALFORMED_REQUEST"
    assert not any(seat.taken for seat in session_of(any_server, lobby).seats)


def test_the_games_that_can_be_played_are_listed(any_server: Stubs) -> None:
    games = any_server.sessions.ListGames(wire.ListGamesRequest()).games
    assert [game.token for game in games] == list(find_games())
    for told, entry in zip(games, find_games().values(), strict=True):
        assert (told.min_seats, told.max_seats) == (entry.game.seats[0], entry.game.seats[-1])
        assert (told.title, list(told.rules_versions)) == (entry.rulebook.title, [entry.game.version])
