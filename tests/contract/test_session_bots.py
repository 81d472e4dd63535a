"""Bots: seats that the server plays from the start, so that one person can play every game at once."""

import random
import time
from collections.abc import Iterator
from pathlib import Path

import grpc
import pytest
from google.protobuf.duration_pb2 import Duration
from monsters.session.v1 import session_pb2 as wire

from services.games import find_games
from tests.support.refusals import refusal_of
from tests.support.servers import PATIENCE, Stubs, bearer, running
from tests.support.sessions import (
    Created,
    abort,
    create,
    history_of,
    join,
    leave,
    new_id,
    open_lobby,
    options,
    rematch_of,
    reveal_of,
    session_of,
    submit,
    view_of,
)

BOT = wire.SeatRequest(kind=wire.SEAT_KIND_BOT)
ANN = wire.SeatRequest(name="Ann")
GAMES = find_games()
BEATEN = (grpc.StatusCode.ABORTED, grpc.StatusCode.FAILED_PRECONDITION)
"""What a move ends with when a bot was faster."""


@pytest.fixture(scope="module")
def hasty(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stubs]:
    """A server whose stand-ins and bots wait for nothing."""
    with running(tmp_path_factory.mktemp("bots") / "lair.db", stand_in=0) as stubs:
        yield stubs


def bots_for(game: str, people: int = 1) -> list[wire.SeatRequest]:
    """Some people, and bots on the other seats."""
    return [ANN] * people + [BOT] * (GAMES[game].game.seats[0] - people)


def until_over(stubs: Stubs, created: Created) -> wire.Session:
    """The session, once the game is over."""
    deadline = time.monotonic() + PATIENCE * 2
    while (session := session_of(stubs, created)).state != wire.STATE_OVER:
        assert time.monotonic() < deadline, session
        time.sleep(0.01)
    return session


def played(stubs: Stubs, created: Created, revision: int) -> list[wire.Update]:
    """The history, once it has come so far."""
    deadline = time.monotonic() + PATIENCE
    while len(updates := history_of(stubs, created)) <= revision:
        assert time.monotonic() < deadline, updates
        time.sleep(0.01)
    return updates


def play_for_ann(stubs: Stubs, created: Created) -> None:
    """Play random moves of the first seat whenever it has any, until the game is over."""
    chance = random.Random(created.session.name)
    deadline = time.monotonic() + PATIENCE * 2
    while session_of(stubs, created).state != wire.STATE_OVER:
        assert time.monotonic() < deadline, session_of(stubs, created)
        snapshot = view_of(stubs, created, 0)
        if not snapshot.moves or 0 not in snapshot.standing.awaited:
            time.sleep(0.005)
            continue
        request = wire.SubmitMoveRequest(
            name=created.session.name, move=chance.choice(snapshot.moves).move, etag=snapshot.etag
        )
        try:
            stubs.sessions.SubmitMove(request, metadata=bearer(created.seat_tokens[0]))
        except grpc.RpcError as error:
            if error.code() not in BEATEN:
                raise


@pytest.mark.parametrize("game", GAMES)
def test_one_person_and_bots_play_every_game_to_its_end(hasty: Stubs, game: str) -> None:
    created = create(hasty, game=game, seats=bots_for(game), options=None)
    play_for_ann(hasty, created)
    session = until_over(hasty, created)
    assert session.standing.HasField("outcome")
    moves = history_of(hasty, created)[1:]
    assert all(move.HasField("seat") for move in moves), "no time-out was needed"
    assert any(move.seat for move in moves)
    assert not any(reveal_of(hasty, created).entropies), "a bot has no share in the seeds"


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("all_tokens", [True, False])
def test_bots_alone_begin_at_once_and_play_to_the_end(hasty: Stubs, game: str, *, all_tokens: bool) -> None:
    created = create(hasty, game=game, seats=bots_for(game, 0), options=None, all_tokens=all_tokens)
    assert created.session.state == wire.STATE_PLAYING
    until_over(hasty, created)


def test_a_bot_s_seat_is_taken_and_has_a_name_and_no_token(any_server: Stubs) -> None:
    robot = wire.SeatRequest(name="Robot", kind=wire.SEAT_KIND_BOT)
    request_id = new_id()
    created = create(any_server, seats=[ANN, BOT, robot, BOT], request_id=request_id)
    assert [(seat.display_name, seat.taken, seat.left) for seat in created.session.seats] == [
        ("Ann", True, False),
        ("Bot 1", True, False),
        ("Robot", True, False),
        ("Bot 3", True, False),
    ]
    assert [bool(token) for token in created.seat_tokens] == [True, False, False, False]
    again = create(any_server, seats=[ANN, BOT, robot, BOT], request_id=request_id)
    assert (again.seat_tokens, again.host_token) == (created.seat_tokens, created.host_token)
    for token in ("", "nobody's"):
        request = wire.LeaveSessionRequest(name=created.session.name)
        metadata = bearer(token)
        refused = refusal_of(lambda: any_server.sessions.LeaveSession(request, metadata=metadata))  # noqa: B023  called at once
        assert refused.reason == "BAD_TOKEN"


def test_the_game_begins_when_the_last_person_sits_down(any_server: Stubs) -> None:
    lobby = open_lobby(any_server, seats=[BOT, wire.SeatRequest(), BOT, wire.SeatRequest()])
    assert lobby.session.state == wire.STATE_LOBBY
    assert [seat.taken for seat in lobby.session.seats] == [True, False, True, False]
    assert refusal_of(lambda: join(any_server, lobby, seat=0)).reason == "SEAT_TAKEN"
    assert join(any_server, lobby).seat == 1
    last = join(any_server, lobby)
    assert (last.seat, last.session.state) == (3, wire.STATE_PLAYING)
    assert refusal_of(lambda: join(any_server, lobby)).reason == "SEAT_TAKEN"


def test_a_person_who_leaves_a_lobby_frees_no_bot_s_seat(any_server: Stubs) -> None:
    lobby = open_lobby(any_server, seats=[BOT, wire.SeatRequest(), wire.SeatRequest()])
    gone = join(any_server, lobby)
    request = wire.LeaveSessionRequest(name=lobby.session.name)
    metadata = bearer(gone.seat_token)
    session = any_server.sessions.LeaveSession(request, metadata=metadata).session
    assert [seat.taken for seat in session.seats] == [True, False, False]


def test_a_bot_waits_so_that_people_can_follow(any_server: Stubs) -> None:
    limits = wire.TimeLimits(stand_in=Duration(nanos=300_000_000))
    created = create(any_server, seats=[ANN, BOT], limits=limits)
    submit(any_server, created, 0)
    times = [update.commit_time.ToMicroseconds() for update in played(any_server, created, 2)]
    assert times[2] - times[1] >= 300_000
    assert [update.seat for update in history_of(any_server, created)[1:3]] == [0, 1]


def test_bots_alone_wait_as_well(any_server: Stubs) -> None:
    limits = wire.TimeLimits(stand_in=Duration(nanos=300_000_000))
    created = create(any_server, seats=[BOT, BOT], limits=limits)
    before, after = (update.commit_time.ToMicroseconds() for update in played(any_server, created, 1)[:2])
    assert after - before >= 300_000
    abort(any_server, created)


def test_bots_wait_for_nobody_once_all_people_have_left(any_server: Stubs) -> None:
    created = create(any_server, seats=[ANN, BOT], limits=wire.TimeLimits(stand_in=Duration(seconds=60)))
    leave(any_server, created, 0)
    until_over(any_server, created)


def test_a_rematch_keeps_its_bots(any_server: Stubs) -> None:
    created = create(any_server, seats=[ANN, BOT], options=options(max_turns=1))
    submit(any_server, created, 0)
    until_over(any_server, created)
    rematch = rematch_of(any_server, created).session
    assert rematch.state == wire.STATE_LOBBY
    assert [(seat.display_name, seat.kind, seat.taken) for seat in rematch.seats] == [
        ("Ann", wire.SEAT_KIND_HUMAN, False),
        ("Bot 1", wire.SEAT_KIND_BOT, True),
    ]
    request = wire.JoinRematchRequest(name=created.session.name)
    metadata = bearer(created.seat_tokens[0])
    assert any_server.sessions.JoinRematch(request, metadata=metadata).session.state == wire.STATE_PLAYING


def test_a_rematch_of_bots_alone_begins_at_once(any_server: Stubs) -> None:
    created = create(
        any_server, seats=[BOT, BOT], options=options(max_turns=1), limits=wire.TimeLimits(stand_in=Duration())
    )
    until_over(any_server, created)
    rematch = rematch_of(any_server, created)
    assert rematch.session.state == wire.STATE_PLAYING
    assert rematch_of(any_server, created).session.name == rematch.session.name


def test_a_bot_has_no_share_in_the_seeds(any_server: Stubs) -> None:
    seats = [ANN, wire.SeatRequest(kind=wire.SEAT_KIND_BOT, entropy=b"dice")]
    refused = refusal_of(lambda: create(any_server, seats=seats))
    assert (refused.reason, [*refused.fields]) == ("MALFORMED_REQUEST", ["seats[1].entropy"])


def test_a_game_with_bots_goes_on_after_a_restart(tmp_path: Path) -> None:
    with running(tmp_path / "lair.db", stand_in=60) as stubs:
        created = create(stubs, seats=[BOT, ANN], limits=wire.TimeLimits(stand_in=Duration(seconds=1)))
    with running(tmp_path / "lair.db") as stubs:
        assert played(stubs, created, 1)[1].seat == 0
