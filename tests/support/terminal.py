"""Somebody at a terminal of a certain size: what they see is kept as a real one would show it, and typed at."""

import fcntl
import os
import pty
import select
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable
from types import TracebackType
from typing import Self

import pyte

from tests.support.command_line import LAIR, PATIENCE, TAKE_THE_TERMINAL, Lair

SMALL, LARGE = (80, 24), (140, 50)
"""Columns and lines."""
STEP = 0.05


class Terminal:
    """One command in a terminal. Use it in a `with` block: what still runs at its end is ended."""

    def __init__(self, lair: Lair, *arguments: str, size: tuple[int, int] = SMALL, **environment: str) -> None:
        columns, lines = size
        self._ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
        kept = {name: value for name, value in lair.environment.items() if name not in ("LINES", "NO_COLOR")}
        self._process = subprocess.Popen(
            [sys.executable, "-c", TAKE_THE_TERMINAL, LAIR, *arguments],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            env=kept | {"TERM": "xterm"} | environment,
        )
        os.close(theirs)
        self._screen = pyte.Screen(columns, lines)
        self._stream = pyte.ByteStream(self._screen)
        self.raw = b""
        """All that was written, as it was."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        self._process.kill()
        self._process.wait(PATIENCE)
        os.close(self._ours)
        if error is not None:
            error.add_note(self.text)

    @property
    def lines(self) -> list[str]:
        """What is seen now, without blanks at the ends."""
        return [line.rstrip() for line in self._screen.display]

    @property
    def text(self) -> str:
        """What is seen now."""
        return "\n".join(self.lines).rstrip("\n")

    def shows(self, text: str) -> bool:
        """Whether this is on the screen, also over several lines, broken between words or anywhere."""
        flowing = " ".join(" ".join(self.lines).split())
        return any(text in seen for seen in (self.text, flowing, "".join(self._screen.display)))

    @property
    def prompt(self) -> str:
        """The line in which the cursor stands."""
        return self.lines[self._screen.cursor.y]

    def type(self, text: str) -> None:
        """Press keys."""
        os.write(self._ours, text.encode())

    def sees(self, *texts: str) -> None:
        """Wait until all this is on the screen, in one line or over several. Fails when it doesn't come."""
        self._until(lambda: all(self.shows(text) for text in texts), f"{texts} is not seen")

    def is_asked(self, prompt: str) -> None:
        """Wait until the cursor's line is this one."""
        self._until(lambda: self.prompt == prompt.rstrip(), f"{prompt!r} is not the line of the cursor")

    def enter(self, prompt: str, line: str) -> None:
        """Wait for a prompt, and answer it."""
        self.is_asked(prompt)
        self.type(f"{line}\n")

    def enter_any(self, end: str, line: str) -> None:
        """Wait for a prompt that ends so, and answer it."""
        self._until(lambda: self.prompt.endswith(end.rstrip()), f"no prompt ends with {end!r}")
        self.type(f"{line}\n")

    def ends(self) -> int:
        """Wait for the end of the command. Gives its exit code."""
        self._until(lambda: self._process.poll() is not None, "the command goes on")
        self._read()
        return self._process.returncode

    def _until(self, true: Callable[[], bool], otherwise: str) -> None:
        deadline = time.monotonic() + PATIENCE
        while not true():
            assert time.monotonic() < deadline, f"{otherwise}:\n{self.text}"
            self._read()

    def _read(self) -> None:
        if select.select([self._ours], [], [], STEP)[0]:
            try:
                written = os.read(self._ours, 65536)
            except OSError:  # the other end is closed
                time.sleep(STEP)
                return
            self.raw += written
            self._stream.feed(written)
