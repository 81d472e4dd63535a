"""A watcher sees every revision once and in order, from wherever it begins, and is told why the stream ends."""

import time
from pathlib import Path

import pytest
from monsters.session.v1 import session_pb2 as wire

from tests.support.servers import Stubs, running
from tests.support.sessions import (
    abort,
    create,
    endless,
    feed_on,
    history_of,
    join,
    open_lobby,
    options,
    session_of,
    submit,
    view_of,
    watch,
)

TURNS = 6
MANY = 300
"""Updates that no longer fit into what HTTP/2 and the fan-out hold for a reader that does not read."""


def kinds(messages: list[wire.WatchSessionResponse]) -> list[str | None]:
    return [message.WhichOneof("message") for message in messages if not message.HasField("heartbeat")]


def updates(messages: list[wire.WatchSessionResponse]) -> list[wire.Update]:
    return [message.update for message in messages if message.HasField("update")]


def test_a_watcher_gets_a_snapshot_then_every_move_then_the_reason_of_the_end(any_server: Stubs) -> None:
    created = create(any_server, **endless(TURNS))
    stream = watch(any_server, created)
    first = next(stream)
    assert first.snapshot == view_of(any_server, created)
    feed_on(any_server, created)
    rest = list(stream)
    assert kinds(rest) == ["update"] * TURNS + ["closing"]
    assert [update.revision for update in updates(rest)] == list(range(1, TURNS + 1))
    assert rest[-1].closing == wire.Closing(reason=wire.CLOSING_REASON_SESSION_ENDED, revision=TURNS)


def test_a_seat_is_told_of_its_own_moves_as_it_was_answered(any_server: Stubs) -> None:
    created = create(any_server, **endless(TURNS))
    stream = watch(any_server, created, 0)
    assert next(stream).snapshot == view_of(any_server, created, 0)
    played = feed_on(any_server, created)
    told = updates(list(stream))
    assert [update for update in told if update.seat == 0] == [update for update in played if update.seat == 0]
    for update in told:
        snapshot = view_of(any_server, created, 0, revision=update.revision)
        assert (update.view, update.moves) == (snapshot.view, snapshot.moves)


def test_everybody_who_watches_is_told(any_server: Stubs) -> None:
    created = create(any_server, **endless(TURNS))
    streams = [watch(any_server, created, viewer) for viewer in (None, None, 0, 1)]
    for stream in streams:
        assert next(stream).HasField("snapshot")
    feed_on(any_server, created)
    for stream in streams:
        assert [update.revision for update in updates(list(stream))] == list(range(1, TURNS + 1))


@pytest.mark.parametrize("after", range(-1, TURNS + 1))
def test_a_watch_resumes_from_every_revision(any_server: Stubs, after: int) -> None:
    """Half of the rest is there already when the stream begins; the other half comes while it runs."""
    created = create(any_server, **endless(TURNS))
    feed_on(any_server, created, most=max(after, TURNS // 2))
    stream = watch(any_server, created, after_revision=after)
    feed_on(any_server, created)
    messages = list(stream)
    assert kinds(messages) == ["update"] * (TURNS - after) + ["closing"]
    for told, stored in zip(updates(messages), history_of(any_server, created)[after + 1 :], strict=True):
        told.ClearField("view")
        told.ClearField("moves")
        assert told == stored


def test_a_session_that_is_over_is_shown_and_closed(any_server: Stubs) -> None:
    created = create(any_server, options=options(max_turns=1))
    submit(any_server, created, 0)
    messages = list(watch(any_server, created))
    assert kinds(messages) == ["snapshot", "closing"]
    assert messages[0].snapshot.state == wire.STATE_OVER
    assert kinds(list(watch(any_server, created, after_revision=1))) == ["closing"]
    assert kinds(list(watch(any_server, created, after_revision=0))) == ["update", "closing"]


def test_an_abort_closes_the_watch(any_server: Stubs) -> None:
    for created in (create(any_server), open_lobby(any_server)):
        stream = watch(any_server, created)
        assert next(stream).HasField("snapshot")
        assert abort(any_server, created).state == wire.STATE_ABORTED
        assert kinds(messages := list(stream)) == ["session", "closing"]
        assert messages[-2].session.state == wire.STATE_ABORTED
        assert messages[-1].closing.reason == wire.CLOSING_REASON_SESSION_ENDED
        assert kinds(list(watch(any_server, created))) == ["snapshot", "closing"]


def test_whoever_watches_a_lobby_sees_the_start(any_server: Stubs) -> None:
    lobby = open_lobby(any_server)
    stream, resumed = watch(any_server, lobby), watch(any_server, lobby, after_revision=-1)
    snapshot = next(stream).snapshot
    assert snapshot.state == wire.STATE_LOBBY
    assert not snapshot.HasField("view")
    lobby.seat_tokens.extend(join(any_server, lobby).seat_token for _ in range(2))
    for told in (first_update(stream), first_update(resumed)):
        assert (told.revision, told.standing) == (0, session_of(any_server, lobby).standing)
        assert told.HasField("view")
    submit(any_server, lobby, 0)
    assert first_update(stream).revision == first_update(resumed).revision == 1
    stream.cancel()
    resumed.cancel()


def first_update(stream: object) -> wire.Update:
    """The next message that is neither a heartbeat nor the session has to be an update."""
    while True:
        message: wire.WatchSessionResponse = next(stream)  # type: ignore[call-overload]  # a stream of gRPC
        if not message.HasField("heartbeat") and not message.HasField("session"):
            assert message.HasField("update")
            return message.update


def test_a_reader_that_does_not_read_misses_nothing(any_server: Stubs) -> None:
    created = create(any_server, **endless(MANY))
    stream = watch(any_server, created, 0)
    assert next(stream).HasField("snapshot")
    feed_on(any_server, created)
    messages = list(stream)
    assert [update.revision for update in updates(messages)] == list(range(1, MANY + 1))
    assert messages[-1].closing.revision == MANY


def test_a_silent_stream_has_heartbeats(tmp_path: Path) -> None:
    with running(tmp_path / "lair.db", heartbeat=0.05) as server:
        created = create(server)
        submit(server, created, 0)
        stream = watch(server, created)
        assert next(stream).HasField("snapshot")
        started = time.time()
        beats = [next(stream).heartbeat for _ in range(3)]
        assert {beat.revision for beat in beats} == {1}
        assert beats[0].server_time.ToDatetime() < beats[-1].server_time.ToDatetime()
        assert 0.1 < time.time() - started < 20
        submit(server, created, 1)
        assert first_update(stream).revision == 2
        stream.cancel()
