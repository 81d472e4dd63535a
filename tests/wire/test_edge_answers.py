"""Real answers of every method, and requests, held to the OpenAPI document: what it calls required is always there."""

from collections.abc import Iterator
from typing import Any

import pytest
from google.protobuf.duration_pb2 import Duration
from monsters.rules.v1 import rules_pb2 as words
from monsters.session.v1 import session_pb2 as wire

from services.edge.protos import read_protos
from services.games import Entry
from tests.support.edge import Web, needs_envoy
from tests.support.games import every_game
from tests.support.openapi import Judge, Unlike
from tests.support.servers import bearer, service_of
from tests.support.sessions import (
    Created,
    abort,
    create,
    history_of,
    join,
    leave,
    open_lobby,
    play_out,
    rematch_of,
    reveal_of,
    session_of,
    submit,
    view_of,
    watch,
)
from tests.support.transcoded import Transcoded

pytestmark = needs_envoy
MOVES = 60
METHODS = {method.name: method for method in read_protos().methods if method.token == "session"}


@pytest.fixture(scope="module")
def stubs(web: Web) -> Iterator[Transcoded]:
    with Transcoded(web.address) as transcoded:
        yield transcoded


@pytest.fixture(scope="module")
def judge(stubs: Transcoded) -> Judge:
    return Judge(Web(stubs.address).ask("GET", "/openapi.json").json)


@pytest.fixture(autouse=True)
def _every_answer_holds(stubs: Transcoded, judge: Judge) -> Iterator[None]:
    """Whatever was answered in a test is what the document says."""
    stubs.answers.clear()
    yield
    assert stubs.answers
    for method, answer in stubs.answers:
        judge.answer(method, answer)


def look_at(stubs: Transcoded, created: Created) -> None:
    """Read a session as everybody who may."""
    for seat in (None, *range(len(created.seat_tokens))):
        view_of(stubs, created, seat)
    session_of(stubs, created)
    history_of(stubs, created)


def follow(stubs: Transcoded, created: Created, seat: int | None) -> None:
    """Watch a session that has ended, from its first revision on."""
    for _ in watch(stubs, created, seat, after_revision=-1):
        pass


@every_game
def test_answers_of_a_game(stubs: Transcoded, entry: Entry) -> None:
    token, seats = entry.game.token, entry.game.seats[0]
    created = create(stubs, seats, game=token, options=None)
    look_at(stubs, created)
    play_out(stubs, created, most=MOVES)
    look_at(stubs, created)
    if session_of(stubs, created).state == wire.STATE_PLAYING:
        abort(stubs, created)
    for seat in (None, 0):
        follow(stubs, created, seat)
    reveal_of(stubs, created)


@every_game
def test_answers_of_its_rules(stubs: Transcoded, entry: Entry) -> None:
    token = entry.game.token
    messages, rules = service_of(token), stubs.rules(token)
    view_for = words.ViewFor(seats=[0], spectator=True, moves=True)
    rules.DescribeGame(messages.DescribeGameRequest())
    at = rules.StartGame(messages.StartGameRequest(seats=entry.game.seats[0], view_for=view_for))
    for _ in range(MOVES):
        if at.standing.HasField("outcome"):
            break
        here: dict[str, Any] = {"position": at.position, "seat": at.standing.may_act[0]}
        rules.ViewPosition(messages.ViewPositionRequest(**here))
        rules.SuggestMove(messages.SuggestMoveRequest(**here))
        moves = rules.EnumerateMoves(messages.EnumerateMovesRequest(**here)).moves
        rules.ValidateMove(messages.ValidateMoveRequest(**here, move=moves[0].move))
        rules.ValidateMove(messages.ValidateMoveRequest(position=at.position, move=moves[0].move))
        at = rules.ApplyMove(messages.ApplyMoveRequest(**here, move=moves[-1].move, view_for=view_for))
    rules.ViewPosition(messages.ViewPositionRequest(position=at.position))
    line = rules.FormatPosition(messages.FormatPositionRequest(position=at.position)).position_text
    rules.ParsePosition(messages.ParsePositionRequest(position_text=line))


def test_answers_of_the_lobby(stubs: Transcoded) -> None:
    limits = wire.TimeLimits(turn=Duration(seconds=600), stand_in=Duration())
    seats = [wire.SeatRequest(name="Ann"), wire.SeatRequest(), wire.SeatRequest(kind=wire.SEAT_KIND_BOT)]
    lobby = open_lobby(stubs, seats, listed=True, limits=limits)
    stubs.sessions.ListGames(wire.ListGamesRequest())
    stubs.sessions.ListSessions(wire.ListSessionsRequest(page_size=100))
    watching = watch(stubs, lobby)
    next(watching)
    ann = join(stubs, lobby, display_name="Ann", seat=0)
    stubs.sessions.LeaveSession(wire.LeaveSessionRequest(name=lobby.session.name), metadata=bearer(ann.seat_token))
    view_of(stubs, lobby)
    ann, _ = join(stubs, lobby, seat=0), join(stubs, lobby, seat=1)
    view_of(stubs, lobby)
    abort(stubs, lobby)
    for _ in watching:
        pass
    rematch_of(stubs, lobby)
    asking = wire.JoinRematchRequest(name=lobby.session.name)
    stubs.sessions.JoinRematch(asking, metadata=bearer(ann.seat_token))
    session_of(stubs, lobby)


def test_a_seat_that_was_left_changes_no_form(stubs: Transcoded) -> None:
    created = create(stubs, 3)
    leave(stubs, created, 2)
    submit(stubs, created, 0)
    view_of(stubs, created, 0)
    session_of(stubs, created)
    history_of(stubs, created)


def test_a_finished_game_changes_no_form(stubs: Transcoded) -> None:
    created = create(stubs)
    play_out(stubs, created)
    look_at(stubs, created)
    follow(stubs, created, 1)
    reveal_of(stubs, created)


@every_game
def test_a_legal_move_is_a_request_as_it_came(stubs: Transcoded, judge: Judge, entry: Entry) -> None:
    created = create(stubs, entry.game.seats[0], game=entry.game.token, options=None)
    (snapshot,) = (
        answer["snapshot"]
        for seat in session_of(stubs, created).standing.may_act[:1]
        for answer in (
            Web(stubs.address).ask("GET", f"/v1/{created.session.name}/view", token=created.seat_tokens[seat]).json,
        )
    )
    for legal in snapshot["moves"]:
        judge.request(METHODS["SubmitMove"], {"move": legal["move"], "requestId": "x"})
    with pytest.raises(Unlike):
        judge.request(METHODS["SubmitMove"], {"move": snapshot["moves"][0]["move"], "text": "x"})
    with pytest.raises(Unlike):
        judge.request(METHODS["SubmitMove"], {"requestId": "x"})
