"""Answering what a verification asks, blocking: calls by themselves, and many moves over one stream."""

import time
from typing import Any, Self

from lair._connection import Connection
from lair._simulation import Result
from lair._sync_simulation import Simulation
from lair.errors import Unavailable
from lair.verification import Batch, Question


class Replaying:
    """Answers a verification, in a `with` block.

    A stream that breaks is opened again: every move brings its position. Raises Unavailable when that does not help for
    as long as a call may take.
    """

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._simulation: Simulation[Any, Any, Any] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._simulation is not None:
            self._simulation.close()

    def answer(self, question: Question) -> Any:
        """The result of a call, or those of a batch. Raises LairError."""
        return self._replay(question) if isinstance(question, Batch) else self._connection.run(question)

    def _replay(self, batch: Batch) -> list[Result]:
        attempts = self._connection.attempts()
        self._simulation = self._simulation or Simulation(self._connection, batch.module)
        while True:
            try:
                return self._simulation.apply(batch.moves, position=True, events=True, draws=True)
            except Unavailable as failure:
                time.sleep(attempts.failed(failure, met=True))
