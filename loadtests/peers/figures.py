"""What is told of a subject and its peer: four figures, and what is to be held."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median, quantiles
from typing import Any

from loadtests.measuring.rounds import Sample, database_microseconds, edge_microseconds

Row = Mapping[str, Any]
Rounds = Sequence[Sample]


@dataclass(frozen=True, slots=True)
class Figure:
    """One number out of the rounds of a contender."""

    name: str
    unit: str
    of: Callable[[Rounds], float]
    less_is_better: bool = False


def percentile(percent: int) -> Callable[[Rounds], float]:
    """Milliseconds, out of the latencies of all rounds."""

    def of(rounds: Rounds) -> float:
        latencies = [latency for sample in rounds for latency in sample.latencies]
        return quantiles(latencies, n=100, method="inclusive")[percent - 1] * 1e3

    return of


BY_PROCESSOR = Figure(
    "by_processor",
    "moves a second of the server's processors",
    lambda rounds: median(sample.by_processor for sample in rounds),
)
BY_CLOCK = Figure("by_clock", "moves a second", lambda rounds: median(sample.by_clock for sample in rounds))
P50 = Figure("p50", "ms", percentile(50), less_is_better=True)
P99 = Figure("p99", "ms", percentile(99), less_is_better=True)
OF_SEATS = (BY_PROCESSOR, BY_CLOCK, P50, P99)


@dataclass(frozen=True, slots=True)
class Subject:
    """What is measured, beside whom."""

    name: str
    title: str
    against: str
    goals: Mapping[str, float]
    """By a figure's name: the ratio that it must reach, or where less is better, that it must not pass."""


def rows(subject: Subject, measured: Rounds, baseline: Rounds, figures: Sequence[Figure]) -> Sequence[Row]:
    """One row for each figure, with the range of the ratios of single rounds."""
    return [_row(subject, measured, baseline, figure) for figure in figures]


def _row(subject: Subject, measured: Rounds, baseline: Rounds, figure: Figure) -> Row:
    value, peers = figure.of(measured), figure.of(baseline)
    ratios = [figure.of([ours]) / figure.of([theirs]) for ours, theirs in zip(measured, baseline, strict=True)]
    goal = subject.goals.get(figure.name)
    return {
        "name": f"{subject.name}_{figure.name}",
        "title": subject.title,
        "against": subject.against,
        "figure": figure.name,
        "unit": figure.unit,
        "value": value,
        "baseline": peers,
        "ratio": value / peers,
        "edge": edge_microseconds(measured) or None,  # what Envoy took, when it was there
        "database": database_microseconds(measured),  # and the database, where it is a server of its own
        "range": [min(ratios), max(ratios)],
        "at_least": None if figure.less_is_better else goal,
        "at_most": goal if figure.less_is_better else None,
        "held": None if goal is None else _held(value / peers, goal, less_is_better=figure.less_is_better),
    }


def _held(ratio: float, goal: float, *, less_is_better: bool) -> bool:
    return ratio <= goal if less_is_better else ratio >= goal
