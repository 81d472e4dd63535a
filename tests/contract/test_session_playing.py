"""PlaySeat means what SubmitMove and WatchSession mean: one stream, in an order that a player can rely on."""

import asyncio
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import grpc
import pytest
from monsters.rules.v1 import opaque_pb2 as opaque
from monsters.session.v1 import session_pb2 as wire

from services.session.adapters.rules_inprocess import InProcessRules
from tests.support.refusals import read_status
from tests.support.servers import PATIENCE, Stubs, running_with
from tests.support.sessions import (
    Created,
    Player,
    abort,
    create,
    endless,
    history_of,
    join,
    new_id,
    open_lobby,
    options,
    session_of,
    submit,
    view_of,
)

TURNS = 12
GAMES = 20


def error_of(message: wire.PlaySeatResponse) -> str:
    """Why a move was refused, within the stream."""
    assert message.acknowledgement.HasField("error")
    assert message.acknowledgement.revision == 0
    return read_status(message.acknowledgement.error).reason


def rest_of(player: Player) -> list[wire.PlaySeatResponse]:
    """Everything up to the end, which has to be a good one."""
    telling_nothing = ("heartbeat", "session")
    messages = [message for message in player.received if not any(map(message.HasField, telling_nothing))]
    assert player.received.code() is grpc.StatusCode.OK
    return messages


def test_a_player_gets_a_snapshot_and_then_what_each_move_led_to(any_server: Stubs) -> None:
    created, request_id = create(any_server), new_id()
    with Player(any_server, created, 0) as player:
        assert player.take().snapshot == view_of(any_server, created, 0)
        player.submit(request_id=request_id)
        messages = list(player.answer())
        (update,) = [message.update for message in messages if message.HasField("update")]
        assert messages[-1].acknowledgement == wire.Acknowledgement(request_id=request_id, revision=1)
        assert update == submit_again(any_server, created, request_id)
        submit(any_server, created, 1)
        told = player.take()
        assert (told.update.revision, told.update.seat, told.HasField("acknowledgement")) == (2, 1, False)
        assert [move.text for move in told.update.moves] == [
            move.text for move in view_of(any_server, created, 0).moves
        ]


def submit_again(stubs: Stubs, created: Created, request_id: str) -> wire.Update:
    """The stored answer of a move of seat 0, by its request id."""
    return submit(stubs, created, 0, request_id=request_id)


def test_answers_come_in_the_order_of_the_submits(any_server: Stubs) -> None:
    """All of them are on their way before the first is answered."""
    created, ids = create(any_server), [new_id() for _ in range(5)]
    with Player(any_server, created, 0) as player:
        for request_id, text in zip(ids, ("feed", "dance", "harvest", "harvest", "timeout"), strict=True):
            player.submit(text, request_id=request_id)
        answers = [list(player.answer())[-1] for _ in ids]
        assert [answer.acknowledgement.request_id for answer in answers] == ids
        refused = [error_of(answer) for answer in answers if answer.acknowledgement.HasField("error")]
        assert refused == ["CUP_EMPTY", "MALFORMED_REQUEST", "NOT_YOUR_TURN", "HOST_ONLY"]
        assert answers[2].acknowledgement.revision == 1
    assert session_of(any_server, created).revision == 1


def test_a_refused_move_is_answered_within_the_stream_which_goes_on(any_server: Stubs) -> None:
    created = create(any_server)
    with Player(any_server, created, 0) as player:
        player.submit(etag='"7"')
        *_, message = player.answer()
        refused = read_status(message.acknowledgement.error)
        assert (refused.code, refused.reason) == ("ABORTED", "STALE_SESSION")
        assert refused.metadata == {"current_etag": created.session.etag}
        assert not message.acknowledgement.request_id
        player.submit(etag=created.session.etag)
        *_, message = player.answer()
        assert message.acknowledgement.revision == 1


def test_a_retry_is_acknowledged_with_its_first_revision(any_server: Stubs) -> None:
    created, request_id = create(any_server), new_id()
    submit(any_server, created, 0, request_id=request_id)
    submit(any_server, created, 1)
    with Player(any_server, created, 0) as player:
        for _ in range(2):
            player.submit(request_id=request_id)
            *_, message = player.answer()
            assert message.acknowledgement == wire.Acknowledgement(request_id=request_id, revision=1)
        player.submit("feed", request_id=request_id)
        *_, message = player.answer()
        assert error_of(message) == "REQUEST_ID_REUSED"
    assert session_of(any_server, created).revision == 2


def test_whoever_has_nothing_more_to_send_gets_every_answer(any_server: Stubs) -> None:
    created = create(any_server)
    with Player(any_server, created, 0) as player:
        for text in ("harvest", "harvest", "feed"):
            player.submit(text)
        player.half_close()
        answers = [message for message in rest_of(player) if message.HasField("acknowledgement")]
        assert [answer.acknowledgement.revision for answer in answers] == [1, 0, 0]


def test_a_stream_without_a_submit_ends_when_the_player_leaves(any_server: Stubs) -> None:
    with Player(any_server, create(any_server), 0) as player:
        player.half_close()
        assert [message.HasField("snapshot") for message in rest_of(player)] == [True]


@pytest.mark.parametrize("after", [-1, 0, 1, 2, 3])
def test_a_stream_resumes_without_a_snapshot(any_server: Stubs, after: int) -> None:
    created = create(any_server, **endless(TURNS))
    for revision in range(3):
        submit(any_server, created, revision % 2, "feed")
    with Player(any_server, created, 1, after_revision=after) as player:
        player.submit("feed")
        messages = list(player.answer())
        assert [message.update.revision for message in messages if message.HasField("update")] == list(
            range(after + 1, 5)
        )
        assert not any(message.HasField("snapshot") for message in messages)
        assert messages[-1].acknowledgement.revision == 4


def test_the_host_says_over_a_stream_that_time_is_up(any_server: Stubs) -> None:
    created = create(any_server)
    created.seat_tokens.append(created.host_token)
    with Player(any_server, created, 2) as host:
        assert not host.take().snapshot.HasField("seat")
        host.submit("timeout")
        *_, message = host.answer()
        assert message.acknowledgement.revision == 1
        host.submit("harvest")
        *_, message = host.answer()
        assert error_of(message) == "SEAT_ONLY"


@pytest.mark.parametrize("opening", [{}, {"after_revision": -1}])
def test_a_player_who_is_too_early_is_told_at_once(any_server: Stubs, opening: dict[str, Any]) -> None:
    lobby = open_lobby(any_server)
    lobby.seat_tokens.append(join(any_server, lobby).seat_token)
    with Player(any_server, lobby, 0, **opening) as player:
        player.submit()
        *_, message = player.answer()
        assert error_of(message) == "SESSION_NOT_STARTED"
        join(any_server, lobby)
        assert player.take().update.revision == 0
        player.submit()
        *_, message = player.answer()
        assert message.acknowledgement.revision == 1


def test_an_abort_closes_the_stream(any_server: Stubs) -> None:
    created = create(any_server)
    with Player(any_server, created, 0) as player:
        player.take()
        abort(any_server, created)
        *_, closing = rest_of(player)
        assert closing.closing == wire.Closing(reason=wire.CLOSING_REASON_SESSION_ENDED)


def play(player: Player, seat: int, begun: threading.Barrier) -> Iterator[wire.PlaySeatResponse]:
    """Feed whenever it is the seat's turn, to the end, once all streams have begun; gives every message."""
    for message in player.received:
        if message.HasField("snapshot"):
            begun.wait(PATIENCE)
        standing = message.update.standing if message.HasField("update") else message.snapshot.standing
        if seat in standing.awaited:
            player.submit("feed", request_id=new_id())
        yield message


def test_a_whole_game_is_played_over_streams(any_server: Stubs) -> None:
    created = create(any_server, **endless(TURNS, seats=3))
    with (
        Player(any_server, created, 0) as ann,
        Player(any_server, created, 1) as ben,
        Player(any_server, created, 2) as cleo,
        ThreadPoolExecutor(3) as pool,
    ):
        players = (ann, ben, cleo)
        begun = threading.Barrier(3)
        games = list(pool.map(lambda seat: list(play(players[seat], seat, begun)), range(3)))
    stored = history_of(any_server, created)
    for seat, messages in enumerate(games):
        told = [message.update for message in messages if message.HasField("update")]
        assert [update.revision for update in told] == list(range(1, TURNS + 1))
        assert [(update.seat, update.events) for update in told] == [
            (update.seat, update.events) for update in stored[1:]
        ]
        assert acknowledged(messages) == [update.revision for update in told if update.seat == seat]
        assert messages[-1].closing == wire.Closing(reason=wire.CLOSING_REASON_SESSION_ENDED, revision=TURNS)


def acknowledged(messages: list[wire.PlaySeatResponse]) -> list[int]:
    """The revisions that were acknowledged, none of them before its update."""
    revisions, last = [], 0
    for message in messages:
        last = max(last, message.update.revision)
        if message.HasField("acknowledgement"):
            assert not message.acknowledgement.HasField("error")
            assert message.acknowledgement.revision <= last
            revisions.append(message.acknowledgement.revision)
    return revisions


def test_the_move_that_ends_the_game_is_acknowledged_before_the_stream_closes(any_server: Stubs) -> None:
    for _ in range(GAMES):
        created = create(any_server, options=options(max_turns=1))
        with Player(any_server, created, 0) as player:
            player.submit()
            messages = rest_of(player)
        assert acknowledged(messages) == [1]
        assert messages[-1].HasField("closing")


class SlowForSeatOne(InProcessRules):
    """The rules, taking their time over what seat 1 does."""

    begun = threading.Event()
    go_on = threading.Event()

    async def apply(self, game: str, version: str, request: opaque.ApplyMoveRequest) -> opaque.ApplyMoveResponse:
        if request.seat == 1:
            self.begun.set()
            await asyncio.to_thread(self.go_on.wait, PATIENCE)
        return await super().apply(game, version, request)


def test_a_move_on_its_way_is_answered_before_the_stream_closes(tmp_path: Path) -> None:
    """The other seat ends the game meanwhile."""
    with running_with(SlowForSeatOne, tmp_path / "lair.db") as server:
        created = create(server, options=options(max_turns=1))
        with Player(server, created, 1) as late:
            late.take()
            late.submit()
            assert SlowForSeatOne.begun.wait(PATIENCE)
            assert submit(server, created, 0).standing.HasField("outcome")
            assert late.take().update.revision == 1
            time.sleep(0.1)  # long enough to close a stream that would not wait
            SlowForSeatOne.go_on.set()
            answer, closing = rest_of(late)
        assert error_of(answer) == "GAME_OVER", "what was refused on a session that has changed is asked again"
        assert closing.HasField("closing")
