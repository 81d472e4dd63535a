"""A distributed load test fails when it loses a worker, however the worker ends and whenever."""

import json
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.support.processes import PATIENCE, ROOT, free_port
from tests.support.servers import Stubs, running

SPAWNED = re.compile("All users spawned|Spawning is complete")
"""What Locust says once every worker was told. A slow worker's report may come too late to be waited for."""
pytestmark = [pytest.mark.slow, pytest.mark.timeout(180)]

SECONDS = 5
LOCUST = [sys.executable, "-m", "locust", "-f", "loadtests/crowd/locustfile.py"]
Process = subprocess.Popen[bytes]


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Stubs]:
    with running(tmp_path / "lair.db") as stubs:
        yield stubs


@contextmanager
def locust(log: Path, *arguments: str) -> Iterator[Process]:
    """One process of Locust. It is killed if it is still there in the end."""
    with log.open("wb") as output:
        process = subprocess.Popen([*LOCUST, *arguments], cwd=ROOT, stdout=output, stderr=subprocess.STDOUT)
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def run(target: str, folder: Path, meanwhile: Callable[[list[Process]], None]) -> tuple[int, str, Any]:
    """A master with two workers: its exit code, what it says, and its figures. Something is done to the workers."""
    port, results, log = str(free_port()), folder / "figures.json", folder / "master.log"
    crowd = ("-u", "4", "-r", "4", "-t", f"{SECONDS}s", "--stop-timeout", "2", "RulesCaller")
    place = ("--master-bind-host", "127.0.0.1", "--master-bind-port", port)
    master = ("--master", *place, "--headless", "--expect-workers", "2", "--host", target, "--results", str(results))
    worker = ("--worker", "--master-host", "127.0.0.1", "--master-port", port)
    with (
        locust(log, *master, *crowd) as leading,
        locust(folder / "one.log", *worker) as one,
        locust(folder / "two.log", *worker) as two,
    ):
        deadline = time.monotonic() + PATIENCE
        while not SPAWNED.search(log.read_text()):
            assert time.monotonic() < deadline, log.read_text()
            time.sleep(0.1)
        meanwhile([one, two])
        code = leading.wait(PATIENCE)
    return code, log.read_text(), json.loads(results.read_text())


def test_workers_that_last_to_the_end_are_no_failure(server: Stubs, tmp_path: Path) -> None:
    code, said, figures = run(server.address, tmp_path, lambda _: None)
    assert (code, figures["failures"]) == (0, []), said


def kill(workers: list[Process]) -> None:
    """As when a machine goes, or the kernel needs memory."""
    workers[0].kill()


def ask_to_end(workers: list[Process]) -> None:
    """As when a pod is moved: Locust's worker takes leave of its master."""
    workers[0].send_signal(signal.SIGTERM)


def kill_at_the_end(workers: list[Process]) -> None:
    """The master has not missed it yet when the time is up."""
    time.sleep(SECONDS - 2)
    workers[0].kill()


@pytest.mark.parametrize("end", [kill, ask_to_end, kill_at_the_end])
def test_a_worker_that_is_lost_fails_the_run_by_name(
    server: Stubs, tmp_path: Path, end: Callable[[list[Process]], None]
) -> None:
    code, said, figures = run(server.address, tmp_path, end)
    assert code == 1, said
    assert "was lost before the end" in said
    (failure,) = [each for each in figures["failures"] if each["method"] == "worker"]
    assert failure["error"] == "lost before the end, and its users with it"
    assert failure["name"] in said


def test_a_run_that_loses_every_worker_names_each(server: Stubs, tmp_path: Path) -> None:
    """Locust ends it early, without an error of its own."""

    def kill_all(workers: list[Process]) -> None:
        for worker in workers:
            worker.kill()

    code, said, figures = run(server.address, tmp_path, kill_all)
    assert code == 1, said
    assert [each["method"] for each in figures["failures"]] == ["worker"] * 2
