"""Which of many seats is the most urgent, without a server."""

import random
from datetime import UTC, datetime, timedelta

import lair
from lair.errors import Details
from lair.types import Outcome, SeatFacts, SeatKind

NOW = datetime(2026, 1, 1, tzinfo=UTC)
OVER = lair.Standing((), (), Outcome((0,), (1, 0), "row_1_2"))


def standing(
    at: lair.Standing | None,
    state: lair.State = lair.State.PLAYING,
    *,
    left: int | None = None,
    quiet: int = 0,
    now: datetime = NOW,
) -> lair.SeatStanding:
    """Of seat 0, with so many seconds left, after so many seconds without a change."""
    seats = tuple(SeatFacts(seat, "", SeatKind.HUMAN, taken=True) for seat in (0, 1))
    changed = now - timedelta(seconds=quiet)
    deadline = None if left is None else now + timedelta(seconds=left)
    facts = lair.SessionFacts(
        *("sessions/7f3k", "cabbages", state, 0, "", seats, None, "1", b"", at, NOW, changed), deadline=deadline
    )
    return lair.SeatStanding("sessions/7f3k", "token", facts, 0, now)


def test_the_order_of_urgency() -> None:
    mine, free, others = lair.Standing((0,), (0, 1)), lair.Standing((1,), (0, 1)), lair.Standing((1,), (1,))
    unknown = lair.NotFound(Details(None, ""))  # type: ignore[arg-type]  # it is not looked at
    expected = [
        standing(mine, left=5),
        standing(mine, left=9, quiet=100),
        standing(mine, quiet=100),
        standing(mine, quiet=10),
        standing(free, left=1),
        standing(free),
        standing(others, left=1),
        standing(others, quiet=50),
        standing(others),
        standing(None, lair.State.LOBBY),
        standing(OVER, lair.State.OVER, quiet=10),
        standing(mine, lair.State.ABORTED, quiet=90),
        lair.SeatStanding("sessions/7f3k", "token", None, None, NOW, unknown),
    ]
    shuffled = random.Random(1).sample(expected, len(expected))
    assert sorted(shuffled, key=lambda it: it.urgency) == expected


def test_nobody_is_awaited_in_a_session_that_was_aborted() -> None:
    aborted = standing(lair.Standing((0,), (0, 1)), lair.State.ABORTED)
    assert (aborted.awaited, aborted.may_act) == (False, False)


def test_the_time_that_is_left_counts_across_servers_whose_clocks_differ() -> None:
    mine = lair.Standing((0,), (0,))
    soon, later = standing(mine, left=5, now=NOW + timedelta(days=1)), standing(mine, left=9)
    assert soon.urgency < later.urgency
    assert soon.time_left == timedelta(seconds=5)
