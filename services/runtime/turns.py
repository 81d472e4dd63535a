"""Whose work begins next, when more has come than the event loop can do at once: callers by what they have had.

Without it work is done in the order of its arrival, and whoever sends a thousand requests at once makes the next caller
wait for all of them. Here every caller has a line of its own, and the next piece of work is that of the caller who has
had the least of the loop's time: fair queueing by start times (Goyal, Vin and Cheng, 1996). So a caller who wants
little waits for one piece of somebody else's work, however much others want and whatever it costs. While there is less
to do than that, nobody waits, and nothing is remembered.

What arrives is put into its line before anything else begins: gRPC hands over one call in each round of the loop, in
the order of arrival, and a call that has not been handed over is in no line yet.
"""

import asyncio
from collections import deque
from heapq import heappop, heappush
from time import perf_counter

AT_ONCE = 16
"""Pieces of work that begin in one round while nobody waits. Most take less than a millisecond."""
MOST_ARRIVALS = 8
"""Rounds in a row that arrivals may have for themselves, while somebody waits."""


class Turns:
    """Lets work begin."""

    def __init__(self, at_once: int = AT_ONCE) -> None:
        self._at_once = at_once
        self._begun = 0
        """In this round, without waiting."""
        self._arrived = False
        """Whether somebody has come to a line in this round."""
        self._arrivals = 0
        """How many rounds in a row had that."""
        self._looking = False
        """Whether there is a next round."""
        self._lines: dict[str, deque[asyncio.Future[None]]] = {}
        self._next: list[tuple[float, int, str]] = []
        """The callers who wait, by what they have had; whoever came first among equals."""
        self._count = 0
        self._had: dict[str, float] = {}
        """Seconds of the loop, counted from what everybody has had."""
        self._level = 0.0
        """What everybody has had who waits."""
        self._working: tuple[str, float] | None = None
        """Whose work has begun, and when."""

    async def turn(self, caller: str) -> None:
        """Wait until a piece of this caller's work may begin."""
        if self._begun < self._at_once and not self._lines:
            self._begun += 1
            self._look_again()
            return
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        line = self._lines.get(caller)
        if line is None:
            line = self._lines[caller] = deque()
            if self._working is None or self._working[0] != caller:  # then its work is counted first
                self._queue(caller)
        line.append(future)
        self._arrived = True
        self._look_again()
        await future

    def _queue(self, caller: str) -> None:
        self._count += 1
        heappush(self._next, (max(self._had.get(caller, 0.0), self._level), self._count, caller))

    def _look_again(self) -> None:
        if not self._looking:
            self._looking = True
            asyncio.get_running_loop().call_soon(self._round)

    def _round(self) -> None:
        self._looking, self._begun = False, 0
        self._charge()
        self._arrivals = self._arrivals + 1 if self._arrived else 0
        self._arrived = False
        if self._arrivals % MOST_ARRIVALS == 0:
            self._begin()
        if self._lines or self._working:
            self._look_again()
        else:
            self._had.clear()
            self._level = 0.0

    def _charge(self) -> None:
        """Count the round that is over as the work that began in it."""
        if self._working is None:
            return
        caller, began = self._working
        self._working = None
        self._had[caller] = max(self._had.get(caller, 0.0), self._level) + perf_counter() - began
        if caller in self._lines:
            self._queue(caller)

    def _begin(self) -> None:
        """Let the next piece of work begin."""
        while self._next:
            self._level, _, caller = heappop(self._next)
            line = self._lines[caller]
            while line:
                future = line.popleft()
                if not line:
                    del self._lines[caller]
                if not future.done():  # nobody has cancelled its call
                    future.set_result(None)
                    self._working = caller, perf_counter()
                    return
