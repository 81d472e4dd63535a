"""How long a blocking stream is waited for: gRPC itself waits for the next message for ever."""

import math
import threading
import time
from collections.abc import Callable
from typing import Self


class Patience:
    """Gives up when a wait inside its `with` block lasts longer than its seconds.

    One thread serves every wait of a stream, and wakes up once for each time that the patience would have ended: a
    timer for each message would cost more than many messages do.
    """

    def __init__(self, give_up: Callable[[], object]) -> None:
        self._give_up = give_up
        self._seconds = 0.0
        self._due: float | None = None
        self._wakes = math.inf
        """When the thread looks next."""
        self._woken = threading.Event()
        self._closed = False
        self._thread: threading.Thread | None = None
        self.lost = False
        """Whether it has given up."""

    def of(self, seconds: float) -> Self:
        """The patience of the next wait."""
        self._seconds = seconds
        return self

    def __enter__(self) -> Self:
        self._due = time.monotonic() + self._seconds
        if self._thread is None:
            self._thread = threading.Thread(target=self._watch, name="lair-patience", daemon=True)
            self._thread.start()
        elif self._due < self._wakes:
            self._woken.set()
        return self

    def __exit__(self, *_: object) -> None:
        self._due = None

    def close(self) -> None:
        """Have no more waits to watch."""
        self._closed = True
        self._woken.set()

    def _watch(self) -> None:
        while not self._closed:
            self._wakes = math.inf  # a wait that begins between here and the next line wakes it
            due = self._due
            left = self._seconds if due is None else due - time.monotonic()
            if left <= 0 and due is not None:
                self.lost = True
                self._give_up()
                return
            self._wakes = time.monotonic() + left
            self._woken.wait(left)
            self._woken.clear()
