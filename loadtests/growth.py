"""`make growth`: what a move costs as its game gets longer, or as sessions, watchers or streams become more.

Every size has a server of its own, and they work by turns, so that a machine that slows down slows down all of them.
"""

import argparse
import os
import signal
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median

from rich.console import Console

from loadtests.curves import draw, show, write_page
from loadtests.filling import long_ones
from loadtests.measuring import Driven, Side, contending, in_turns
from loadtests.report import conditions, percentile, write_json
from loadtests.rows import LAIR, SPREAD
from loadtests.servers import ROOT, memory, processor_seconds
from services.runtime.logs import configure
from services.runtime.settings import Settings


@dataclass(frozen=True, slots=True)
class Axis:
    """Something that grows."""

    name: str
    title: str
    sizes: Sequence[int]
    side: Callable[[int], Side]


@dataclass(frozen=True, slots=True)
class Point:
    """What was measured at one size. Times are medians, or percentiles, of all rounds."""

    size: int
    microseconds: float
    """Of the server's processors, a move."""
    p50: float
    p99: float
    """Milliseconds from the call until everybody has heard."""
    memory: float
    """Millions of bytes that the server has in memory."""
    idle: float
    """Of one processor, in percent, while nobody moves."""


AXES: Sequence[Axis] = (
    Axis(
        "length",
        "moves in the game",
        (1, 10, 100, 1000, 10_000),
        lambda size: Side(LAIR, "stored_sessions", size, stored=long_ones(size)),
    ),
    Axis(
        "stored",
        "sessions stored",
        (1, 1000, 100_000, 1_000_000),
        lambda size: Side(LAIR, "spread_sessions", SPREAD, stored=size),
    ),
    Axis(
        "watchers",
        "watchers",
        (1, 10, 100, 1000),
        lambda size: Side(LAIR, "watched_by", size, stored=0),
    ),
    Axis(
        "streams",
        "quiet streams",
        (1, 100, 1000, 10_000),
        lambda size: Side(LAIR, "beside_streams", size, stored=size, settings={"LAIR_MAX_STREAMS": str(size + 1000)}),
    ),
)


def main() -> None:
    arguments = _arguments()
    configure(Settings(log_level="warning"))
    # However it ends, the servers are stopped: their contexts are left.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("terminated"))
    load, _, _ = os.getloadavg()
    curves: dict[str, Sequence[Point]] = {}
    with Console(stderr=True).status("starting") as status:
        for axis in AXES:
            if axis.name in arguments.axes:
                sizes = [size for size in axis.sizes if size <= arguments.most]
                curves[axis.name] = measure(
                    axis, sizes, arguments.seconds, arguments.rounds, arguments.idle, status.update
                )
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
    draw(whole, arguments.pictures)
    if arguments.docs:
        write_page(ROOT / "docs/performance.md", whole)
    print(f"written to {arguments.output} and {arguments.pictures}")


def measure(
    axis: Axis, sizes: Sequence[int], seconds: float, rounds: int, idle: float, tell: Callable[[str], None]
) -> Sequence[Point]:
    """A point for each size."""
    with ExitStack() as stack:
        servers: list[Driven] = []
        for size in sizes:
            tell(f"{axis.title}: starting with {size:,}")
            servers.append(stack.enter_context(contending(axis.side(size))))
        tell(f"{axis.title}: moves")
        samples = in_turns(servers, seconds, rounds)
        tell(f"{axis.title}: nobody moves")
        shares = _idle(servers, idle)
        return [
            Point(
                size=size,
                microseconds=median(1e6 / sample.by_processor for sample in own),
                p50=percentile(own, 50) * 1e3,
                p99=percentile(own, 99) * 1e3,
                memory=memory(*(server.pid for server in driven.servers)) / 1e6,
                idle=share,
            )
            for size, driven, own, share in zip(sizes, servers, samples, shares, strict=True)
        ]


def _idle(servers: Sequence[Driven], seconds: float) -> Sequence[float]:
    """What the servers take of a processor while nobody moves, in percent. Streams have a heartbeat every 10 s."""

    def taken() -> Sequence[float]:
        return [processor_seconds(*(server.pid for server in driven.servers)) for driven in servers]

    before, began = taken(), time.perf_counter()
    time.sleep(seconds)
    took = time.perf_counter() - began
    return [100 * (after - earlier) / took for earlier, after in zip(before, taken(), strict=True)]


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
