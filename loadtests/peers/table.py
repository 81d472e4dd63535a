"""The rows for people: a line for each subject, a column for each figure."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from loadtests.bench.page import NARROWEST
from loadtests.measuring.markers import measured_on, write_parts
from loadtests.measuring.markers import table as markdown
from loadtests.peers.figures import Row

HEADINGS = {
    "by_processor": "moves/s by processor",
    "by_clock": "moves/s by clock",
    "p50": "p50",
    "p99": "p99",
}
BESIDE = {"edge": "Envoy", "database": "PostgreSQL"}
"""What took of the processors beside the server."""

ON_PAGE = (
    *("what", "by processor", "boardgame.io", "ratio", "range", "Envoy, a move"),
    *("p50, ms", "boardgame.io", "p99, ms", "boardgame.io"),
)


def show(rows: Sequence[Row], console: Console | None = None) -> None:
    """Print a table for each peer: ours, theirs, and the ratio of the two below."""
    console = console or Console()
    if not console.is_terminal:
        console = Console(width=NARROWEST, file=console.file)
    for against, members in groupby(sorted(rows, key=_against), key=_against):
        console.print(table(against, list(members)))


def _against(row: Row) -> str:
    return str(row["against"])


def table(against: str, rows: Sequence[Row]) -> Table:
    """The table of one peer."""
    figures = list(dict.fromkeys(row["figure"] for row in rows))
    made = Table("", title=f"Lair : {against}", show_lines=True)
    for figure in figures:
        made.add_column(HEADINGS[figure], justify="right", no_wrap=True)
    for title, members in groupby(rows, key=lambda row: str(row["title"])):
        made.add_row(title, *cells(members))
    return made


def cells(rows: Iterable[Row]) -> Sequence[str]:
    """One subject's line."""
    return [_cell(row) for row in rows]


def _cell(row: Row) -> str:
    low, high = row["range"]
    is_time = row["unit"] == "ms"
    value, baseline = (f"{row[side]:,.1f} ms" if is_time else f"{row[side]:,.0f}" for side in ("value", "baseline"))
    beside = "".join(
        f"\n{title} {row[name]:,.0f} µs a move"
        for name, title in BESIDE.items()
        if row[name] and row["figure"] == "by_processor"
    )
    return f"{value} : {baseline}\n{row['ratio']:.2f} ({low:.2f} to {high:.2f}){beside}{_goal(row)}"


def write_edge_page(path: Path, report: Mapping[str, Any]) -> None:
    """Write what came through the edge into the page, and what did not beside it."""
    size = report["size"]
    titles = groupby(report["rows"], key=lambda row: str(row["title"]))
    lines = [_line(title, {row["figure"]: row for row in members}) for title, members in titles]
    how = f"{measured_on(report)}\n{size['rounds']} rounds of {size['seconds']:g} s of each."
    write_parts(path, {"edge peers": markdown(ON_PAGE, lines), "edge peers conditions": how})


def _line(title: str, rows: Mapping[str, Row]) -> Sequence[str]:
    rate = rows["by_processor"]
    low, high = rate["range"]
    return (
        title,
        *(f"{rate[side]:,.0f}/s" for side in ("value", "baseline")),
        f"{rate['ratio']:.2f}",
        f"{low:.2f} to {high:.2f}",
        f"{rate['edge']:,.0f} µs" if rate["edge"] else "",
        *(f"{rows[figure][side]:,.1f}" for figure in ("p50", "p99") for side in ("value", "baseline")),
    )


def _goal(row: Row) -> str:
    if row["held"] is None:
        return ""
    goal = f"≥ {row['at_least']:.2f}" if row["at_most"] is None else f"≤ {row['at_most']:.2f}"
    return f"\n{goal} [green]held[/]" if row["held"] else f"\n{goal} [red]missed[/]"
