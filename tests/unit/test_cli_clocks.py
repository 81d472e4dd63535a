"""How the command line tells the time that is left."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from lair import Snapshot, Standing, State, Update
from lair.cli.clocks import time_left

NOW = datetime(2026, 1, 1, tzinfo=UTC)
ANN = Standing((0,), (0,))


def snapshot(deadline: datetime | None) -> Snapshot[Any]:
    return Snapshot(State.PLAYING, 0, "", 0, None, (), ANN, deadline, NOW if deadline else None)


@pytest.mark.parametrize(
    ("span", "said"),
    [
        (timedelta(seconds=-3), "0 s left"),
        (timedelta(seconds=0.3), "1 s left"),
        (timedelta(seconds=12), "12 s left"),
        (timedelta(seconds=119), "119 s left"),
        (timedelta(seconds=121), "3 min left"),
        (timedelta(minutes=90), "90 min left"),
        (timedelta(hours=47), "47 h left"),
        (timedelta(days=30), "30 d left"),
    ],
)
def test_the_time_left_is_in_the_largest_unit_that_tells_enough(span: timedelta, said: str) -> None:
    assert time_left(snapshot(NOW + span)) == said


def test_without_a_deadline_nothing_is_said() -> None:
    assert time_left(snapshot(None)) == ""


def test_after_a_move_the_time_counts_from_when_it_was_committed() -> None:
    update = Update(1, "", 0, (), (), None, (), ANN, NOW, NOW + timedelta(seconds=7))
    assert time_left(update) == "7 s left"
