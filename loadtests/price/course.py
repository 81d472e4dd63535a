"""One course: a server, with an edge before it where there is one, and a hunt for so many inputs or seconds."""

import contextlib
import itertools
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import grpc
from monsters.session.v1 import session_pb2 as wire
from monsters.session.v1 import session_pb2_grpc

from loadtests.measuring import edge as edges
from loadtests.measuring.filling import Filling, fill, session_id
from loadtests.measuring.servers import Server, processor_clock, running
from loadtests.price.doors import GrpcDoor, JsonDoor
from loadtests.price.hunt import Findings, Hunt
from loadtests.price.ingredients import LONG_ONES
from loadtests.price.requests import targets

LONG = 1000
"""Moves in the long sessions: as many as a page may have."""
TELL_EVERY = 5000
SETTINGS = {"LAIR_HEARTBEAT": "0.05", "LAIR_MAX_CREATIONS": "0", "LAIR_MAX_JOINS": "0"}


@dataclass(frozen=True, slots=True)
class Course:
    """What a course has come to."""

    findings: Findings
    seconds: float
    memory: int
    """The most that the server had in memory, in bytes."""
    alive: bool
    log: str
    """What the server has logged: failures of its own."""


def run(
    folder: Path, seed: int, *, inputs: int | None, seconds: float | None, tell: Callable[[str], None] = lambda _: None
) -> Course:
    """Hunt until so many inputs were sent, or for so many seconds."""
    database = folder / "lair.db"
    fill(database, Filling(LONG_ONES, LONG))
    with running("services", ["--database", str(database)], folder, SETTINGS) as server, _edge(server) as edge:
        door = GrpcDoor(server.address)
        with contextlib.ExitStack() as stack:
            stack.enter_context(contextlib.closing(door.channel))
            json_door = stack.enter_context(contextlib.closing(JsonDoor(edge.address))) if edge else None
            _end_one(door.channel)
            hunt = Hunt(targets(edge=bool(edge)), door, json_door, processor_clock(server.pid), seed)
            started = time.monotonic()
            for number in itertools.count(1):
                hunt.step()
                if number == inputs or (seconds and time.monotonic() - started > seconds):
                    break
                if number % TELL_EVERY == 0:
                    tell(_progress(hunt.findings, server.pid))
            took = time.monotonic() - started
            return Course(
                hunt.findings, took, peak(server.pid), _lives(server.pid), (folder / "stderr.txt").read_text()
            )


@contextlib.contextmanager
def _edge(server: Server) -> Iterator[Server | None]:
    if not edges.is_installed():
        yield None
        return
    with edges.before(server) as edge:
        yield edge


def _end_one(channel: grpc.Channel) -> None:
    """End the first of the long sessions, so that everything of it is revealed."""
    stub = session_pb2_grpc.SessionServiceStub(channel)
    ended = wire.AbortSessionRequest(name=f"sessions/{session_id(0)}")
    stub.AbortSession(ended, metadata=[("authorization", "Bearer the host's token")])


def peak(pid: int) -> int:
    """The most that a process has ever had in memory (proc_pid_status(5))."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    (kilobytes,) = (line.split()[1] for line in lines if line.startswith("VmHWM:"))
    return int(kilobytes) * 1024


def _lives(pid: int) -> bool:
    state = Path(f"/proc/{pid}/stat")
    return state.exists() and state.read_text().rpartition(")")[2].split()[0] != "Z"


def _progress(findings: Findings, pid: int) -> str:
    worst = findings.worst()
    dear = f"{worst[0][1].milliseconds:.1f} ms {worst[0][0]}" if worst else ""
    return f"{findings.inputs:,} inputs, {len(findings.bad)} bad, {peak(pid) / 1e6:.0f} MB, dearest {dear}"
