"""Clocks and leaving through real gRPC: deadlines, exactly one time-out, stand-ins, the end of what nobody touches."""

import time
from itertools import pairwise
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.protobuf.duration_pb2 import Duration
from monsters.session.v1 import session_pb2 as wire

from services.games import find_games
from tests.support.processes import Server
from tests.support.refusals import refusal_of
from tests.support.servers import Stubs, running
from tests.support.sessions import bearer

PATIENCE = 90.0


def seconds(number: float) -> Duration:
    duration = Duration()
    duration.FromMilliseconds(round(number * 1000))
    return duration


def create(stubs: Stubs, game: str = "cabbages", seats: int = 2, **limits: float) -> wire.CreateSessionResponse:
    chosen = wire.TimeLimits(**{name: seconds(value) for name, value in limits.items()})
    request = wire.CreateSessionRequest(
        game=game, seats=[wire.SeatRequest(name=f"Seat {n}") for n in range(seats)], all_tokens=True, limits=chosen
    )
    return stubs.sessions.CreateSession(request)


def get(stubs: Stubs, name: str) -> wire.Session:
    return stubs.sessions.GetSession(wire.GetSessionRequest(name=name)).session


def history(stubs: Stubs, name: str) -> list[wire.Update]:
    return list(stubs.sessions.ListEvents(wire.ListEventsRequest(name=name, page_size=1000)).updates)


def leave(stubs: Stubs, name: str, token: str) -> wire.Session:
    return stubs.sessions.LeaveSession(wire.LeaveSessionRequest(name=name), metadata=bearer(token)).session


def until(stubs: Stubs, name: str, state: int) -> wire.Session:
    deadline = time.monotonic() + PATIENCE
    while (session := get(stubs, name)).state != state:
        assert time.monotonic() < deadline, session
        time.sleep(0.01)
    return session


def played(stubs: Stubs, name: str, moves: int) -> wire.Session:
    """The session, once so many moves were played."""
    deadline = time.monotonic() + PATIENCE
    while (session := get(stubs, name)).revision < moves:
        assert time.monotonic() < deadline, session
        time.sleep(0.01)
    return session


def test_the_deadline_is_shown_with_the_server_s_time_and_streamed(server: Stubs) -> None:
    created = create(server, turn=600)
    snapshot = server.sessions.GetView(wire.GetViewRequest(name=created.session.name)).snapshot
    left = snapshot.deadline.ToNanoseconds() - snapshot.server_time.ToNanoseconds()
    assert 590 < left / 1e9 <= 600
    assert get(server, created.session.name).deadline == snapshot.deadline
    seat = snapshot.standing.awaited[0]
    request = wire.SubmitMoveRequest(name=created.session.name, text="harvest")
    update = server.sessions.SubmitMove(request, metadata=bearer(created.seat_tokens[seat])).update
    assert update.deadline.ToNanoseconds() - update.commit_time.ToNanoseconds() == 600 * 10**9


def test_without_a_limit_there_is_no_deadline(server: Stubs) -> None:
    session = create(server).session
    assert not session.HasField("deadline")
    assert not session.limits.HasField("turn")
    assert session.limits.idle.seconds > 0


def test_a_time_out_is_played_once_each_time_that_a_turn_is_over_due(server: Stubs) -> None:
    created = create(server, turn=0.3)
    time.sleep(1.0)
    updates = history(server, created.session.name)
    assert 2 <= len(updates) - 1 <= 4
    assert not any(update.HasField("seat") for update in updates)
    for before, after in pairwise(updates):
        assert after.commit_time.ToNanoseconds() >= before.deadline.ToNanoseconds() > 0


def test_one_turn_of_several_moves_has_one_clock(server: Stubs) -> None:
    created = create(server, game="maidens", turn=600)
    seat = created.session.standing.awaited[0]
    request = wire.SubmitMoveRequest(name=created.session.name, text="roll")
    update = server.sessions.SubmitMove(request, metadata=bearer(created.seat_tokens[seat])).update
    if update.standing.stage == created.session.standing.stage:
        assert update.deadline == created.session.deadline
    else:
        assert update.deadline.ToNanoseconds() > created.session.deadline.ToNanoseconds()


@pytest.mark.parametrize(
    "limits",
    [{"turn": 0.01}, {"turn": 10**8}, {"idle": 0.5}, {"keep": 0}, {"idle": 10**9}, {"turn": -1}, {"stand_in": 61}],
)
def test_absurd_limits_are_refused(server: Stubs, limits: dict[str, float]) -> None:
    refused = refusal_of(lambda: create(server, **limits))
    assert refused.reason == "MALFORMED_REQUEST"
    assert [*refused.fields] == [f"limits.{next(iter(limits))}"]


def test_a_session_that_nobody_touches_is_ended_and_then_deleted_with_everything(tmp_path: Path) -> None:
    with running(tmp_path / "lair.db") as stubs:
        name = create(stubs, idle=1, keep=1).session.name
        until(stubs, name, wire.STATE_ABORTED)
        deadline = time.monotonic() + PATIENCE
        while code_of(stubs, name) is not grpc.StatusCode.NOT_FOUND:
            assert time.monotonic() < deadline
            time.sleep(0.05)
    assert rows_left(tmp_path / "lair.db") == {"sessions": 0, "seats": 0, "records": 0, "requests": 0}


def code_of(stubs: Stubs, name: str) -> grpc.StatusCode:
    try:
        get(stubs, name)
    except grpc.RpcError as error:
        return error.code()
    return grpc.StatusCode.OK


def rows_left(database: Path) -> dict[str, int]:
    import sqlite3  # noqa: PLC0415  only this test looks into the file

    with sqlite3.connect(database) as connection:
        tables = ("sessions", "seats", "records", "requests")
        counts = {table: connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0] for table in tables}
    connection.close()
    return counts


def test_whoever_moves_keeps_the_session_from_being_idle(server: Stubs) -> None:
    created = create(server, seats=5, idle=2)  # with five seats the first eight turns end no game
    session = created.session
    for _ in range(8):
        time.sleep(0.4)
        token = created.seat_tokens[session.standing.awaited[0]]
        request = wire.SubmitMoveRequest(name=session.name, text="harvest")
        server.sessions.SubmitMove(request, metadata=bearer(token))
        session = get(server, session.name)
        assert session.state == wire.STATE_PLAYING


@pytest.mark.parametrize("game", find_games())
def test_a_game_that_everybody_leaves_is_played_to_its_end(server: Stubs, game: str) -> None:
    seats = find_games()[game].game.seats[0]
    created = create(server, game=game, seats=seats)
    for token in created.seat_tokens:
        leave(server, created.session.name, token)
    session = until(server, created.session.name, wire.STATE_OVER)
    assert all(seat.left for seat in session.seats)
    assert session.standing.HasField("outcome")
    # A stand-in plays its seat: no time-out was needed.
    assert all(update.HasField("seat") for update in history(server, session.name)[1:])


def test_a_seat_that_was_left_opens_nothing_more(server: Stubs) -> None:
    created = create(server)
    leave(server, created.session.name, created.seat_tokens[0])
    refused = refusal_of(lambda: leave(server, created.session.name, created.seat_tokens[0]))
    assert refused.reason == "BAD_TOKEN"


def test_only_the_seat_that_was_left_is_played_for_it(server: Stubs) -> None:
    created = create(server, stand_in=0)
    first = created.session.standing.awaited[0]
    leave(server, created.session.name, created.seat_tokens[1 - first])
    request = wire.SubmitMoveRequest(name=created.session.name, text="harvest")
    server.sessions.SubmitMove(request, metadata=bearer(created.seat_tokens[first]))
    session = played(server, created.session.name, 2)
    assert [update.seat for update in history(server, session.name)[1:]] == [first, 1 - first]
    assert list(session.standing.awaited) == [first]


def test_a_stand_in_leaves_the_others_their_time_to_talk(server: Stubs) -> None:
    """In a discussion everybody is awaited all the time: a stand-in makes an offer, and waits for the answer."""
    created = create(server, game="heads", seats=3, stand_in=0)
    leave(server, created.session.name, created.seat_tokens[0])
    played(server, created.session.name, 1)
    time.sleep(0.5)
    assert get(server, created.session.name).revision == 1


def commit_times(stubs: Stubs, name: str) -> list[float]:
    """In seconds."""
    return [update.commit_time.ToNanoseconds() / 1e9 for update in history(stubs, name)]


def test_a_stand_in_waits_after_the_last_change_so_that_it_beats_no_reflex(server: Stubs) -> None:
    created = create(server, stand_in=0.5)
    assert created.session.limits.stand_in == seconds(0.5)
    name, first = created.session.name, created.session.standing.awaited[0]
    left = leave(server, name, created.seat_tokens[first]).update_time.ToNanoseconds() / 1e9
    played(server, name, 1)
    assert commit_times(server, name)[1] - left >= 0.5


def test_a_stand_in_is_faster_than_the_time_out_of_its_turn(server: Stubs) -> None:
    created = create(server, stand_in=60, turn=1)
    name, first = created.session.name, created.session.standing.awaited[0]
    leave(server, name, created.seat_tokens[first])
    played(server, name, 1)
    assert history(server, name)[1].seat == first
    before, after = commit_times(server, name)[:2]
    assert after - before >= 0.5


def test_a_stand_in_waits_for_nobody_once_every_seat_was_left(server: Stubs) -> None:
    created = create(server, stand_in=60)
    for token in created.seat_tokens:
        leave(server, created.session.name, token)
    until(server, created.session.name, wire.STATE_OVER)


def test_a_seat_left_in_a_lobby_is_free_again(server: Stubs) -> None:
    request = wire.CreateSessionRequest(game="cabbages", seats=[wire.SeatRequest(), wire.SeatRequest()])
    created = server.sessions.CreateSession(request)
    joined = server.sessions.JoinSession(wire.JoinSessionRequest(join_code=created.join_code, display_name="Ann"))
    session = leave(server, created.session.name, joined.seat_token)
    assert [seat.taken for seat in session.seats] == [False, False]
    for name in ("Ben", "Cleo"):
        joined = server.sessions.JoinSession(wire.JoinSessionRequest(join_code=created.join_code, display_name=name))
    assert joined.session.state == wire.STATE_PLAYING
    assert [seat.display_name for seat in joined.session.seats] == ["Ben", "Cleo"]


@pytest.mark.parametrize(
    "token", [lambda created: created.host_token, lambda _: "nonsense"], ids=["the host's", "nobody's"]
)
def test_only_a_seat_can_leave(server: Stubs, token: Any) -> None:
    created = create(server)
    refused = refusal_of(lambda: leave(server, created.session.name, token(created)))
    assert refused.reason == "BAD_TOKEN"


@pytest.mark.slow
def test_a_deadline_that_passed_while_nobody_ran_fires_once(tmp_path: Path) -> None:
    server = Server(tmp_path / "lair.db", LAIR_LOG_LEVEL="warning")
    with server, Stubs(server.address) as stubs:
        name = create(stubs, turn=3600).session.name
        short = create(stubs, turn=1.5).session.name
        server.kill()
        time.sleep(2.5)
        server.start()
        deadline = time.monotonic() + PATIENCE
        while not history(stubs, short)[1:]:
            assert time.monotonic() < deadline
            time.sleep(0.01)
        assert [update.HasField("seat") for update in history(stubs, short)[1:]] == [False]
        assert not history(stubs, name)[1:]
