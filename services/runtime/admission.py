"""Who is let in: so many calls and streams in all and of each caller, and whose work begins next.

Who is not let in is told so in turn, like those who are. A crowd that is told at once comes again at once, and its next
calls stand before everybody else's in gRPC's queue, which knows no callers. While one waits here it asks for nothing.
"""

from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Self

from services.runtime.failure import Failure, rate_limited
from services.runtime.origins import Origins
from services.runtime.turns import Turns
from services.runtime.unread import UnreadWrites

RETRY_AFTER = 0.1
MOST_REFUSED = 2000
"""Calls that wait to be told that they are not let in: some 24 kB each, and their requests."""
MOST_REFUSED_BYTES = 16 * 1024 * 1024
"""Of all their requests."""


def _too_many(limit: int) -> Failure:
    return rate_limited(limit, RETRY_AFTER, "under way")


class Gate:
    """Counts what is under way, in all and of each caller.

    With `kept` places each caller is let in up to that number also when the gate is full: whoever takes all there are
    locks nobody out. Those that are more than the limit then are few.
    """

    def __init__(
        self, limit: int, of_a_caller: int | None = None, kept: int = 0, refusal: Callable[[int], Failure] = _too_many
    ) -> None:
        self._limit = limit
        self._of_a_caller = limit if of_a_caller is None else of_a_caller
        self._kept = kept
        self._refusal = refusal
        self.under_way = 0
        self._callers: dict[str, int] = {}
        """How many of each are under way."""

    def enter(self, caller: str = "") -> None:
        """Let one in. Raises Failure."""
        own = self._callers.get(caller, 0)
        if own >= self._kept:
            if self.under_way >= self._limit:
                raise self._refusal(self._limit)
            if own >= self._of_a_caller:
                raise self._refusal(self._of_a_caller)
        self._callers[caller] = own + 1
        self.under_way += 1

    def leave(self, caller: str = "") -> None:
        """Let it out."""
        self.under_way -= 1
        if left := self._callers[caller] - 1:
            self._callers[caller] = left
        else:
            del self._callers[caller]

    @contextmanager
    def entered(self, caller: str = "") -> Iterator[None]:
        """Let one in until the context is left. Raises Failure."""
        self.enter(caller)
        try:
            yield
        finally:
            self.leave(caller)


class Refusals:
    """The calls that wait to be told that they are not let in. Beyond the bounds they are told at once."""

    def __init__(self, most: int = MOST_REFUSED, most_bytes: int = MOST_REFUSED_BYTES) -> None:
        self._most = most
        self._most_bytes = most_bytes
        self.waiting = 0
        self._bytes = 0

    async def wait(self, size: int, turn: Callable[[], Awaitable[object]]) -> None:
        """Wait for a turn of the caller, whose request has so many bytes, if there is room for it."""
        if self.waiting >= self._most or self._bytes + size > self._most_bytes:
            return
        self.waiting += 1
        self._bytes += size
        try:
            await turn()
        finally:
            self.waiting -= 1
            self._bytes -= size


@dataclass(slots=True)
class Admission:
    """What decides about the calls of a service. Several services may have parts of it in common."""

    calls: Gate
    """For unary calls."""
    streams: Gate
    """For streams, in one direction or both."""
    turns: Turns = field(default_factory=Turns)
    refusals: Refusals = field(default_factory=Refusals)
    origins: Origins = field(default_factory=Origins)
    unread: UnreadWrites = field(default_factory=UnreadWrites)

    @classmethod
    def up_to(cls, limit: int) -> Self:
        """So many calls and so many streams, whoever's they are."""
        return cls(Gate(limit), Gate(limit))
