"""Whose work begins next, when more has come than the event loop can do at once: callers by what they have had.

Without it work is done in the order of its arrival, and whoever sends a thousand requests at once makes the next caller
wait for all of them. Here every caller has a line of its own, and the next piece of work is that of the caller who has
had the least of the loop's time: fair queueing by start times (Goyal, Vin and Cheng, 1996). So a caller who wants
little waits for one piece of somebody else's work, however much others want and whatever it costs. While there is less
to do than that, nobody waits, and nothing is remembered.

A call is in no line before gRPC has handed it over, and that happens in the order of arrival, to one call of a queue at
a time. So while many wait, calls that arrive come first: who floods the server fills lines of their own with it.
"""

import asyncio
from collections import deque
from heapq import heappop, heappush
from time import perf_counter, thread_time

WITHIN = 0.001
"""Seconds of one round in which work begins without waiting, while nobody waits. Most of it takes less."""
MANY = 8
"""Pieces of work that wait: then there may be calls behind them that were not handed over."""
ARRIVES_WITHIN = 8
"""Rounds of the loop that gRPC needs to hand the next call over."""
MOST_ARRIVALS = 16
"""Calls that come before the next piece of work."""


class Turns:
    """Lets work begin."""

    def __init__(self, within: float = WITHIN) -> None:
        self._within = within
        self._round_began = 0.0
        self._waiting = 0
        """Pieces of work."""
        self._arrivals = 0
        """Calls that have come to their lines since work has begun."""
        self._arrives_until = 0
        """Rounds left in which the next call may come before the next piece of work."""
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
        self._working: str | None = None
        """Whose work is about to begin, or has just begun."""
        self._began = 0.0

    async def turn(self, caller: str, *, arrival: bool = False) -> None:
        """Wait until a piece of this caller's work may begin. An arrival is the first one of a call."""
        if not self._lines and self._working is None:
            now = perf_counter()
            if not self._looking:
                self._round_began = now
                self._look_again()
            if now - self._round_began < self._within:
                return
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        line = self._lines.get(caller)
        if line is None:
            line = self._lines[caller] = deque()
            if self._working != caller:  # else its work is counted first
                self._queue(caller)
        line.append(future)
        self._waiting += 1
        if arrival:
            self._arrivals += 1
            self._arrives_until = ARRIVES_WITHIN
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
        self._looking, self._round_began = False, perf_counter()
        self._arrives_until -= 1
        if self._working is None and (
            self._waiting < MANY or self._arrives_until < 0 or self._arrivals >= MOST_ARRIVALS
        ):
            self._begin()
        if self._lines or self._working:
            self._look_again()
        else:
            self._had.clear()
            self._level = 0.0

    def _start(self) -> None:
        self._began = thread_time()

    def _stop(self) -> None:
        """Count what the loop has done for this piece of work until it first waits for something."""
        caller, self._working = self._working, None
        if caller is not None:
            # The processor's time: whatever else keeps the machine busy is nobody's work here.
            took = thread_time() - self._began
            self._had[caller] = max(self._had.get(caller, 0.0), self._level) + took
            if caller in self._lines:
                self._queue(caller)

    def _begin(self) -> None:
        """Let the next piece of work begin."""
        self._arrivals = 0
        while self._next:
            self._level, _, caller = heappop(self._next)
            line = self._lines[caller]
            while line:
                future = line.popleft()
                self._waiting -= 1
                if not line:
                    del self._lines[caller]
                if not future.done():  # nobody has cancelled its call
                    self._working = caller
                    loop = future.get_loop()
                    # What waits for the future goes on right between the two.
                    loop.call_soon(self._start)
                    future.set_result(None)
                    loop.call_soon(self._stop)
                    return
