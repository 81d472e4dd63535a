"""One call for all who want the same at the same time: it is under way once, and all of them get its answer."""

import asyncio
from collections.abc import Callable, Coroutine, Hashable
from functools import partial
from typing import Any, Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)
Answer = TypeVar("Answer")


class SingleFlight(Generic[Key, Answer]):
    """Joins calls by their key. Whoever is cancelled takes the call from nobody else. A failure is not kept."""

    def __init__(self, kept_for: float = 0.0) -> None:
        self._kept_for = kept_for
        """In seconds: how long an answer that has come is given to those who ask after it."""
        self._flights: dict[Key, asyncio.Task[Answer]] = {}

    async def call(self, key: Key, ask: Callable[[], Coroutine[Any, Any, Answer]]) -> Answer:
        """The answer of the call that is under way, or of a new one. Raises whatever that raises."""
        flight = self._flights.get(key)
        if flight is None:
            flight = self._flights[key] = asyncio.create_task(ask())
            flight.add_done_callback(partial(self._landed, key))
        return await asyncio.shield(flight)

    def _landed(self, key: Key, flight: "asyncio.Task[Answer]") -> None:
        # To ask for the exception is to have seen it: all who waited may have gone.
        if not self._kept_for or flight.cancelled() or flight.exception():
            self._flights.pop(key, None)
        else:
            flight.get_loop().call_later(self._kept_for, self._flights.pop, key, None)
