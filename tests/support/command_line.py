"""The command `lair` as people and scripts run it, against a real server.

`lair(...)` is a process of its own, as in a shell. `lair.here(...)` is the same command line in this process: it saves
the time of starting Python where a process of its own shows nothing more.
"""

import io
import json
import os
import pty
import select
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest.mock import patch

from lair.cli import run

LAIR = Path(sys.executable).with_name("lair")
FULL = Path("/dev/full")
PATIENCE = 60.0
LONG_ENOUGH = 10.0
"""Seconds in which a command that was told to end has ended, also on a busy machine."""
TWO = ("Ann", "Ben")


@dataclass(frozen=True)
class Ran:
    """What a command has left behind."""

    code: int
    out: str
    err: str

    @property
    def records(self) -> list[Any]:
        """The JSON lines of standard output. Fails when anything else was printed."""
        return [json.loads(line) for line in self.out.splitlines()]


@dataclass(frozen=True)
class Lair:
    """The command, with a notebook of its own and a server."""

    server: str
    notebook: Path

    @property
    def environment(self) -> dict[str, str]:
        chosen = {"LAIR_SERVER": self.server, "LAIR_NOTEBOOK": str(self.notebook), "PYTHONIOENCODING": "utf-8"}
        chosen["LAIR_CONFIG"] = os.devnull
        kept = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "FORCE_COLOR")}
        return kept | chosen

    def __call__(self, *arguments: str, typed: str = "", **environment: str) -> Ran:
        ran = subprocess.run(
            [LAIR, *arguments],
            input=typed,
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=PATIENCE,
            check=False,
            env=self.environment | environment,
        )
        assert "Traceback" not in ran.stderr, ran.stderr
        return Ran(ran.returncode, ran.stdout, ran.stderr)

    def here(self, *arguments: str, typed: str = "") -> Ran:
        out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True) for _ in range(2))
        with (
            patch.dict(os.environ, self.environment),
            patch("sys.stdin", io.StringIO(typed)),
            redirect_stdout(out),
            redirect_stderr(err),
        ):
            code = run(arguments)
        for stream in (out, err):
            stream.seek(0)
        return Ran(code, out.read(), err.read())

    def new(self, *names: str, **options: object) -> str:
        """A session of cabbages, by its short name. Seat 0 begins, unless the options say otherwise."""
        made = self.here("new", "cabbages", *(names or TWO), *given({"first_seat": 0} | options))
        assert made.code == 0, made.err
        return made.out.split()[0].removeprefix("sessions/")


def given(options: dict[str, object]) -> list[str]:
    """Options of a game as they are typed."""
    return [word for name, value in options.items() for word in ("--option", f"{name}={value}")]


def one_sentence(ran: Ran) -> str:
    """What a command that failed said. It says nothing else."""
    assert ran.out == ""
    assert len(ran.err.splitlines()) == 1, ran.err
    return ran.err.strip()


def prompted(answer: Callable[[], str]) -> Callable[[str], str]:
    """An input() that shows its prompt, as the real one does, and gives this answer."""

    def read(prompt: str = "") -> str:
        sys.stdout.write(prompt)
        return answer()

    return read


CTRL_C = "\x03"
TAKE_THE_TERMINAL = """
import fcntl, os, sys, termios
os.setsid()
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
os.execv(sys.argv[1], sys.argv[1:])
"""


def in_a_terminal(lair: Lair, *arguments: str, steps: list[tuple[str, str]], **environment: str) -> tuple[str, int]:
    """Run a command in a terminal: wait for a text, type, and so on. Gives what was shown, and the exit code."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-c", TAKE_THE_TERMINAL, LAIR, *arguments],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env=lair.environment | environment,
    )
    os.close(theirs)
    shown, typed = "", ""
    waiting = list(steps)
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        if waiting and waiting[0][0] in shown:
            typed = waiting.pop(0)[1]
            os.write(ours, typed.encode())
        if select.select([ours], [], [], LONG_ENOUGH)[0]:
            try:
                shown += os.read(ours, 65536).decode(errors="replace")
            except OSError:  # the other end is closed
                break
        elif typed == CTRL_C:  # Python loses one that comes just before it reads: press again, as people do
            os.write(ours, typed.encode())
    else:
        process.kill()
    os.close(ours)
    code = process.wait(PATIENCE)
    assert not waiting, shown
    return shown, code
