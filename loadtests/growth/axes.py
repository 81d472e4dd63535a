"""What grows, in which sizes, and how a size is measured."""

import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from statistics import median

from loadtests.bench.pairs import LAIR, SPREAD
from loadtests.measuring import postgresql
from loadtests.measuring.conditions import percentile
from loadtests.measuring.contenders import Driven, Side, contending
from loadtests.measuring.filling import long_ones
from loadtests.measuring.rounds import database_microseconds, in_turns
from loadtests.measuring.servers import memory, processor_seconds


@dataclass(frozen=True, slots=True)
class Axis:
    """Something that grows."""

    name: str
    title: str
    sizes: Sequence[int]
    side: Callable[[int], Side]
    is_drawn: bool = True
    """Whether it gets a picture, beside its table."""
    needs: Callable[[], bool] = lambda: True
    """Whether what it needs is there."""


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
    database: float | None
    """Microseconds of the processors a move, for the database's own server, where it has one."""


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
        "stored_postgresql",
        "sessions stored, PostgreSQL",
        (1, 1000, 100_000, 1_000_000),
        lambda size: Side(LAIR, "spread_sessions", SPREAD, stored=size, on_postgresql=True),
        is_drawn=False,
        needs=postgresql.is_installed,
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
                database=database_microseconds(own),
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
