"""What has grown, for people: tables on the terminal and in a page of the docs."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from loadtests.measuring.markers import measured_on, table, write_parts

Whole = Mapping[str, Any]
HEADINGS = ("µs a move", "p50, ms", "p99, ms", "memory, MB", "idle, %")
BY_MEMBER = ("watchers", "streams")
"""Where each member more has costs of its own, which the table tells."""


def show(whole: Whole) -> None:
    """Print the tables."""
    for name, curve in whole["curves"].items():
        shown = Table()
        for heading in _headings(name, curve):
            shown.add_column(heading, justify="right")
        for cells in _cells(name, curve):
            shown.add_row(*cells)
        Console(width=120).print(shown)


def write_page(path: Path, whole: Whole) -> None:
    """Write the tables into the page."""
    size = whole["size"]
    sizes = (
        f"{size['rounds']} rounds of {size['seconds']:g} s at each size, and {size['idle']:g} s in which nobody moves."
    )
    tables = {
        f"growth of {name}": table(_headings(name, curve), _cells(name, curve), texts=0)
        for name, curve in whole["curves"].items()
    }
    write_parts(path, tables | {"growth conditions": f"{measured_on(whole)}\n{sizes}"})


def _headings(name: str, curve: Whole) -> Sequence[str]:
    more = ("µs, each more", "kB, each more") if name in BY_MEMBER else ()
    database = ("database, µs a move",) if _has_database(curve) else ()
    return (curve["title"], *HEADINGS, *more, *database)


def _cells(name: str, curve: Whole) -> Sequence[Sequence[str]]:
    first = curve["points"][0]
    rows = []
    for point in curve["points"]:
        cells = (
            f"{point['size']:,}",
            f"{point['microseconds']:,.0f}",
            f"{point['p50']:,.2f}",
            f"{point['p99']:,.2f}",
            f"{point['memory']:,.0f}",
            f"{point['idle']:.1f}",
        )
        database = (f"{point['database']:,.0f}",) if _has_database(curve) else ()
        rows.append((*cells, *(_each_more(first, point) if name in BY_MEMBER else ()), *database))
    return rows


def _has_database(curve: Whole) -> bool:
    """Whether the sessions were in a database with a server of its own."""
    return curve["points"][0]["database"] is not None


def _each_more(first: Whole, point: Whole) -> Sequence[str]:
    """What each member beyond the first size adds to a move and to the memory."""
    more = point["size"] - first["size"]
    if not more:
        return ("", "")
    microseconds = (point["microseconds"] - first["microseconds"]) / more
    return f"{microseconds:,.1f}", f"{(point['memory'] - first['memory']) * 1e3 / more:,.1f}"
