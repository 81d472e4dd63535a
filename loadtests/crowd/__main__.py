"""`make load`: a crowd of users on a server, by Locust. loadtests/README.md says what they do and what is measured."""

import argparse
import json
import math
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console

from loadtests.crowd.figures import FINISHED, figures, problems
from loadtests.crowd.page import summary
from loadtests.crowd.sampling import Sampler
from loadtests.measuring import edge
from loadtests.measuring.servers import ROOT, environment, running, stop

BUILD = ROOT / "build"
STOP_SECONDS = 5
"""What users may take to end the call that is under way when the time is up."""
RAMP_PACE = 10.0
"""Calls a second of each user while the peak is looked for."""
FASTEST = 5.0
"""Calls a second of each user at most, otherwise: then an answer may take as long as they do."""


@dataclass(frozen=True, slots=True)
class Crowd:
    """How many users do what."""

    users: int
    rate: float
    """Calls a second, of all of them."""
    seconds: float
    stories: Sequence[str] = ()
    """User classes. None: all of them."""
    processes: int = 1
    ramp: bool = False

    @property
    def options(self) -> list[str]:
        """The same for Locust."""
        pace = RAMP_PACE if self.ramp else self.rate / self.users
        files = ["loadtests/crowd/locustfile.py", *(["loadtests/crowd/ramp.py"] if self.ramp else [])]
        size = ["-u", str(self.users), "-r", str(min(self.users, 100)), "-t", f"{math.ceil(self.seconds)}s"]
        options = ["-f", ",".join(files), "--headless", "--pace", str(pace), *([] if self.ramp else size)]
        if self.processes > 1:
            options += ["--processes", str(self.processes)]
        return [*options, *self.stories]


def main() -> int:
    arguments = _arguments()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("terminated"))
    try:
        crowd = _crowd(arguments)
    except LookupError as error:
        print(error.args[0])
        return 2
    for needed in (BUILD, arguments.html.parent, arguments.output.parent, arguments.peak.parent):
        needed.mkdir(parents=True, exist_ok=True)
    log = arguments.output.with_suffix(".log")
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="load-", dir=BUILD)))
        target, server = stack.enter_context(_target(arguments, folder))
        length = "until it is at its limit" if crowd.ramp else f"for {crowd.seconds:.0f} s"
        with Console(stderr=True).status(f"loading {target} {length}"):
            code, counted, generator = _load(crowd, target, folder / "counted.json", arguments.html, log)
    if counted is None:
        print(f"Locust has ended with exit code {code}; {log} says why")
        return 1
    wrong = _problems_of_server(server) + problems(counted, None if crowd.stories else FINISHED)
    if code and not wrong:
        wrong = [f"Locust has ended with exit code {code}; {log} says why"]
    whole = _report(crowd, counted, server, generator, wrong)
    arguments.output.write_text(json.dumps(whole, indent=2) + "\n")
    if crowd.ramp:
        arguments.peak.write_text(json.dumps({"rate": whole["peak"], "steps": counted["ramp"]}, indent=2) + "\n")
    print(summary(whole))
    print(f"  Report: {_short(arguments.html)}   figures: {_short(arguments.output)}")
    return 1 if wrong else 0


@dataclass(slots=True)
class Watched:
    """A server that is looked at, and what it has written."""

    sampler: Sampler
    log: str = ""
    edge: Sampler | None = None
    """Looks at the edge before it, if there is one."""


@contextmanager
def _target(arguments: argparse.Namespace, folder: Path) -> Iterator[tuple[str, Watched | None]]:
    """Where the load goes, and who serves it, if that is known: a server of our own, unless there is one."""
    if arguments.host is not None:
        if arguments.pid is None:
            yield arguments.host, None
            return
        with Sampler(arguments.pid) as sampler:
            yield arguments.host, Watched(sampler)
        return
    # Not in /tmp, which may be memory: a durable move waits for a disk.
    with running("services", ["--database", str(folder / "lair.db")], folder) as server:
        watched = Watched(Sampler(server.pid))
        with ExitStack() as stack:
            stack.enter_context(watched.sampler)
            address = server.address
            if arguments.edge:
                entrance = stack.enter_context(edge.before(server))
                address, watched.edge = entrance.address, stack.enter_context(Sampler(entrance.pid))
            yield address, watched
        watched.log = (folder / "stderr.txt").read_text(errors="replace")


def _load(crowd: Crowd, target: str, counted: Path, html: Path, log: Path) -> tuple[int, Any, Sampler]:
    """Run Locust. Gives its exit code, what it has counted, if anything, and its processes."""
    command = [sys.executable, "-m", "locust", "--host", target, "--results", str(counted), "--html", str(html)]
    with log.open("wb") as output:
        process = subprocess.Popen(
            [*command, "--stop-timeout", str(STOP_SECONDS), *crowd.options],
            cwd=ROOT,
            env=environment(),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
        )
        try:
            with Sampler(process.pid) as generator:
                code = process.wait()
        finally:
            stop(process)
    return code, json.loads(counted.read_text()) if counted.exists() else None, generator


def _short(path: Path) -> Path:
    return path.relative_to(ROOT) if path.is_relative_to(ROOT) else path


def _problems_of_server(server: Watched | None) -> list[str]:
    if server is None:
        return []
    found = ["the server has ended by itself"] if server.sampler.died else []
    found += ["the edge has ended by itself"] if server.edge and server.edge.died else []
    lines = server.log.splitlines()
    return found + [f"the server says: {line}" for line in lines if '"level": "error"' in line or "Traceback" in line]


def _report(
    crowd: Crowd, counted: Any, server: Watched | None, generator: Sampler, wrong: Sequence[str]
) -> dict[str, Any]:
    whole: dict[str, Any] = {
        "users": crowd.users,
        "rate": crowd.rate,
        "processes": crowd.processes,
        **figures(counted),
        "generator": {"processor_share": generator.processor_share},
        "wrong": wrong,
    }
    if server is not None:
        whole["server"] = {
            "processor_share": server.sampler.processor_share,
            "memory": server.sampler.memory,
            "samples": [(round(each.seconds, 1), round(each.memory, 1)) for each in server.sampler.samples],
        }
        if server.edge is not None:
            whole["edge"] = {"processor_share": server.edge.processor_share, "memory": server.edge.memory}
    if crowd.ramp:
        # Who makes up for what was late achieves more than is offered: that is not the peak.
        kept = [min(offered, achieved) for _, offered, achieved in counted["ramp"]]
        whole |= {"ramp": counted["ramp"], "peak": max(kept, default=0.0)}
    return whole


def _crowd(arguments: argparse.Namespace) -> Crowd:
    """Raises LookupError when the peak is needed and was not found before."""
    seconds = arguments.minutes * 60 if arguments.minutes else arguments.seconds
    rate = arguments.rate
    if arguments.of_peak:
        if not arguments.peak.exists():
            raise LookupError(f'no peak is known in {arguments.peak}: make load ARGUMENTS="--find-peak" finds it')
        rate = json.loads(arguments.peak.read_text())["rate"] * arguments.of_peak / 100
    users = max(arguments.users, math.ceil(rate / FASTEST))
    return Crowd(users, rate, seconds, arguments.stories, arguments.processes, arguments.find_peak)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="make load", description=__doc__)
    add = parser.add_argument
    add("--host", help="a server that is there, as host:port; default: one of its own, on a free port")
    add("--pid", type=int, help="of the server at --host, so that its memory is seen")
    add("--edge", action="store_true", help="through Envoy, before a server of its own")
    add("--users", type=int, default=40)
    add("--rate", type=float, default=120.0, help="calls a second of all users together, default 120")
    add("--seconds", type=float, default=30.0)
    add("--minutes", type=float, help="instead of --seconds")
    add("--stories", nargs="+", default=(), metavar="CLASS", help="GamePlayer, Watcher, ...; default: all of them")
    add("--processes", type=int, default=1, help="of Locust")
    add("--find-peak", action="store_true", help="add users until something is at its limit, for about a minute")
    add("--of-peak", type=float, metavar="PERCENT", help="a rate of so much of the peak that was found last")
    add("--peak", type=Path, default=BUILD / "load-peak.json", help="where the peak is kept")
    add("--html", type=Path, default=BUILD / "load.html", help="default build/load.html")
    add("--output", type=Path, default=BUILD / "load.json", help="default build/load.json")
    arguments = parser.parse_args()
    if arguments.edge and arguments.host:
        parser.error("--edge is before a server of its own: give --host the edge's address")
    if arguments.edge and not edge.is_installed():
        parser.error(edge.MISSING)
    return arguments


if __name__ == "__main__":
    sys.exit(main())
