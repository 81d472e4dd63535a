"""`make growth`: what a move costs as its game gets longer, or as sessions, watchers or streams become more.

Every size has a server of its own, and they work by turns, so that a machine that slows down slows down all of them.
"""

import argparse
import os
import signal
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from rich.console import Console

from loadtests.growth.axes import AXES, Point, measure
from loadtests.growth.curves import show, write_page
from loadtests.growth.pictures import draw
from loadtests.measuring import postgresql
from loadtests.measuring.conditions import conditions, write_json
from loadtests.measuring.servers import ROOT
from services.runtime.logs import configure
from services.runtime.settings import Settings


def main() -> None:
    arguments = _arguments()
    configure(Settings(log_level="warning"))
    # However it ends, the servers are stopped: their contexts are left.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("terminated"))
    load, _, _ = os.getloadavg()
    curves: dict[str, Sequence[Point]] = {}
    with Console(stderr=True).status("starting") as status:
        for axis in AXES:
            if axis.name in arguments.axes and axis.needs():
                sizes = [size for size in axis.sizes if size <= arguments.most]
                curves[axis.name] = measure(
                    axis, sizes, arguments.seconds, arguments.rounds, arguments.idle, status.update
                )
    if not all(axis.needs() for axis in AXES if axis.name in arguments.axes):
        print(postgresql.MISSING, file=sys.stderr)
    titles = {axis.name: axis.title for axis in AXES}
    whole = {
        **conditions(load),
        "size": {"seconds": arguments.seconds, "rounds": arguments.rounds, "idle": arguments.idle},
        "curves": {
            name: {"title": titles[name], "points": [asdict(point) for point in points]}
            for name, points in curves.items()
        },
    }
    show(whole)
    write_json(arguments.output, whole)
    draw(whole, [axis.name for axis in AXES if axis.is_drawn], arguments.pictures)
    if arguments.docs:
        write_page(ROOT / "docs/performance.md", whole)
    print(f"written to {arguments.output} and {arguments.pictures}")


def _arguments() -> argparse.Namespace:
    names = [axis.name for axis in AXES]
    parser = argparse.ArgumentParser(prog="make growth", description=__doc__)
    parser.add_argument("--axes", nargs="+", choices=names, default=names, metavar="NAME", help=", ".join(names))
    parser.add_argument("--most", type=int, default=sys.maxsize, help="leave out the sizes above this one")
    parser.add_argument("--seconds", type=float, default=1.0, help="of one round; default 1")
    parser.add_argument("--rounds", type=int, default=7, help="that count, at each size; default 7")
    parser.add_argument("--idle", type=float, default=10.0, help="seconds in which nobody moves; default 10")
    parser.add_argument("--docs", action="store_true", help="write the tables of docs/performance.md, too")
    parser.add_argument("--output", type=Path, default=ROOT / "build/growth.json", help="default build/growth.json")
    parser.add_argument("--pictures", type=Path, help="a folder; default build/pictures, or docs/pictures with --docs")
    arguments = parser.parse_args()
    if arguments.docs and (arguments.axes != names or arguments.most != sys.maxsize):
        parser.error("--docs needs everything: a page of several runs would compare what can't be compared")
    arguments.pictures = arguments.pictures or ROOT / ("docs/pictures" if arguments.docs else "build/pictures")
    return arguments


if __name__ == "__main__":
    main()
