"""What `make load` prints at the end."""

from collections.abc import Iterator, Mapping
from textwrap import shorten
from typing import Any

WIDTH = 180
"""Of a problem that is printed."""
SHOWN = 10
"""Problems that are printed. The others are in the JSON."""


def summary(whole: Mapping[str, Any]) -> str:
    """A few lines: what was loaded, what held, and what was wrong."""
    lines = ("", *_head(whole), "", *_rows(whole), "", *_verdict(whole), "")
    return "\n".join(f"  {line}".rstrip() for line in lines)


def _head(whole: Mapping[str, Any]) -> Iterator[str]:
    if "ramp" in whole:
        yield "The ramp: users, calls a second offered, achieved"
        for users, offered, achieved in whole["ramp"]:
            yield f"{users:8,} {offered:10,.0f} {achieved:10,.0f}"
        yield f"The peak: {whole['peak']:,.0f} calls a second"
    else:
        rate = f"{whole['rate']:,.0f} calls a second at Poisson arrivals"
        yield f"{whole['users']} users, {rate}, for {whole['seconds']:.0f} s"


def _rows(whole: Mapping[str, Any]) -> Iterator[str]:
    calls, lag = whole["calls"], whole["lag"]
    yield _row("calls", calls["count"], f"{calls['rate']:,.0f} a second, {_times(calls)}")
    told = ", ".join(f"{count} {story}" for story, count in sorted(whole["stories"].items()) if count)
    yield _row("stories", sum(whole["stories"].values()), f"told to the end: {told or 'none'}")
    yield _row("games", whole["games"], "finished, and every one verified")
    yield _row("checks", sum(whole["checks"].values()), "held")
    yield _row("refusals", whole["refusals"], "of these calls were refused, as expected")
    for name, title in (("WatchSession/propagation", "watched"), ("PlaySeat/propagation", "on PlaySeat")):
        if spread := whole["streams"].get(name):
            yield _row(title, spread["count"], f"arrivals, from commit to arrival {_times(spread)}")
    if spread := whole["streams"].get("WatchSession/reconnect"):
        yield _row("reconnects", spread["count"], f"to the first missed revision {_times(spread)}")
    yield _row("schedule", lag["count"], f"arrivals, late by {_times(lag)}")
    for name in ("server", "edge"):
        if process := whole.get(name):
            memory = ", ".join(f"{mebibytes:.0f} MiB {when}" for when, mebibytes in _moments(process["memory"]))
            yield f"{name:<12}           {process['processor_share']:.2f} of a core; {memory}"
    yield f"{'users':<12}           {whole['generator']['processor_share']:.2f} of a core"


def _verdict(whole: Mapping[str, Any]) -> Iterator[str]:
    if not whole["lag"]["held"] and "ramp" not in whole:
        yield "The schedule was not held: this was less load than asked for, and times say little."
    wrong = whole["wrong"]
    if not wrong:
        yield "Nothing was wrong."
        return
    yield "WRONG:"
    for problem in wrong[:SHOWN]:
        yield f"  {shorten(problem, WIDTH, placeholder=' ...')}"
    if len(wrong) > SHOWN:
        yield f"  and {len(wrong) - SHOWN} more"


def _row(title: str, count: float, rest: str) -> str:
    return f"{title:<12} {count:9,} {rest}"


def _times(spread: Mapping[str, float]) -> str:
    return f"p50 {spread['p50']:,.0f} ms, p99 {spread['p99']:,.0f} ms"


def _moments(memory: Mapping[str, float]) -> Iterator[tuple[str, float]]:
    words = {"start": "at the start", "middle": "in the middle", "end": "at the end"}
    for moment, mebibytes in memory.items():
        yield words[moment], mebibytes
