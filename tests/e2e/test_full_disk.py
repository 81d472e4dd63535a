"""A disk that is full: moves are refused and reads go on, health says so, and all is well again once there is room."""

import json
import resource
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any

import grpc
import pytest

from tests.support.processes import Server
from tests.support.refusals import SESSION, Refused, read_error
from tests.support.servers import PATIENCE, Stubs
from tests.support.sessions import Created, create, endless, history_of, session_of, submit, view_of

SIZE = 6 * 1024 * 1024
MOST_SECONDS = 2.0
"""Between the first move that is refused and health that says so: what is promised."""
STILL_FULL = 2.0
"""Seconds for which it goes on being tried. Health must not change to and fro."""

Fill = Callable[[], None]


@contextmanager
def small_disk(server: Server, folder: Path) -> Iterator[tuple[Fill, Fill]]:
    """A file system that another file fills."""
    ballast = folder / "ballast"

    def fill() -> None:
        with ballast.open("wb", buffering=0) as file:
            for size in (64 * 1024, 1024, 1):
                try:
                    while file.write(bytes(size)) == size:
                        pass
                except OSError:
                    continue

    yield fill, ballast.unlink


@contextmanager
def small_files(server: Server, folder: Path) -> Iterator[tuple[Fill, Fill]]:
    """No file of the server may grow, as on a full disk for each file by itself; its log can't be written either."""
    unlimited = resource.RLIM_INFINITY

    def limit(size: int) -> None:
        assert server.process is not None
        resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (size, unlimited))

    yield lambda: limit((folder / "lair.db-wal").stat().st_size), lambda: limit(unlimited)


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """A small file system, where this may be had."""
    command = ["mount", "-t", "tmpfs", "-o", f"size={SIZE},mode=700", "lair-test", str(tmp_path)]
    if subprocess.run(command, capture_output=True, check=False).returncode:
        pytest.skip("here nobody may mount a file system")
    yield tmp_path
    subprocess.run(["umount", str(tmp_path)], check=True)


@pytest.mark.slow
def test_a_full_disk_refuses_moves_and_nothing_else_until_there_is_room(
    disk: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    server = Server(disk / "lair.db")
    server.log = tmp_path_factory.mktemp("log") / "lair.log"
    full_for_a_while(server, disk, small_disk)
    assert {line["reason"] for line in told(server) if line["event"] == "call" and line["code"] != "OK"} == {
        "STORE_UNAVAILABLE"
    }
    healths = [line for line in told(server) if line["event"] == "health"]
    assert [line["serving"] for line in healths if line["serving"] is not True] == [False], "not to and fro"
    first = next(line for line in told(server) if line.get("reason") == "STORE_UNAVAILABLE")
    assert (at(healths[1]) - at(first)).total_seconds() < MOST_SECONDS


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(resource, "prlimit"), reason="only Linux limits a process that runs")
def test_files_that_may_not_grow_are_like_a_full_disk(tmp_path: Path) -> None:
    full_for_a_while(Server(tmp_path / "lair.db"), tmp_path, small_files)


def full_for_a_while(server: Server, folder: Path, small: Any) -> None:
    """Play until the disk is full, and on once it is not; then look, after a power cut, whether anything is missing."""
    with server, small(server, folder) as (fill, make_room), Stubs(server.address) as stubs:
        created = create(stubs, **endless(10_000))
        until(stubs.serving)
        acknowledged = sum(play(stubs, created, number) is None for number in range(20))
        assert acknowledged == 20
        fill()
        while (refused := play(stubs, created, acknowledged)) is None:
            acknowledged += 1
        assert refused.kind == ("UNAVAILABLE", SESSION, "STORE_UNAVAILABLE")
        assert refused.retry_after
        until(lambda: not stubs.serving())
        end = time.monotonic() + STILL_FULL
        while time.monotonic() < end:
            acknowledged += play(stubs, created, acknowledged) is None
            assert session_of(stubs, created).revision == acknowledged
            assert not stubs.serving()
            time.sleep(0.05)
        assert view_of(stubs, created, 0).revision == acknowledged
        assert len(history_of(stubs, created)) == acknowledged + 1
        make_room()
        until(stubs.serving)
        assert play(stubs, created, acknowledged) is None
        acknowledged += 1
        server.kill()
        server.start()
        with Stubs(server.address) as again:
            assert len(history_of(again, created)) == acknowledged + 1, "nothing is missing, and nothing is twice"


def play(stubs: Stubs, created: Created, number: int) -> Refused | None:
    """Play the next move, and give why not."""
    try:
        submit(stubs, created, number % 2, "feed")
    except grpc.RpcError as error:
        return read_error(error)
    return None


def told(server: Server) -> list[dict[str, Any]]:
    return [json.loads(line) for line in server.log.read_text("utf-8").splitlines() if line.startswith("{")]


def at(line: dict[str, Any]) -> datetime:
    return datetime.fromisoformat(line["timestamp"])


def until(true: Callable[[], bool]) -> None:
    """Wait until it is so."""
    deadline = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < deadline
        time.sleep(0.05)
