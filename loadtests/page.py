"""What was measured, for people: tables on the terminal, and a page of the docs."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from loadtests.report import LATENCY_UNIT, Result

HEADINGS = ("what", "against", "by processor", "baseline", "ratio", "range", "goal", "by clock", "ratio")
LATENCY_HEADINGS = ("what", "against", "by clock", "baseline", "ratio", "range")
NARROWEST = 120
"""Columns that the table gets where there is no terminal."""
INTRODUCTION = """\
# Performance

Written by `make bench ARGUMENTS=--docs`. Every row is measured against its baseline in the same run, by turns. "By
processor" is what one second of the servers' processors is good for (user and system, every server process), or in
rows with an upper limit the microseconds that one call takes of them: this is what has a goal. "By clock" is what the
load generator saw, which shares the machine with the servers. Latencies have a table of their own.
[loadtests/README.md](../loadtests/README.md) says what each row does.
"""


def show(results: Sequence[Result]) -> None:
    """Print the tables."""
    console = Console()
    if not console.is_terminal:
        console = Console(width=NARROWEST)
    for headings, members in _tables(results):
        table = Table(show_lines=True)
        for number, heading in enumerate(headings):
            is_text = number < len(("what", "against"))
            table.add_column(heading, justify="left" if is_text else "right", no_wrap=not is_text)
        for each in members:
            style = {True: "green", False: "red", None: ""}[each["held"]]
            table.add_row(*_cells(each), style=style)
        console.print(table)


def write_page(path: Path, report: Mapping[str, Any]) -> None:
    """Write the page of the docs."""
    machine, versions, size = report["machine"], report["versions"], report["size"]
    tables = "\n\n".join(_markdown(headings, members) for headings, members in _tables(report["rows"]))
    conditions = (
        f"Measured on {report['date'][:10]} on {machine['cores']} cores of {machine['processor']}, "
        f"{machine['system']}, with a load of {machine['load']:.1f} before;\n"
        f"{', '.join(f'{name} {number}' for name, number in versions.items())};\n"
        f"{size['rounds']} rounds of {size['seconds']:g} s, {size['stored']:,} sessions in the full store, "
        f"{size['moves']:,} moves in the old sessions.\n"
    )
    path.write_text(f"{INTRODUCTION}\n{tables}\n\n{conditions}")


def _tables(results: Sequence[Result]) -> Iterator[tuple[Sequence[str], Sequence[Result]]]:
    """The headings and the rows of each table that has any."""
    latencies = [each for each in results if each["unit"] == LATENCY_UNIT]
    rates = [each for each in results if each["unit"] != LATENCY_UNIT]
    return ((headings, members) for headings, members in ((HEADINGS, rates), (LATENCY_HEADINGS, latencies)) if members)


def _markdown(headings: Sequence[str], results: Sequence[Result]) -> str:
    lines = [headings, ["---"] * len(headings), *map(_cells, results)]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def _cells(result: Result) -> Sequence[str]:
    low, high = result["range"]
    if result["unit"] == LATENCY_UNIT:
        return (
            result["title"],
            result["against"],
            f"{result['value']:.2f} ms",
            f"{result['baseline']:.2f} ms",
            f"{result['ratio']:.2f}",
            f"{low:.2f} to {high:.2f}",
        )
    clock = result["by_clock"]
    unit = " µs" if result["at_most"] else "/s"
    return (
        result["title"],
        result["against"],
        f"{result['value']:,.0f}{unit}",
        f"{result['baseline']:,.0f}{unit}",
        f"{result['ratio']:.2f}",
        f"{low:.2f} to {high:.2f}",
        _goal(result),
        f"{clock['value']:,.0f}{unit}",
        f"{clock['ratio']:.2f}",
    )


def _goal(result: Result) -> str:
    held = "held" if result["held"] else "missed"
    if result["at_least"]:
        return f"≥ {result['at_least']:.2f} {held}"
    return f"≤ {result['at_most']:.2f} {held}" if result["at_most"] else ""
