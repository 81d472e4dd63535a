"""What has grown, for people: tables on the terminal and in a page of the docs, and pictures.

A picture has no background and colours of middle brightness, so that it can be read on light pages and on dark ones.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import matplotlib as mpl
from matplotlib.figure import Figure
from rich.console import Console
from rich.table import Table

from loadtests.markers import measured_on, table, write_parts

Whole = Mapping[str, Any]
HEADINGS = ("µs a move", "p50, ms", "p99, ms", "memory, MB", "idle, %")
PANELS = (("microseconds", "µs of the server a move"), ("p50", "p50, ms"), ("memory", "memory, MB"))
INK, LINE = "#7f7f7f", "#3a87c8"
HEADROOM = 1.1
STYLE: Any = {
    "svg.fonttype": "none",
    "svg.hashsalt": "lair",
    "font.family": "sans-serif",
    "font.size": 8,
    **dict.fromkeys(("text.color", "axes.edgecolor", "axes.labelcolor", "xtick.color", "ytick.color"), INK),
}
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


def draw(whole: Whole, folder: Path) -> None:
    """A picture for each curve, growth-NAME.svg."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, curve in whole["curves"].items():
        points = curve["points"]
        sizes = [point["size"] for point in points]
        with mpl.rc_context(STYLE):
            figure = Figure(figsize=(7.2, 1.9), layout="constrained")
            for panel, (key, label) in zip(figure.subplots(1, len(PANELS)), PANELS, strict=True):
                panel.plot(sizes, [point[key] for point in points], color=LINE, marker="o", markersize=3)
                panel.set(xlabel=curve["title"], title=label, xscale="log")
                panel.patch.set_alpha(0)
                panel.grid(alpha=0.3, color=INK, linewidth=0.5)
                panel.spines[["top", "right"]].set_visible(False)
                if name == "watchers" and key != "memory":
                    panel.set_yscale("log")  # it grows as they do
                else:
                    panel.set_ylim(0, HEADROOM * max(point[key] for point in points))
                panel.minorticks_off()
                panel.set_xticks(sizes, [_short(size) for size in sizes])
            figure.savefig(folder / f"growth-{name}.svg", transparent=True, metadata={"Date": None, "Creator": None})


def _short(size: int) -> str:
    """Such as 10k."""
    for unit, letter in ((1_000_000, "M"), (1000, "k")):
        if size >= unit:
            return f"{size / unit:g}{letter}"
    return str(size)


def _headings(name: str, curve: Whole) -> Sequence[str]:
    more = ("µs, each more", "kB, each more") if name in BY_MEMBER else ()
    return (curve["title"], *HEADINGS, *more)


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
        rows.append((*cells, *(_each_more(first, point) if name in BY_MEMBER else ())))
    return rows


def _each_more(first: Whole, point: Whole) -> Sequence[str]:
    """What each member beyond the first size adds to a move and to the memory."""
    more = point["size"] - first["size"]
    if not more:
        return ("", "")
    microseconds = (point["microseconds"] - first["microseconds"]) / more
    return f"{microseconds:,.1f}", f"{(point['memory'] - first['memory']) * 1e3 / more:,.1f}"
