"""A server whose wall clock is set forth and back: turns take as long as they should, and nothing is lost by it."""

import sqlite3
import time
from itertools import pairwise
from pathlib import Path

import pytest
from google.protobuf.duration_pb2 import Duration
from monsters.session.v1 import session_pb2 as wire

from services.session.adapters.clock import wall_time
from tests.support.servers import PATIENCE, Stubs, running
from tests.support.sessions import Created, abort, create, history_of, session_of, submit, view_of

SECOND = 1_000_000
HOUR = 3_600 * SECOND
DAY = 24 * HOUR
YEAR = 365 * DAY
SHORT_TURN = 0.2


class Wall:
    """The wall clock of a server, which somebody sets."""

    def __init__(self, off: int = 0) -> None:
        self.off = off

    def __call__(self) -> int:
        """Microseconds since 1970, as it has them."""
        return wall_time() + self.off


def seconds(number: float) -> Duration:
    """A duration."""
    return Duration(seconds=int(number), nanos=round(number % 1 * 1e9))


def timed(stubs: Stubs, turn: float) -> Created:
    """A session with a turn, that would end after an idle day and be deleted a day later."""
    limits = wire.TimeLimits(turn=seconds(turn), idle=seconds(86_400), keep=seconds(86_400))
    return create(stubs, 5, limits=limits)


def kept(stubs: Stubs) -> Created:
    """A session that has ended, and is kept for a day."""
    created = timed(stubs, 600)
    abort(stubs, created)
    return created


def times_of(stubs: Stubs, created: Created) -> list[int]:
    """When each revision was committed, in microseconds."""
    return [update.commit_time.ToMicroseconds() for update in history_of(stubs, created)]


def left_of(stubs: Stubs, created: Created) -> float:
    """Seconds that the turn has left."""
    snapshot = view_of(stubs, created)
    return (snapshot.deadline.ToMicroseconds() - snapshot.server_time.ToMicroseconds()) / SECOND


def wait_for_time_outs(stubs: Stubs, created: Created, count: int) -> None:
    """Wait until so many more were played."""
    wait_for_revision(stubs, created, session_of(stubs, created).revision + count)


def wait_for_revision(stubs: Stubs, created: Created, revision: int) -> None:
    """Wait until the session has come so far."""
    deadline = time.monotonic() + PATIENCE
    while session_of(stubs, created).revision < revision:
        assert time.monotonic() < deadline, "the clocks stand still"
        time.sleep(0.01)


def assert_on_time(stubs: Stubs, created: Created, least: float = SHORT_TURN) -> None:
    """No time-out was early by the service's clock, and time never went back."""
    updates = history_of(stubs, created)
    for before, after in pairwise(updates):
        assert after.commit_time.ToMicroseconds() >= before.deadline.ToMicroseconds()
        assert after.commit_time.ToMicroseconds() - before.commit_time.ToMicroseconds() >= least * SECOND


def test_turns_go_on_while_the_wall_clock_is_set_forth_and_back(tmp_path: Path) -> None:
    wall = Wall()
    with running(tmp_path / "lair.db", wall=wall) as stubs:
        short, long, ended = timed(stubs, SHORT_TURN), timed(stubs, 600), kept(stubs)
        began, first = time.monotonic(), times_of(stubs, short)[0]
        for off in (-HOUR, 40 * DAY, 0, -10 * YEAR, 10 * YEAR):
            wall.off = off
            wait_for_time_outs(stubs, short, 1)
        assert_on_time(stubs, short)
        passed, counted = time.monotonic() - began, (times_of(stubs, short)[-1] - first) / SECOND
        assert counted <= passed + PATIENCE, "time is what has passed"
        assert 600 - passed - PATIENCE < left_of(stubs, long) <= 600
        assert session_of(stubs, long).state == wire.STATE_PLAYING
        assert session_of(stubs, ended).state == wire.STATE_ABORTED, "and it is still there"


@pytest.mark.parametrize(
    ("first", "then"),
    [(0, -HOUR), (0, 40 * DAY), (40 * DAY, 0), (-10 * YEAR, 0), (0, -10 * YEAR)],
    ids=["back an hour", "forth forty days", "back forty days", "ten years slow and corrected", "back ten years"],
)
def test_a_restart_with_another_wall_clock_ends_and_deletes_nothing(tmp_path: Path, first: int, then: int) -> None:
    with running(tmp_path / "lair.db", wall=Wall(first)) as stubs:
        short, long, ended = timed(stubs, SHORT_TURN), timed(stubs, 600), kept(stubs)
        wait_for_time_outs(stubs, short, 1)
        before, left = times_of(stubs, short), left_of(stubs, long)
    with running(tmp_path / "lair.db", wall=Wall(then)) as stubs:
        wait_for_time_outs(stubs, short, 2)
        times = times_of(stubs, short)
        assert times[: len(before)] == before
        assert times == sorted(times)
        assert left - PATIENCE * 2 < left_of(stubs, long) <= left, "it goes on with what it had left"
        assert [session_of(stubs, created).state for created in (long, ended)] == [
            wire.STATE_PLAYING,
            wire.STATE_ABORTED,
        ]


def test_a_clock_that_is_corrected_while_the_server_runs_changes_nothing_then_nor_at_the_next_start(
    tmp_path: Path,
) -> None:
    wall = Wall(-10 * YEAR)
    with running(tmp_path / "lair.db", wall=wall) as stubs:
        short, long, ended = timed(stubs, SHORT_TURN), timed(stubs, 600), kept(stubs)
        wall.off = 0
        wait_for_time_outs(stubs, short, 2)
        assert_on_time(stubs, short)
        left = left_of(stubs, long)
    with running(tmp_path / "lair.db", wall=wall) as stubs:
        wait_for_time_outs(stubs, short, 2)
        assert abs(times_of(stubs, short)[-1] - wall_time()) < HOUR, "from now on it shows the right time"
        assert left - PATIENCE * 2 < left_of(stubs, long) <= left
        assert session_of(stubs, ended).state == wire.STATE_ABORTED


def test_a_turn_that_was_over_while_the_server_was_off_for_half_an_hour_times_out_once(tmp_path: Path) -> None:
    with running(tmp_path / "lair.db") as stubs:
        created, kept_on = timed(stubs, 600), timed(stubs, 3600)
    with running(tmp_path / "lair.db", wall=Wall(HOUR // 2)) as stubs:
        wait_for_revision(stubs, created, 1)
        assert 600 - PATIENCE * 2 < left_of(stubs, created) <= 600
        assert session_of(stubs, created).revision == 1
        assert 1800 - PATIENCE * 2 < left_of(stubs, kept_on) <= 1800


def test_a_session_s_times_never_go_back_even_when_the_last_time_was_not_noted(tmp_path: Path) -> None:
    """Killed, a server has not noted what the time was: no revision comes before the one that it follows."""
    database = tmp_path / "lair.db"
    with running(database) as stubs:
        created = timed(stubs, 600)
        submit(stubs, created, 0)
        before = times_of(stubs, created)
    with sqlite3.connect(database) as connection:
        connection.execute("DELETE FROM service_time")
    connection.close()
    with running(database, wall=Wall(-HOUR)) as stubs:
        submit(stubs, created, 1)
        times = times_of(stubs, created)
        assert times[:-1] == before
        assert times == sorted(times)
        abort(stubs, created)
        assert session_of(stubs, created).update_time.ToMicroseconds() >= times[-1]
