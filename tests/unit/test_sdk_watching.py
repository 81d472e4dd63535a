"""Where a watcher stands, without any stream."""

import grpc
import pytest
from monsters.session.v1 import session_pb2 as wire

import lair
from lair import _reading as reading
from lair import watching
from lair._known import KnownFacts
from lair._translation import closed, cut_off, missing
from lair.errors import Details
from lair.watching import Place, Watch

SNAPSHOT = wire.WatchSessionResponse(snapshot=wire.Snapshot(state=wire.STATE_PLAYING, revision=4))
LOBBY = wire.WatchSessionResponse(snapshot=wire.Snapshot(state=wire.STATE_LOBBY))
HEARTBEAT = wire.WatchSessionResponse(heartbeat=wire.Heartbeat(revision=4))


def seats(*names: str, left: int | None = None) -> list[wire.Seat]:
    """Seats with these names; one without a name is free."""
    return [
        wire.Seat(seat=seat, display_name=name, taken=bool(name), left=seat == left) for seat, name in enumerate(names)
    ]


PLAYING = wire.Session(name="sessions/7f3k", state=wire.STATE_PLAYING, revision=4, seats=seats("Ann", "Ben"))


def known(session: wire.Session = PLAYING) -> KnownFacts:
    return KnownFacts(reading.facts(session))


def told(session: wire.Session) -> wire.WatchSessionResponse:
    return wire.WatchSessionResponse(session=session)


def lobby(*names: str) -> wire.Session:
    return wire.Session(name="sessions/7f3k", state=wire.STATE_LOBBY, seats=seats(*names))


def update(revision: int) -> wire.WatchSessionResponse:
    return wire.WatchSessionResponse(update=wire.Update(revision=revision))


def closing(reason: wire.ClosingReason.ValueType) -> wire.WatchSessionResponse:
    return wire.WatchSessionResponse(closing=wire.Closing(reason=reason, revision=4))


def resumes_after(watch: Watch) -> int | None:
    request = watch.call().request
    assert isinstance(request, wire.WatchSessionRequest)
    return request.after_revision if request.HasField("after_revision") else None


def watcher(after: int | None = None) -> Watch:
    return Watch(known(), "token", 0, after)


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
    place = Place(known())
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
    """Also when each stream begins as all do: with what everybody may know."""
    watch = watcher(after=4)
    for _ in range(watching.ATTEMPTS):
        assert watch.take(told(PLAYING)) is None
        watch.take(closing(wire.CLOSING_REASON_GOING_AWAY))
        watch.broken()
    with pytest.raises(lair.Unavailable, match="ends the stream"):
        watch.broken()


def test_a_server_s_wish_for_a_pause_is_kept() -> None:
    details = Details(grpc.StatusCode.RESOURCE_EXHAUSTED, "too many", "TOO_MANY_WATCHERS", retry_after=3.0)
    assert Place(known()).broken(lair.TooMany(details)) >= 3.0


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
        Place(known()).broken(error)


def test_what_a_stream_begins_with_is_known_and_no_change() -> None:
    facts = known(lobby("", ""))
    watch = Watch(facts, "token", 0, None)
    assert watch.take(told(lobby("Ann", ""))) is None
    assert facts.latest.seats[0].name == "Ann"


def test_who_joins_and_who_leaves_is_told_once_also_when_a_stream_is_opened_again() -> None:
    facts = known(lobby("", ""))
    watch = Watch(facts, "token", 0, None)
    watch.take(told(lobby("", "")))
    change = watch.take(told(lobby("Ann", "")))
    assert isinstance(change, lair.FactsChanged)
    assert ([seat.name for seat in change.joined], change.left) == (["Ann"], ())
    watch.broken()
    assert watch.take(told(lobby("Ann", ""))) is None
    watch.broken()
    change = watch.take(told(lobby("Ben", "Cleo")))
    assert isinstance(change, lair.FactsChanged)
    assert [seat.name for seat in change.left] == ["Ann"]
    assert [(seat.index, seat.name) for seat in change.joined] == [(0, "Ben"), (1, "Cleo")]
    assert facts.latest is change.facts


def test_who_leaves_during_the_game_is_told_by_name() -> None:
    before, after = (wire.Session(seats=seats("Ann", "Ben", left=left)) for left in (None, 1))
    change = lair.FactsChanged(reading.facts(before), reading.facts(after))
    assert ([seat.name for seat in change.left], change.joined) == (["Ben"], ())
    later = lair.FactsChanged(reading.facts(after), reading.facts(after))
    assert (later.left, later.joined, later.aborted, later.rematch) == ((), (), False, "")


def test_an_end_without_a_result_and_a_rematch_are_told() -> None:
    watch = watcher()
    watch.take(told(PLAYING))
    aborted = wire.Session(name="sessions/7f3k", state=wire.STATE_ABORTED, revision=4, seats=PLAYING.seats)
    change = watch.take(told(aborted))
    assert isinstance(change, lair.FactsChanged)
    assert (change.aborted, change.rematch) == (True, "")
    aborted.rematch = "sessions/8g4m"
    change = watch.take(told(aborted))
    assert isinstance(change, lair.FactsChanged)
    assert (change.aborted, change.rematch) == (False, "sessions/8g4m")


def test_a_watch_goes_on_after_the_end_until_a_rematch_if_it_shall() -> None:
    for wanted in (True, False):
        watch = Watch(known(), "token", 0, None, until_rematch=wanted)
        watch.take(SNAPSHOT)
        request = watch.call().request
        assert isinstance(request, wire.WatchSessionRequest)
        assert (request.await_rematch, request.after_revision) == (wanted, 4)


def test_every_revision_is_known_and_what_comes_late_changes_nothing() -> None:
    facts = known(lobby("Ann", "Ben"))
    start, move, end = (wire.Update(revision=revision, etag=f'"{revision}"') for revision in range(3))
    end.standing.outcome.reason = "row_1_2"
    watch = Watch(facts, "token", 0, -1)
    for revision, state in ((start, lair.State.PLAYING), (move, lair.State.PLAYING), (end, lair.State.OVER)):
        watch.take(wire.WatchSessionResponse(update=revision))
        assert (facts.latest.state, facts.latest.etag) == (state, revision.etag)
    seen = facts.latest
    late = Watch(facts, "token", 0, -1)
    for message in (told(lobby("Ann", "Ben")), wire.WatchSessionResponse(update=start)):
        late.take(message)
    assert facts.latest is seen


@pytest.mark.parametrize("code", [grpc.StatusCode.INTERNAL, grpc.StatusCode.UNKNOWN])
def test_a_stream_that_a_proxy_has_cut_passes(code: grpc.StatusCode) -> None:
    assert Place(known()).broken(lair.ServerError(Details(code, "Received RST_STREAM with error code 2"))) > 0
