"""Where a watcher stands, without any stream."""

import grpc
import pytest
from monsters.session.v1 import session_pb2 as wire

import lair
from lair import watching
from lair._translation import closed, cut_off, missing
from lair.errors import Details
from lair.watching import Place, Watch

SNAPSHOT = wire.WatchSessionResponse(snapshot=wire.Snapshot(state=wire.STATE_PLAYING, revision=4))
LOBBY = wire.WatchSessionResponse(snapshot=wire.Snapshot(state=wire.STATE_LOBBY))
HEARTBEAT = wire.WatchSessionResponse(heartbeat=wire.Heartbeat(revision=4))


def update(revision: int) -> wire.WatchSessionResponse:
    return wire.WatchSessionResponse(update=wire.Update(revision=revision))


def closing(reason: wire.ClosingReason.ValueType) -> wire.WatchSessionResponse:
    return wire.WatchSessionResponse(closing=wire.Closing(reason=reason, revision=4))


def resumes_after(watch: Watch) -> int | None:
    request = watch.call().request
    assert isinstance(request, wire.WatchSessionRequest)
    return request.after_revision if request.HasField("after_revision") else None


def watcher(after: int | None = None) -> Watch:
    return Watch("sessions/7f3k", "token", 0, after)


def test_a_new_watch_asks_for_a_snapshot_and_a_resumed_one_does_not() -> None:
    watch = watcher()
    assert resumes_after(watch) is None
    snapshot = watch.take(SNAPSHOT)
    assert isinstance(snapshot, lair.Snapshot)
    assert resumes_after(watch) == 4
    assert isinstance(watch.take(update(5)), lair.Update)
    assert resumes_after(watch) == 5


def test_a_lobby_has_no_revision_yet() -> None:
    watch = watcher()
    watch.take(LOBBY)
    assert resumes_after(watch) == -1
    assert isinstance(watch.take(update(0)), lair.Update)


def test_a_revision_that_was_seen_is_not_given_again() -> None:
    watch = watcher(after=4)
    assert watch.take(update(3)) is None
    assert watch.take(update(4)) is None
    assert resumes_after(watch) == 4


def test_a_missing_revision_breaks_the_stream_and_not_the_order() -> None:
    watch = watcher(after=4)
    with pytest.raises(lair.Unavailable) as gap:
        watch.take(update(6))
    assert watch.broken(gap.value) < 1
    assert resumes_after(watch) == 4


def test_only_the_end_of_the_session_ends_a_watch() -> None:
    watch = watcher(after=4)
    unheard_of = wire.ClosingReason.ValueType(99)
    for reason in (
        *(wire.CLOSING_REASON_GOING_AWAY, wire.CLOSING_REASON_FAILED),
        *(wire.CLOSING_REASON_UNSPECIFIED, unheard_of),
    ):
        assert watch.take(closing(reason)) is None
        assert not watch.ended
    watch.take(closing(wire.CLOSING_REASON_SESSION_ENDED))
    assert watch.ended


def test_waits_grow_up_to_a_limit_and_then_it_gives_up() -> None:
    place = Place()
    error = cut_off("gone")
    waits = [place.broken(error) for _ in range(watching.ATTEMPTS)]
    assert all(0 < wait <= watching.LONGEST_WAIT for wait in waits)
    assert waits[-1] > waits[0]
    with pytest.raises(lair.Unavailable) as given_up:
        place.broken(error)
    assert given_up.value is error


def test_anything_that_comes_starts_the_patience_anew() -> None:
    watch = watcher(after=4)
    for _ in range(3):
        for _ in range(watching.ATTEMPTS):
            watch.broken(cut_off("gone"))
        watch.take(HEARTBEAT)


def test_a_server_that_only_ever_goes_away_is_given_up() -> None:
    watch = watcher(after=4)
    for _ in range(watching.ATTEMPTS):
        watch.take(closing(wire.CLOSING_REASON_GOING_AWAY))
        watch.broken()
    with pytest.raises(lair.Unavailable, match="ends the stream"):
        watch.broken()


def test_a_server_s_wish_for_a_pause_is_kept() -> None:
    details = Details(grpc.StatusCode.RESOURCE_EXHAUSTED, "too many", "TOO_MANY_WATCHERS", retry_after=3.0)
    assert Place().broken(lair.TooMany(details)) >= 3.0


@pytest.mark.parametrize(
    "error",
    [
        missing("there is no sessions/7f3k", "SESSION_NOT_FOUND"),
        closed("server"),
        lair.ServerError(Details(grpc.StatusCode.INTERNAL, "a defect", "UNEXPECTED", "monsters.rules.v1")),
        lair.BadToken(Details(grpc.StatusCode.UNAUTHENTICATED, "no")),
    ],
)
def test_what_does_not_pass_is_raised_at_once(error: lair.LairError) -> None:
    with pytest.raises(type(error)):
        Place().broken(error)


@pytest.mark.parametrize("code", [grpc.StatusCode.INTERNAL, grpc.StatusCode.UNKNOWN])
def test_a_stream_that_a_proxy_has_cut_passes(code: grpc.StatusCode) -> None:
    assert Place().broken(lair.ServerError(Details(code, "Received RST_STREAM with error code 2"))) > 0
