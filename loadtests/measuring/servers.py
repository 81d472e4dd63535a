"""Server processes: started, measured from outside by the time that they take of the processors, and stopped."""

import os
import re
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import psutil  # type: ignore[import-untyped]  # it ships no types

ROOT = Path(__file__).parents[2]
START_SECONDS = 60
STOP_SECONDS = 20
CPUCLOCK_SCHED = 2
"""Of <linux/posix-timers.h>: the time that the scheduler has counted."""


@dataclass(frozen=True, slots=True)
class Server:
    """One that listens."""

    pid: int
    address: str


@contextmanager
def running(
    module: str, arguments: Sequence[str], folder: Path, settings: Mapping[str, str] | None = None
) -> Iterator[Server]:
    """Run `python -m module` on a free port until the context is left. Raises RuntimeError when it doesn't come up."""
    command = [sys.executable, "-m", module, "--address", "127.0.0.1:0", *arguments]
    with listening(command, folder, settings) as server:
        yield server


@contextmanager
def listening(command: Sequence[str], folder: Path, settings: Mapping[str, str] | None = None) -> Iterator[Server]:
    """Run a command that prints where it listens. The folder gets its errors. Raises RuntimeError as `running` does."""
    folder.mkdir(exist_ok=True)
    errors = folder / "stderr.txt"
    with errors.open("wb") as stderr:
        process = subprocess.Popen(
            command,
            cwd=ROOT,
            env={**environment(), **(settings or {})},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=stderr,
        )
    try:
        address = _address(process)
        if address is None:
            raise RuntimeError(f"{' '.join(command)} did not start: {errors.read_text()}")
        yield Server(process.pid, address)
    finally:
        stop(process)


def environment() -> Mapping[str, str]:
    """What children get: no settings of this shell but the tree that this script lies in, and no line for each call."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("LAIR_")}
    paths = [str(ROOT), str(ROOT / "proto/gen/python"), os.environ.get("PYTHONPATH", "")]
    return inherited | {"LAIR_LOG_LEVEL": "warning", "PYTHONPATH": os.pathsep.join(filter(None, paths))}


def stop(process: subprocess.Popen[bytes]) -> None:
    """End a process of ours: gently, then not."""
    process.terminate()
    try:
        process.wait(STOP_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    for pipe in (process.stdin, process.stdout):
        if pipe:
            pipe.close()


def processor_seconds(*pids: int) -> float:
    """User and system time so far, of these processes and of those that they have started, also of those that ended.

    The kernel counts in ticks, of 10 ms on Linux: what is measured should take many of them.
    """
    seconds = 0.0
    for process in _processes(pids):
        with suppress(psutil.NoSuchProcess):  # it has just ended, and is one that its parent has seen end
            times = process.cpu_times()
            seconds += times.user + times.system + times.children_user + times.children_system
    return seconds


def processor_clock(pid: int) -> Callable[[], float]:
    """Milliseconds that a process has been on processors so far, to the nanosecond, by a clock that is read in one.

    It is Linux's clock of another process (clock_getcpuclockid(3)): the complement of its id, before the kind of clock.
    """
    clock = ~pid << 3 | CPUCLOCK_SCHED
    return lambda: time.clock_gettime_ns(clock) / 1e6


def memory(*pids: int) -> int:
    """Bytes in memory (resident), of these processes and of those that they have started."""
    return sum(process.memory_info().rss for process in _processes(pids))


def _processes(pids: Sequence[int]) -> Iterator[psutil.Process]:
    for pid in pids:
        process = psutil.Process(pid)
        yield from process.children(recursive=True)
        yield process


def _address(process: subprocess.Popen[bytes]) -> str | None:
    """Where it listens: the first address that it prints. None when it ends, or is silent for too long."""
    assert process.stdout
    timer = threading.Timer(START_SECONDS, process.kill)
    timer.start()
    try:
        for line in process.stdout:
            if found := re.search(rb"127\.0\.0\.1:[0-9]+", line):
                return found[0].decode()
        return None
    finally:
        timer.cancel()
