"""The service's time: by the wall at the start, then by what has really passed, whatever the wall clock does."""

import json

import pytest

from services.session.adapters.clock import MOST_STEP, Clock, keeping_time, passed_time, wall_time
from services.session.adapters.memory import MemoryStore
from tests.support.leaks.overhearing import log_of_everything

SECOND = 1_000_000
HOUR = 3_600 * SECOND
NOW = 1_800_000_000 * SECOND


class Sources:
    """A wall clock and the time that has passed; the test moves both."""

    def __init__(self) -> None:
        self.wall = NOW
        self.passed = 17 * SECOND

    def wait(self, microseconds: int) -> None:
        """Let time pass."""
        self.wall += microseconds
        self.passed += microseconds

    def clock(self, seen: int | None = None) -> Clock:
        """A clock that starts now."""
        return Clock(seen, lambda: self.wall, lambda: self.passed)


@pytest.fixture
def sources() -> Sources:
    return Sources()


def test_it_begins_with_the_wall_clock_and_goes_on_as_time_passes(sources: Sources) -> None:
    clock = sources.clock()
    assert clock.now() == NOW
    sources.wait(5 * SECOND)
    assert clock.now() == NOW + 5 * SECOND


@pytest.mark.parametrize("jump", [-HOUR, 40 * 24 * HOUR, 10 * 365 * 24 * HOUR, -10 * 365 * 24 * HOUR])
def test_a_jump_of_the_wall_clock_is_told_once_and_otherwise_ignored(sources: Sources, jump: int) -> None:
    clock = sources.clock()
    sources.wait(SECOND)
    sources.wall += jump
    with log_of_everything() as log:
        for _ in range(3):
            clock.look_at_wall()
            sources.wait(SECOND)
    assert clock.now() == NOW + 4 * SECOND
    (line,) = log.getvalue().splitlines()
    told = json.loads(line)
    assert (told["level"], told["seconds"]) == ("warning", jump / SECOND)


def test_clocks_that_run_a_little_apart_are_nothing_to_tell_of(sources: Sources) -> None:
    clock = sources.clock()
    with log_of_everything() as log:
        sources.wall += SECOND // 2
        clock.look_at_wall()
    assert not log.getvalue()


@pytest.mark.parametrize("behind", [SECOND, HOUR, 365 * 24 * HOUR])
def test_it_never_begins_before_the_last_time_that_was_seen(sources: Sources, behind: int) -> None:
    clock = sources.clock(seen=NOW + behind)
    assert (clock.now(), clock.standstill) == (NOW + behind, 0)
    sources.wait(SECOND)
    assert clock.now() == NOW + behind + SECOND


def test_a_wall_clock_far_ahead_of_the_last_time_seen_is_a_standstill(sources: Sources) -> None:
    assert sources.clock(seen=NOW - HOUR).standstill == 0
    clock = sources.clock(seen=NOW - 2 * HOUR)
    assert (clock.now(), clock.standstill) == (NOW, 2 * HOUR)


def test_the_real_clocks_count_microseconds() -> None:
    clock = Clock(None)
    assert abs(clock.now() - wall_time()) < 60 * SECOND
    first = passed_time()
    assert first <= passed_time() < first + 60 * SECOND


class SharingStore(MemoryStore):
    """A store whose servers share its clock. Each time it tells, some time passes."""

    def __init__(self, sources: Sources, ahead: int) -> None:
        super().__init__()
        self.sources, self.ahead = sources, ahead

    async def shared_time(self) -> int | None:
        self.sources.wait(SECOND)
        told = self.sources.wall + self.ahead
        self.sources.wait(SECOND)
        return told


@pytest.mark.parametrize("ahead", [-HOUR, -SECOND // 2, 0, HOUR])
async def test_servers_that_share_a_store_begin_with_its_clock(sources: Sources, ahead: int) -> None:
    with log_of_everything() as log:
        async with keeping_time(SharingStore(sources, ahead), lambda: sources.wall, lambda: sources.passed) as clock:
            assert clock.now() == sources.wall + ahead
            assert clock.standstill == 0
            clock.look_at_wall()
    assert log.getvalue().count("this machine's clock") == (abs(ahead) > SECOND)


def test_what_a_shared_clock_is_ahead_or_behind_is_made_up_for_in_small_steps(sources: Sources) -> None:
    clock = sources.clock()
    clock.approach(MOST_STEP // 3)
    assert clock.now() == NOW + MOST_STEP // 3
    clock.approach(HOUR)
    assert clock.now() == NOW + MOST_STEP // 3 + MOST_STEP


def test_time_that_is_set_back_stands_still_and_never_goes_back(sources: Sources) -> None:
    clock = sources.clock()
    assert clock.now() == NOW
    clock.approach(-HOUR)
    assert clock.now() == NOW
    sources.wait(MOST_STEP)
    assert clock.now() == NOW
    sources.wait(1)
    assert clock.now() == NOW + 1
