"""What was measured, for people: tables on the terminal, and in a page of the docs."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from loadtests.bench import crosscheck
from loadtests.bench.report import LATENCY_UNIT, Result
from loadtests.measuring import postgresql
from loadtests.measuring.markers import measured_on, table, write_parts

NARROWEST = 120
"""Columns that the tables get where there is no terminal."""
Cells = Callable[[Result], Sequence[str]]


@dataclass(frozen=True, slots=True)
class Part:
    """A table: which results it has, and what it says of each."""

    name: str
    """Its marker in the page."""
    headings: Sequence[str]
    texts: int
    """How many of the columns, the first ones, are texts."""
    of: Callable[[Result], bool]
    cells: Cells


def _goal(result: Result) -> Sequence[str]:
    against, reached = result["against"], f"{result['ratio']:.2f}"
    goal = f"≥ {result['at_least']:.2f}" if result["at_least"] else f"≤ {result['at_most'] or 0:.2f}"
    if limit := result["value_at_most"]:
        against, reached, goal = "", figure(result, result["value"]), f"≤ {figure(result, limit)}"
    held = "reached" if result["held"] else "not reached"
    return (result["title"], against, reached, goal, held)


def _rates(result: Result) -> Sequence[str]:
    return rates(result, result["by_clock"])


def rates(result: Result, beside: Mapping[str, Any]) -> Sequence[str]:
    """What a row came to by processor, and beside it the value and the ratio of another way to measure it."""
    low, high = result["range"]
    return (
        result["title"],
        result["against"],
        figure(result, result["value"]),
        figure(result, result["baseline"]),
        f"{result['ratio']:.2f}",
        f"{low:.2f} to {high:.2f}",
        figure(result, beside["value"]),
        f"{beside['ratio']:.2f}",
    )


def _hop(result: Result) -> Sequence[str]:
    return (
        result["title"],
        figure(result, result["baseline"]),
        figure(result, result["value"]),
        figure(result, result["value"] - result["baseline"]),
        f"{result['ratio']:.2f}",
    )


def _latencies(result: Result) -> Sequence[str]:
    sides = (result["latencies"]["value"], result["latencies"]["baseline"])
    p50, p99, *others = (f"{side[name]:.2f}" if side else "" for side in sides for name in ("p50", "p99"))
    return (result["title"], p50, p99, result["against"], *others)


def _database(result: Result) -> Sequence[str]:
    low, high = result["range"]
    return (
        result["title"],
        result["against"],
        *(figure(result, result[side]) for side in ("value", "baseline")),
        f"{result['ratio']:.2f}",
        f"{low:.2f} to {high:.2f}",
    )


def _arrival(result: Result) -> Sequence[str]:
    low, high = result["range"]
    return (
        result["title"],
        result["against"],
        f"{result['value']:.2f}",
        f"{result['baseline']:.2f}",
        f"{result['ratio']:.2f}",
        f"{low:.2f} to {high:.2f}",
    )


def _of(name: str) -> Callable[[Result], bool]:
    return lambda result: result["table"] == name


RATES = ("what", "against", "by processor", "baseline", "ratio", "range", "by clock", "ratio")
PARTS: Sequence[Part] = (
    Part("goals", ("what", "against", "ratio", "goal", ""), 2, lambda result: result["held"] is not None, _goal),
    Part("rows", RATES, 2, _of("rows"), _rates),
    Part("postgresql", RATES, 2, _of("postgresql"), _rates),
    Part("databases", ("what", "beside", "a call", "beside it", "ratio", "range"), 2, _of("databases"), _database),
    Part("hops", ("what", "in process", "over gRPC", "the hop", "ratio"), 1, _of("hops"), _hop),
    Part(
        "latencies",
        ("what", "p50, ms", "p99, ms", "against", "p50, ms", "p99, ms"),
        1,
        lambda result: bool(result.get("latencies") and result["latencies"]["value"]),
        _latencies,
    ),
    Part("arrivals", ("what", "against", "ms", "baseline, ms", "ratio", "range"), 2, _of("arrivals"), _arrival),
    Part("crosscheck", RATES, 2, _of("crosscheck"), _rates),
)
LEFT_OUT = {
    "postgresql": postgresql.MISSING,
    "databases": postgresql.MISSING,
    "crosscheck": crosscheck.MISSING,
}
"""What stands in the place of a table that has no rows."""


def show(results: Sequence[Result], parts: Sequence[Part] = PARTS) -> None:
    """Print the tables."""
    console = Console()
    if not console.is_terminal:
        console = Console(width=NARROWEST)
    for part, members in _filled(results, parts):
        shown = Table(show_lines=True)
        for number, heading in enumerate(part.headings):
            is_text = number < part.texts
            shown.add_column(heading, justify="left" if is_text else "right", no_wrap=not is_text)
        for each in members:
            shown.add_row(*part.cells(each), style={True: "green", False: "red", None: ""}[each["held"]])
        console.print(shown)


def write_page(path: Path, report: Mapping[str, Any]) -> None:
    """Write the tables into the page."""
    parts = {name: f"{why}." for name, why in LEFT_OUT.items()} | tables(report["rows"], PARTS)
    write_parts(path, parts | {"conditions": measured_how(report)})


def tables(results: Sequence[Result], parts: Sequence[Part]) -> dict[str, str]:
    """The tables for a page, by their markers."""
    return {
        part.name: table(part.headings, [*map(part.cells, members)], part.texts)
        for part, members in _filled(results, parts)
    }


def measured_how(report: Mapping[str, Any]) -> str:
    """When, on what, and how long and how much."""
    size = report["size"]
    sizes = (
        f"{size['rounds']} rounds of {size['seconds']:g} s, {size['stored']:,} sessions in the full store, "
        f"{size['moves']:,} moves in the old sessions."
    )
    return f"{measured_on(report)}\n{sizes}"


def _filled(results: Sequence[Result], parts: Sequence[Part]) -> Iterator[tuple[Part, Sequence[Result]]]:
    """The tables that have any rows."""
    pairs = ((part, [*filter(part.of, results)]) for part in parts)
    return ((part, members) for part, members in pairs if members)


def figure(result: Result, figure: float) -> str:
    if result["unit"] == LATENCY_UNIT:
        return f"{figure:,.2f} ms"
    return f"{figure:,.0f} µs" if result["unit"].startswith("microseconds") else f"{figure:,.0f}/s"
