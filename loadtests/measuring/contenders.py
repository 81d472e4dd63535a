"""Contenders that are servers: started with the load that they get, and stopped."""

import json
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from loadtests.measuring import edge
from loadtests.measuring.filling import Filling, fill
from loadtests.measuring.rounds import Sample
from loadtests.measuring.servers import ROOT, Server, environment, processor_seconds, running, stop

BUILD = ROOT / "build"


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
    driver: str = "loadtests.generator.driver"
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
    """Start a load generator (loadtests/generator/driver.py). It takes seconds, and tells what it saw in them."""
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
