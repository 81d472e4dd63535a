"""Servers as processes of their own: started, killed, started again on the same file."""

import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Self

import grpc

ROOT = Path(__file__).parents[2]
PATIENCE = 30.0


def free_port() -> int:
    """A port of the loopback interface that nobody has at the moment."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Server:
    """`python -m <module>` on one port and one file, however often it is started."""

    def __init__(self, database: Path, module: str = "services", **environment: str) -> None:
        self.address = f"127.0.0.1:{free_port()}"
        self.log = database.with_suffix(".log")
        self._command = [sys.executable, "-m", module, "--address", self.address, "--database", str(database)]
        self._environment = {**os.environ, "LAIR_LOG_FORMAT": "json", **environment}
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> Self:
        """Start it, and wait until it answers."""
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(self._command, cwd=ROOT, env=self._environment, stdout=log, stderr=log)
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            with grpc.insecure_channel(self.address) as channel:
                try:
                    grpc.channel_ready_future(channel).result(timeout=1.0)
                except grpc.FutureTimeoutError:
                    assert self.process.poll() is None, self.log.read_text()
                else:
                    return self
        raise AssertionError(self.log.read_text())

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
