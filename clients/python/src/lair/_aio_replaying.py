"""Answering what a verification asks with asyncio: calls by themselves, and many moves over one stream."""

import asyncio
from typing import Any, Self

from lair._aio_simulation import AsyncSimulation
from lair._connection import AsyncConnection
from lair._simulation import Result
from lair.errors import Unavailable
from lair.verification import Batch, Question


class AsyncReplaying:
    """Answers a verification, in an `async with` block.

    A stream that breaks is opened again: every move brings its position. Raises Unavailable when that does not help for
    as long as a call may take.
    """

    def __init__(self, connection: AsyncConnection) -> None:
        self._connection = connection
        self._simulation: AsyncSimulation[Any, Any, Any] | None = None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._simulation is not None:
            await self._simulation.close()

    async def answer(self, question: Question) -> Any:
        """The result of a call, or those of a batch. Raises LairError."""
        return await self._replay(question) if isinstance(question, Batch) else await self._connection.run(question)

    async def _replay(self, batch: Batch) -> list[Result]:
        attempts = self._connection.attempts()
        self._simulation = self._simulation or AsyncSimulation(self._connection, batch.module)
        while True:
            try:
                return await self._simulation.apply(batch.moves, position=True, events=True, draws=True)
            except Unavailable as failure:
                await asyncio.sleep(attempts.failed(failure, met=True))
