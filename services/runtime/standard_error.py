"""Lines for standard error, written by a thread: whoever logs never waits for whoever reads.

A terminal that is paused, a pipe that nobody empties and a disk that hangs all stop whoever writes to them. So lines
wait in a bounded queue. Those for which there is no room, or which can't be written, are counted, and one line says how
many they were as soon as writing works again.
"""

import atexit
import select
import sys
import threading
from collections.abc import Callable
from functools import cache
from itertools import accumulate
from os import write

MOST_WAITING = 4_000_000
"""Characters of all lines that wait; as many may be under way to the reader."""
REST = 0.02
"""In seconds, after each writing: lines that come meanwhile are written together. What is urgent does not wait."""
HURRY = MOST_WAITING // 16
"""So much that waits makes the rest shorter."""
FLUSH_SECONDS = 2.0
"""How long the end of the process may wait for whoever reads."""


class StandardError:
    """Lines on their way to standard error. Any thread may put some. What waits at the end is flushed."""

    def __init__(self) -> None:
        self.dropped: Callable[[int], str] = "{} lines dropped".format
        """Words how many lines are missing."""
        self._lock = threading.RLock()  # whoever has it may be made to collect garbage, which may log
        self._wake = threading.Event()
        self._lines: list[str] = []
        self._size = 0
        self._missing = 0
        self._asleep = False
        self._closing = False
        self._failing = False
        """Whether the last writing has failed: then only a further line is a reason to try again."""
        self._torn = False
        """Whether the last line was not written to its end."""
        self._thread = threading.Thread(target=self._run, name="standard-error", daemon=True)
        self._thread.start()
        atexit.register(self.close)

    def put(self, line: str, *, urgent: bool = False) -> None:
        """Write a line, soon. It is dropped where too much waits."""
        with self._lock:
            if self._closing or self._size + len(line) > MOST_WAITING:
                self._missing += 1
                return
            self._lines.append(line)
            self._size += len(line)
            if self._asleep or urgent or self._size > HURRY:
                self._asleep = False
                self._wake.set()

    def close(self, seconds: float = FLUSH_SECONDS) -> None:
        """Write what waits, for no longer than so many seconds. Later lines are dropped."""
        with self._lock:
            self._closing = True
            self._wake.set()
        self._thread.join(seconds)

    def _run(self) -> None:
        while taken := self._take():
            self._write(*taken)
            self._wake.wait(REST)

    def _take(self) -> tuple[list[str], int] | None:
        """What waits, as soon as something does, and how many lines are missing after it. None is the end."""
        while True:
            with self._lock:
                self._wake.clear()
                if self._lines or (self._missing and not self._failing):
                    taken = self._lines, self._missing
                    self._lines, self._size, self._missing = [], 0, 0
                    return taken
                if self._closing:
                    return None
                self._asleep = True
            self._wake.wait()

    def _write(self, lines: list[str], missing: int) -> None:
        said = [*lines, self.dropped(missing)] if missing else lines
        raw = [f"{line}\n".encode(errors="backslashreplace") for line in said]
        if self._torn:
            raw[0] = b"\n" + raw[0]
        written = _write_all(b"".join(raw))
        ends = list(accumulate(map(len, raw)))
        if written:
            self._torn = written not in ends
        self._failing = written < ends[-1]
        if self._failing:
            with self._lock:
                self._missing += missing + sum(end > written for end in ends[: len(lines)])


@cache
def standard_error() -> StandardError:
    """That of this process."""
    return StandardError()


def _write_all(data: bytes) -> int:
    """Write it to the end, or as far as it goes; and give how far that was."""
    written, rest = 0, memoryview(data)
    try:
        descriptor = sys.stderr.fileno()
        while written < len(data):
            try:
                written += write(descriptor, rest[written:])
            except BlockingIOError:  # somebody who shares it has made it so
                select.select((), (descriptor,), ())
    except (OSError, ValueError, AttributeError):
        pass  # it is full, broken or closed, or was never there
    return written
