"""What has grown, drawn.

A picture has no background and colours of middle brightness, so that it can be read on light pages and on dark ones.
"""

from collections.abc import Collection
from pathlib import Path
from typing import Any

import matplotlib as mpl
from matplotlib.figure import Figure

from loadtests.growth.curves import Whole

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


def draw(whole: Whole, names: Collection[str], folder: Path) -> None:
    """A picture for each curve that is named, growth-NAME.svg."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, curve in whole["curves"].items():
        if name not in names:
            continue
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
