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

from loadtests.measuring import edge, postgresql
from loadtests.measuring.filling import Filling, fill
from loadtests.measuring.filling_postgresql import fill_postgresql
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
    on_postgresql: bool = False
    """Whether its database is in a PostgreSQL of its own, whose time of the processors is told apart."""
    replicas: int = 1
    """How many servers there are on that one database. The load gets all of their addresses."""
    through_edge: bool = False
    """Whether the load comes through an edge, whose time of the processors is told apart."""


@dataclass(frozen=True, slots=True)
class Driven:
    """A contender: servers, and the load generator that calls them, by way of the edge if there is one."""

    servers: Sequence[Server]
    drive: Callable[[float], dict[str, Any]]
    beside: Mapping[str, int]
    """Processes whose time is told apart, by the name that a Sample has for it."""

    def __call__(self, seconds: float) -> Sample:
        """Make calls for so long."""
        before = {name: processor_seconds(pid) for name, pid in self.beside.items()}
        told = self.drive(seconds)
        return Sample(**told, **{name: processor_seconds(pid) - before[name] for name, pid in self.beside.items()})


@contextmanager
def contending(side: Side) -> Iterator[Driven]:
    """Start a server and its load generator."""
    with ExitStack() as stack:
        BUILD.mkdir(exist_ok=True)
        beside: dict[str, int] = {}
        url = ""
        if side.on_postgresql:
            # Not in /tmp, which may be memory: a durable move waits for a disk.
            database = stack.enter_context(postgresql.running_postgresql(BUILD))
            beside["database_seconds"], url = database.pid, database.url()
        servers = stack.enter_context(serving(side, url))
        addresses = [server.address for server in servers[: side.replicas]]
        if side.through_edge:
            entrance = stack.enter_context(edge.before(servers[0]))
            beside["edge_seconds"], addresses = entrance.pid, [entrance.address]
        pids = ",".join(str(server.pid) for server in servers)
        arguments = (side.load, ",".join(addresses), pids, str(side.count))
        drive = stack.enter_context(driving([sys.executable, "-m", side.driver, *arguments]))
        yield Driven(servers, drive, beside)


@contextmanager
def serving(side: Side, url: str = "") -> Iterator[Sequence[Server]]:
    """Start the servers of a side, and that of its rules where they are apart, which comes last.

    With a URL, the database is there, and empty.
    """
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="bench-", dir=BUILD)))
        arguments, rules = list(side.arguments), []
        if side.rules_apart:
            rules = [stack.enter_context(running("services.rules", (), folder / "rules"))]
            arguments += ["--rules", rules[0].address]
        if side.stored is not None:
            filling = side.stored if isinstance(side.stored, Filling) else Filling(side.stored)
            if url:
                fill_postgresql(url, filling)
            else:
                fill(folder / "lair.db", filling)
            arguments += ["--database", url or str(folder / "lair.db")]
        places = (folder / f"server{number}" for number in range(side.replicas))
        servers = [stack.enter_context(running(side.module, arguments, place, side.settings)) for place in places]
        yield [*servers, *rules]


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
