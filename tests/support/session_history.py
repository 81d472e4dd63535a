"""What clients did to one session at once, and what of that can be: the model for the checker of histories.

A session is a list of moves that grows. A submit adds its move at the end and is answered by its revision; sent again,
it is answered by the same and adds nothing. A read is answered by the last revision.
"""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from tests.support.linearizability import Operation, linearizable

State = tuple[str, ...]
"""The request ids of the moves so far."""
Asked = str | None
"""A submit's request id; None is a read."""


def apply(state: State, asked: Asked, answered: int | None) -> State | None:
    """The moves after an operation; None when it can't have been answered so. No answer: it was played, or will be."""
    if asked is None:
        return state if answered == len(state) else None
    if asked in state:
        return state if answered in (None, state.index(asked) + 1) else None
    return (*state, asked) if answered in (None, len(state) + 1) else None


@dataclass
class History:
    """Operations on one session, noted by any thread."""

    operations: list[Operation] = field(default_factory=list)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @contextmanager
    def doing(self, asked: Asked) -> Iterator[Callable[[int], None]]:
        """Note one operation. Whoever hears an answer tells it; who hears none leaves the operation open."""
        called, answers = time.monotonic(), []
        try:
            yield answers.append
        finally:
            returned = {"answered": answers[0], "returned": time.monotonic()} if answers else {}
            if answers or asked is not None:
                with self._lock:
                    self.operations.append(Operation(asked, called=called, **returned))

    def check(self) -> bool:
        """Whether all of it can have happened one after the other."""
        return linearizable(self.operations, (), apply)
