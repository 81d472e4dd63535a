"""How long a blocking stream is waited for: gRPC itself waits for the next message for ever."""

import threading
import time
from collections.abc import Callable
from typing import Self


class Patience:
    """Gives up when a wait inside its `with` block lasts longer than so many seconds; with None, never.

    One thread serves every wait of a stream, and wakes up once for each time that the patience would have ended: a
    timer for each message would cost more than many messages do.
    """

    def __init__(self, seconds: float | None, give_up: Callable[[], object]) -> None:
        self._seconds = seconds
        self._give_up = give_up
        self._due: float | None = None
        self._over = threading.Event()
        self.lost = False
        """Whether it has given up."""
        if seconds is not None:
            threading.Thread(target=self._watch, args=[seconds], name="lair-patience", daemon=True).start()

    def __enter__(self) -> Self:
        if self._seconds is not None:
            self._due = time.monotonic() + self._seconds
        return self

    def __exit__(self, *_: object) -> None:
        self._due = None

    def close(self) -> None:
        """Have no more waits to watch."""
        self._over.set()

    def _watch(self, seconds: float) -> None:
        left = seconds
        while not self._over.wait(left):
            due = self._due
            left = seconds if due is None else due - time.monotonic()
            if left <= 0:
                self.lost = True
                self._give_up()
                return
