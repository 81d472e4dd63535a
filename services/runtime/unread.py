"""Writes that wait for their readers. One that waits for too long ends its stream: nobody reads there any more.

A connection may be alive, and its program read nothing: then HTTP/2's flow control holds every write back. Without an
end such a stream would keep its place, and what it has of the session, for as long as the connection lasts.
"""

import asyncio
from collections.abc import Awaitable, Callable
from time import monotonic
from typing import Any, cast

PATIENCE = 60.0
"""In seconds. Heartbeats come more often: whoever reads at all takes one in that time."""


class UnreadWrites:
    """The writes that are under way."""

    def __init__(self, patience: float = PATIENCE) -> None:
        self._patience = patience
        self._since: dict[asyncio.Task[Any], float] = {}

    def writer(self, write: Callable[[bytes], Awaitable[None]]) -> Callable[[bytes], Awaitable[None]]:
        """The same for the stream of this task, which is cancelled when a write takes too long."""
        task, since = cast("asyncio.Task[Any]", asyncio.current_task()), self._since

        async def writing(message: bytes) -> None:
            since[task] = monotonic()
            try:
                await write(message)
            finally:
                del since[task]

        return writing

    async def end_stuck(self) -> None:
        """Look for them, until cancelled."""
        while True:
            await asyncio.sleep(self._patience / 4)
            latest = monotonic() - self._patience
            for task in [task for task, since in self._since.items() if since < latest]:
                task.cancel()
