"""Rounds of two contenders by turns, so that a machine that slows down slows down both."""

import json
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

from loadtests import edge
from loadtests.filling import Filling, fill
from loadtests.servers import ROOT, Server, environment, processor_seconds, running, stop

BUILD = ROOT / "build"
WARM_UP = 0.5
"""At most so many seconds before what counts: connections, caches, the first compilations."""


@dataclass(frozen=True, slots=True)
class Sample:
    """One round of one contender."""

    calls: int
    seconds: float
    processor_seconds: float
    latencies: Sequence[float] = ()
    """Seconds that each call took, or in loads that are there for latencies those that they saw. In any order."""
    edge_seconds: float = 0.0
    """Of the processors, for the edge before the server. The figures of the server are without them."""

    @property
    def by_processor(self) -> float:
        """Calls for each second that the server was on a processor. A tick at least, so that nothing is infinite."""
        return self.calls / max(self.processor_seconds, 0.01)

    @property
    def by_clock(self) -> float:
        """Calls a second."""
        return self.calls / self.seconds


Contender = Callable[[float], Sample]
"""Works for so many seconds."""


@dataclass(frozen=True, slots=True)
class Measured:
    """The rounds of a subject and of its baseline, in pairs."""

    subject: Sequence[Sample]
    baseline: Sequence[Sample]

    def medians(self, of: Callable[[Sample], float]) -> tuple[float, float]:
        """The subject's and the baseline's."""
        return median(map(of, self.subject)), median(map(of, self.baseline))

    def range(self) -> tuple[float, float]:
        """The lowest and the highest ratio of a pair, by the processors' time."""
        ratios = [
            subject.by_processor / baseline.by_processor
            for subject, baseline in zip(self.subject, self.baseline, strict=True)
        ]
        return min(ratios), max(ratios)


def edge_microseconds(samples: Sequence[Sample]) -> float:
    """What the edge took of the processors for each call, over all rounds."""
    return 1e6 * sum(sample.edge_seconds for sample in samples) / sum(sample.calls for sample in samples)


def by_turns(subject: Contender, baseline: Contender, seconds: float, rounds: int) -> Measured:
    """A B A B ..., after a round of each that doesn't count."""
    return Measured(*in_turns((subject, baseline), seconds, rounds))


def in_turns(contenders: Sequence[Contender], seconds: float, rounds: int) -> Sequence[Sequence[Sample]]:
    """A B C A B C ..., after a round of each that doesn't count. Gives the samples of each contender."""
    for contender in contenders:
        contender(min(seconds, WARM_UP))
    turns = [[contender(seconds) for contender in contenders] for _ in range(rounds)]
    return list(zip(*turns, strict=True))


@dataclass(frozen=True, slots=True)
class Side:
    """A server and the load that it gets."""

    module: str
    load: str
    count: int = 0
    """What the load takes: moves, sessions, or streams."""
    arguments: tuple[str, ...] = ()
    stored: int | Filling | None = None
    """Sessions that lie in its database from the start. None: it has no database."""
    driver: str = "loadtests.driver"
    """The module of the load generator."""
    rules_apart: bool = False
    """Whether it reaches the rules over gRPC, in a server of their own that counts as a part of it."""
    settings: Mapping[str, str] = field(default_factory=dict)
    """Of the environment."""
    through_edge: bool = False
    """Whether the load comes through an edge, whose time of the processors is told apart."""


@dataclass(frozen=True, slots=True)
class Driven:
    """A contender: servers, and the load generator that calls the first of them, by way of the edge if there is one."""

    servers: Sequence[Server]
    drive: Callable[[float], dict[str, Any]]
    edge: Server | None = None

    def __call__(self, seconds: float) -> Sample:
        """Make calls for so long."""
        if self.edge is None:
            return Sample(**self.drive(seconds))
        before = processor_seconds(self.edge.pid)
        told = self.drive(seconds)
        return Sample(**told, edge_seconds=processor_seconds(self.edge.pid) - before)


@contextmanager
def contending(side: Side) -> Iterator[Driven]:
    """Start a server and its load generator."""
    with ExitStack() as stack:
        servers = stack.enter_context(serving(side))
        entrance = stack.enter_context(edge.before(servers[0])) if side.through_edge else None
        pids = ",".join(str(server.pid) for server in servers)
        arguments = (side.load, (entrance or servers[0]).address, pids, str(side.count))
        drive = stack.enter_context(driving([sys.executable, "-m", side.driver, *arguments]))
        yield Driven(servers, drive, entrance)


@contextmanager
def serving(side: Side) -> Iterator[Sequence[Server]]:
    """Start the server of a side, and that of its rules where they are apart. The first is the one to call."""
    BUILD.mkdir(exist_ok=True)
    with ExitStack() as stack:
        # Not in /tmp, which may be memory: a durable move waits for a disk.
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="bench-", dir=BUILD)))
        arguments, rules = list(side.arguments), []
        if side.rules_apart:
            rules = [stack.enter_context(running("services.rules", (), folder / "rules"))]
            arguments += ["--rules", rules[0].address]
        if side.stored is not None:
            database = folder / "lair.db"
            fill(database, side.stored if isinstance(side.stored, Filling) else Filling(side.stored))
            arguments += ["--database", str(database)]
        yield [stack.enter_context(running(side.module, arguments, folder, side.settings)), *rules]


@contextmanager
def driving(command: Sequence[str]) -> Iterator[Callable[[float], dict[str, Any]]]:
    """Start a load generator, which loadtests/driver.py describes. It takes seconds, and tells what it saw in them."""
    driver = subprocess.Popen(command, cwd=ROOT, env=environment(), stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def drive(seconds: float) -> dict[str, Any]:
        assert driver.stdin
        driver.stdin.write(f"{seconds}\n".encode())
        driver.stdin.flush()
        told: dict[str, Any] = json.loads(_heard(driver))
        return told

    try:
        _heard(driver)
        yield drive
    finally:
        stop(driver)


def _heard(driver: subprocess.Popen[bytes]) -> bytes:
    assert driver.stdout
    line = driver.stdout.readline()
    if not line:
        raise RuntimeError(f"the load generator has ended with exit code {driver.wait()}; its error stands above")
    return line
