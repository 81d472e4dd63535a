"""How often a call is made, without any call."""

import grpc
import pytest

from lair import _attempts as attempts
from lair._attempts import Attempts
from lair._translation import closed, foreign, too_late
from lair.errors import Details, IllegalMove, LairError, TooMany, Unavailable

AWAY = Unavailable(Details(grpc.StatusCode.UNAVAILABLE, "away"))


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(attempts, "time", clock)
    return clock


def tries(clock: Clock, these: Attempts, failure: LairError, *, met: bool) -> float:
    """The seconds until such a failure is told, when each attempt fails at once."""
    began = clock.now
    while True:
        try:
            clock.now += these.failed(failure, met=met)
        except LairError:
            return clock.now - began


def test_a_server_that_has_answered_is_waited_for_as_long_as_the_timeout(clock: Clock) -> None:
    assert 28 < tries(clock, Attempts(30.0, 20.0), AWAY, met=True) <= 30


def test_an_address_where_nobody_ever_was_is_told_of_soon(clock: Clock) -> None:
    assert 3 < tries(clock, Attempts(30.0, 20.0), AWAY, met=False) <= attempts.STRANGER_PATIENCE


def test_silence_lasts_for_half_of_the_timeout_and_each_next_attempt_has_more(clock: Clock) -> None:
    these, given = Attempts(60.0, 5.0), []
    while not these.over:
        given.append(these.left)
        clock.now += these.left
        try:
            clock.now += these.failed(too_late("server"), met=False)
        except Unavailable:
            break
    assert given[:3] == pytest.approx([5.0, 10.0, 20.0])
    assert Attempts(10.0, 20.0).left == 5.0


def test_a_server_s_wish_for_a_pause_is_kept(clock: Clock) -> None:
    busy = Unavailable(Details(grpc.StatusCode.UNAVAILABLE, "away", retry_after=3.0))
    assert Attempts(10.0, 20.0).failed(busy, met=True) == 3.0


@pytest.mark.parametrize(
    "failure",
    [
        closed("server"),
        foreign("server", "SPEAKS_TLS"),
        IllegalMove(Details(grpc.StatusCode.FAILED_PRECONDITION, "no")),
        TooMany(Details(grpc.StatusCode.RESOURCE_EXHAUSTED, "no")),
    ],
)
def test_what_does_not_pass_is_told_at_once(failure: LairError) -> None:
    with pytest.raises(type(failure)):
        Attempts(10.0, 20.0).failed(failure, met=True)


def test_without_retries_there_is_one_attempt_with_all_the_time(clock: Clock) -> None:
    alone = Attempts(10.0, 1.0, again=False)
    assert alone.left == 10.0
    with pytest.raises(Unavailable):
        alone.failed(AWAY, met=True)
