"""What was measured through the edge, for people: the tables of `make bench ARGUMENTS=--edge`."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from loadtests.bench.page import Part, figure, measured_how, rates, tables
from loadtests.bench.report import LATENCY_UNIT, Result
from loadtests.measuring.markers import write_parts


def _rates(result: Result) -> Sequence[str]:
    edge = result["edge"]
    return (*rates(result, result["directly"]), *(f"{edge[side]:,.0f} µs" for side in ("value", "baseline")))


def _times(result: Result) -> Sequence[str]:
    """Beside each figure, the same without the edge."""
    sides = (result, result["directly"])
    latencies = [side["latencies"]["value"] for side in sides]
    return (
        result["title"],
        *(figure(result, side["by_clock"]["value"]) for side in sides),
        *(f"{each[name]:.2f}" if each else "" for name in ("p50", "p99") for each in latencies),
    )


def _arrival(result: Result) -> Sequence[str]:
    directly = result["directly"]
    return (
        result["title"],
        result["against"],
        *(f"{each[name]:.2f}" for each in (result, directly) for name in ("value", "baseline", "ratio")),
    )


def _is_rate(result: Result) -> bool:
    return bool(result["unit"] != LATENCY_UNIT)


RATES = ("what", "against", "by processor", "baseline", "ratio", "range", "directly", "ratio", "Envoy", "of baseline")
TIMES = ("what", "by clock", "directly", "p50, ms", "directly", "p99, ms", "directly")
ARRIVALS = ("what", "against", "ms", "baseline, ms", "ratio", "directly, ms", "baseline, ms", "ratio")
EDGE_PARTS: Sequence[Part] = (
    Part("edge rows", RATES, 2, _is_rate, _rates),
    Part("edge times", TIMES, 1, _is_rate, _times),
    Part("edge arrivals", ARRIVALS, 2, lambda result: not _is_rate(result), _arrival),
)


def write_edge_page(path: Path, report: Mapping[str, Any]) -> None:
    """Write the tables into the page."""
    write_parts(path, tables(report["rows"], EDGE_PARTS) | {"edge conditions": measured_how(report)})
