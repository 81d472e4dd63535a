"""The next alarms, as far as they are known here: those that were set through this server, and those that were read.

The timekeeper asks for the next one after each that has rung. The database is asked once a second at most: what other
servers set meanwhile is heard with the next look, as the port has it.
"""

import asyncio
from bisect import bisect_right, insort
from collections.abc import Awaitable, Callable, Sequence

LOOK_EVERY = 1.0
"""In seconds: how old the answer of the database may be."""
MANY = 1_000
"""Alarms that are read at once."""
MOST = 10_000
"""Alarms that are kept. The latest are forgotten first."""
NEVER = 2**63
"""Later than any alarm."""


class Alarms:
    """A look ahead. `read` gives so many of the first alarms after a time, in order."""

    def __init__(self, read: Callable[[int, int], Awaitable[Sequence[int]]]) -> None:
        self._read = read
        self._loop = asyncio.get_running_loop()
        self._known: list[int] = []
        """In order."""
        self._after = NEVER
        """The time after which all of them are known, but for what others have set since."""
        self._until = 0
        """Up to when."""
        self._read_at = 0.0
        """When they were read, by the loop's clock."""

    def heard(self, alarm: int) -> None:
        """One was set."""
        if alarm < self._until:
            insort(self._known, alarm)
            if len(self._known) > MOST:
                self._until = self._known.pop()

    def later(self) -> None:
        """All of them are later than they were."""
        self._after = NEVER

    async def next(self, after: int) -> int | None:
        """The first one after this time. None when there is none."""
        if after < self._after or self._loop.time() - self._read_at > LOOK_EVERY:
            return await self._look(after)
        at = bisect_right(self._known, after)
        del self._known[:at]
        self._after = after
        if self._known:
            return self._known[0]
        return None if self._until == NEVER else await self._look(after)

    async def _look(self, after: int) -> int | None:
        began = self._loop.time()
        # Whatever is set from now on is heard, and not in what is read perhaps.
        self._known, self._after, self._until = [], after, NEVER
        try:
            found = await self._read(after, MANY)
        except BaseException:
            self._after = NEVER
            raise
        self._known = sorted([*self._known, *found])
        if len(found) == MANY:
            self._until = found[-1]
            del self._known[bisect_right(self._known, self._until) :]
        self._read_at = began
        at = bisect_right(self._known, after)
        return self._known[at] if at < len(self._known) else None
