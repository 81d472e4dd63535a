"""What the load test makes of what Locust has counted."""

from typing import Any

import pytest

from loadtests.crowd.figures import FINISHED, figures, percentile, problems
from loadtests.crowd.sampling import Sample, around


def entry(kind: str, name: str, times: dict[str, int], failures: int = 0) -> dict[str, Any]:
    count = sum(times.values())
    return {
        "method": kind,
        "name": name,
        "num_requests": count,
        "num_failures": failures,
        "response_times": times,
    }


def counted(*entries: dict[str, Any]) -> dict[str, Any]:
    return {"seconds": 10.0, "entries": list(entries), "failures": [], "exceptions": []}


@pytest.mark.parametrize(("share", "value"), [(0.5, 2.0), (0.9, 2.0), (0.99, 30.0), (1.0, 30.0)])
def test_a_percentile_is_the_least_value_that_so_many_have_not_exceeded(share: float, value: float) -> None:
    assert percentile({30.0: 5, 1.0: 45, 2.0: 50}, share) == value


def test_refused_calls_are_calls_and_count_under_their_method() -> None:
    made = figures(counted(entry("call", "SubmitMove", {"2": 30}), entry("refusal", "SubmitMove", {"4": 10})))
    assert made["calls"]["count"] == 40
    assert made["calls"]["rate"] == 4.0
    assert made["refusals"] == 10
    assert made["methods"] == {"SubmitMove": {"count": 40, "p50": 2.0, "p99": 4.0}}


@pytest.mark.parametrize(("late", "held"), [("250", True), ("260", False)])
def test_a_schedule_is_held_when_only_one_in_a_hundred_calls_is_late(late: str, held: bool) -> None:  # noqa: FBT001  a case
    made = figures(counted(entry("schedule", "lag", {"1": 98, late: 2})))
    assert made["lag"]["held"] is held


def test_a_run_without_a_verified_game_has_shown_nothing() -> None:
    verified, failed = entry("check", FINISHED, {"9": 1}), entry("check", FINISHED, {"9": 1}, failures=1)
    assert problems(counted(verified), FINISHED) == []
    assert len(problems(counted(failed), FINISHED)) == 1
    assert len(problems(counted(entry("check", "exactly one wins", {"9": 1})), FINISHED)) == 1
    assert problems(counted(entry("check", "exactly one wins", {"9": 1})), None) == []
    assert len(problems(counted(), None)) == 1


def test_failures_and_defects_are_told_with_how_often_they_happened() -> None:
    whole = counted(entry("check", FINISHED, {"9": 1}))
    whole["failures"] = [{"occurrences": 3, "method": "call", "name": "GetView", "error": "NotFound"}]
    whole["exceptions"] = [{"count": 2, "message": "no such name"}, {"count": 1, "message": "no such name"}]
    assert problems(whole, FINISHED) == ["3 x call GetView: NotFound", "3 x a defect of the load test: no such name"]


def test_memory_at_a_moment_is_the_median_around_it() -> None:
    samples = [Sample(float(second), 100.0 + second) for second in range(101)]
    samples[50] = Sample(50.0, 900.0)
    assert around(samples, 0.1) == 110.0
    assert around(samples, 0.5) == pytest.approx(150.0, abs=1.0)
    assert around(samples[:1], 0.95) == 100.0
    assert around([], 0.5) == 0.0
