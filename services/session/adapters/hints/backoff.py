"""How long to wait before the next attempt to reach somebody who was not there."""

import asyncio
import random

FIRST = 0.1
LONGEST = 5.0
"""In seconds."""


class Backoff:
    """Waits longer each time, up to a limit, and never quite as long as others who wait for the same."""

    def __init__(self, first: float = FIRST, longest: float = LONGEST) -> None:
        self._first = self._next = first
        self._longest = longest

    def reset(self) -> None:
        """It has worked: the next wait is a short one again."""
        self._next = self._first

    async def wait(self) -> None:
        """Wait."""
        seconds, self._next = self._next, min(2 * self._next, self._longest)
        await asyncio.sleep(seconds * random.uniform(0.5, 1.0))  # noqa: S311  nobody gains from guessing it
