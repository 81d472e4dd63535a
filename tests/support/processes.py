"""Servers as processes of their own: started, killed, started again on the same file."""

import os
import secrets
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Self

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc

from tests.support.forked import Forked

ROOT = Path(__file__).parents[2]
PATIENCE = 90.0
"""Seconds that a server may take to start or to end, on a machine that does much else."""
MOST_WORKERS = 32
WORKER = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw")) % MOST_WORKERS
PORTS = range(10_000 + WORKER, 32_000, MOST_WORKERS)
"""Below those that a system gives to connections and to whoever asks for any, and of this process of the tests alone:
nobody gets one in the meantime."""
_given: set[int] = set()


def free_port() -> int:
    """A port of the loopback interface that nobody has at the moment, also while a server of the tests is away."""
    while True:
        port = secrets.choice(PORTS)  # tests may set the seed of `random`
        if port in _given and len(_given) < len(PORTS) // 2:
            continue
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
        _given.add(port)
        return port


def environment(**settings: str) -> dict[str, str]:
    """What a process of ours gets: this one's environment without the parameters of tests, which no server knows."""
    return {**{name: text for name, text in os.environ.items() if not name.startswith("LAIR_")}, **settings}


class Server:
    """`python -m services` on one port and one file, however often it is started.

    It is forked from a process that has loaded it, or `anew` a Python of its own, as people start it.
    """

    def __init__(self, database: Path, *, url: str = "", anew: bool = False, **settings: str) -> None:
        """With a URL the sessions lie there, and the path only says where the log is written."""
        self.address = f"127.0.0.1:{free_port()}"
        self.log = database.with_suffix(".log")
        self._arguments = ["--address", self.address, "--database", url or str(database)]
        self._environment = environment(**{"LAIR_LOG_FORMAT": "json", **settings})
        self._anew = anew
        self.process: subprocess.Popen[bytes] | Forked | None = None

    def start(self) -> Self:
        """Start it, and wait until it answers."""
        self.process = self._launched()
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            with grpc.insecure_channel(self.address) as channel:
                # A future of the channel's readiness would still poll the channel when it is closed.
                try:
                    health_pb2_grpc.HealthStub(channel).Check(health_pb2.HealthCheckRequest(), timeout=1.0)
                except grpc.RpcError:
                    assert self.process.poll() is None, self.log.read_text()
                    time.sleep(0.02)
                else:
                    return self
        raise AssertionError(self.log.read_text())

    def _launched(self) -> subprocess.Popen[bytes] | Forked:
        if not self._anew:
            return Forked("services", self._arguments, ROOT, self._environment, self.log)
        command = [sys.executable, "-m", "services", *self._arguments]
        with self.log.open("ab") as log:
            return subprocess.Popen(command, cwd=ROOT, env=self._environment, stdout=log, stderr=log)

    @property
    def pid(self) -> int:
        """Its number, while it is running."""
        assert self.process is not None
        return self.process.pid

    def kill(self) -> None:
        """End it as a power cut would."""
        self._end(signal.SIGKILL)

    def stop(self) -> int:
        """Ask it to end, and give its exit code."""
        return self._end(signal.SIGTERM)

    def _end(self, number: int) -> int:
        if self.process is None:
            return 0
        self.process.send_signal(number)
        code = self.process.wait(PATIENCE)
        self.process = None
        return code

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.kill()
