"""From what Locust has counted to figures, and to sentences about what was wrong."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

FINISHED = "game verified"
"""The check of a finished game."""
ON_TIME = 250.0
"""Milliseconds that 99 % of the calls may lag behind their schedule. With more, the load was not the one asked for."""


def figures(counted: Mapping[str, Any]) -> dict[str, Any]:
    """Calls, games, checks, refusals, streams and lag: times in milliseconds."""
    entries = counted["entries"]
    calls, lag = [*_of(entries, "call"), *_of(entries, "refusal")], _of(entries, "schedule")
    streams = {entry["name"]: _spread([entry]) for entry in _of(entries, "stream")}
    names = sorted({str(entry["name"]) for entry in calls})
    spread = _spread(calls)
    late = _spread(lag)
    return {
        "seconds": counted["seconds"],
        "calls": spread | {"rate": spread["count"] / max(counted["seconds"], 1e-9)},
        "methods": {name: _spread([each for each in calls if each["name"] == name]) for name in names},
        "games": sum(_held(entry) for entry in _of(entries, "check") if entry["name"] == FINISHED),
        "checks": {entry["name"]: _held(entry) for entry in _of(entries, "check")},
        "refusals": sum(_held(entry) for entry in _of(entries, "refusal")),
        "stories": {entry["name"]: _held(entry) for entry in _of(entries, "story")},
        "streams": streams,
        "lag": late | {"held": late["p99"] <= ON_TIME},
    }


def problems(counted: Mapping[str, Any], shown_by: str | None) -> list[str]:
    """What was wrong, a sentence each; none when nothing was.

    A run in which this check was never made, or without a name none at all, has shown nothing, and that is wrong, too.
    """
    found = [
        f"{failure['occurrences']} x {failure['method']} {failure['name']}: {failure['error']}"
        for failure in sorted(counted["failures"], key=lambda failure: failure["method"] == "story")
    ]
    defects = Counter[str]()
    for each in counted["exceptions"]:
        defects[each["message"]] += each["count"]
    found += [f"{count} x a defect of the load test: {message}" for message, count in defects.items()]
    if not any(_held(entry) for entry in _of(counted["entries"], "check") if shown_by in (None, entry["name"])):
        missing = "no game was finished and verified" if shown_by == FINISHED else "nothing was checked"
        found.append(f"{missing}, so nothing was shown: give it more time, or a higher rate")
    return found


def percentile(histogram: Mapping[float, int], share: float) -> float:
    """The least value that at least this share of all has not exceeded; 0 when there are none."""
    left = share * sum(histogram.values())
    for value in sorted(histogram):
        left -= histogram[value]
        if left <= 0:
            return value
    return 0.0


def _of(entries: Sequence[Any], kind: str) -> list[Any]:
    return [entry for entry in entries if entry["method"] == kind]


def _held(entry: Mapping[str, Any]) -> int:
    return int(entry["num_requests"] - entry["num_failures"])


def _spread(entries: Sequence[Any]) -> dict[str, float]:
    """How many, and how long they took. Locust rounds: to the millisecond below 100, to two digits above."""
    histogram: dict[float, int] = {}
    for entry in entries:
        for value, count in entry["response_times"].items():
            histogram[float(value)] = histogram.get(float(value), 0) + count
    return {
        "count": sum(entry["num_requests"] for entry in entries),
        "p50": percentile(histogram, 0.5),
        "p99": percentile(histogram, 0.99),
    }
