"""Servers without the time that loading takes: each is forked from a process that has loaded what they all load.

What is forked is a process of its own: with its environment, its signals and its log, to be killed like any other. It
has neither threads nor gRPC from the one that it comes from, which does nothing but load and fork (the standard
library's fork server).
"""

import os
import runpy
import signal
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from multiprocessing import get_context
from pathlib import Path

LOADED = ("services.__main__", "services.session.adapters.sqlite.migrating")
_forking = get_context("forkserver")
_forking.set_forkserver_preload([*LOADED, __name__])


class Forked:
    """`python -m <module> ...`, as far as tests use a subprocess.Popen."""

    def __init__(
        self, module: str, arguments: Sequence[str], folder: Path, environment: Mapping[str, str], log: Path
    ) -> None:
        self._process = _forking.Process(
            target=_run, args=(module, arguments, folder, dict(environment), log), daemon=True
        )
        self._process.start()
        self._asking = threading.Lock()
        """How it has ended is told once: two who ask at once would hear two things."""

    @property
    def pid(self) -> int:
        """Its number."""
        assert self._process.pid is not None
        return self._process.pid

    def poll(self) -> int | None:
        """Its exit code, if it has ended: the number of the signal below zero where one has ended it."""
        with self._asking:
            return self._process.exitcode

    def wait(self, timeout: float) -> int:
        """Its exit code, once it has ended. Raises subprocess.TimeoutExpired."""
        with self._asking:
            self._process.join(timeout)
            code = self._process.exitcode
        if code is None:
            raise subprocess.TimeoutExpired(str(self._process), timeout)
        return code

    def send_signal(self, number: int) -> None:
        """Send it a signal, unless it has ended."""
        if self.poll() is None:
            os.kill(self.pid, number)


def _run(module: str, arguments: Sequence[str], folder: Path, environment: Mapping[str, str], log: Path) -> None:
    """Be that process."""
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(folder)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    written = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o666)
    for number in (1, 2):
        os.dup2(written, number)
    os.close(written)
    sys.argv = [module, *arguments]
    runpy.run_module(module, run_name="__main__", alter_sys=True)
