"""Many moves over one stream, blocking."""

import time
from collections.abc import Generator, Iterator, Sequence
from queue import SimpleQueue
from typing import Any, Generic, Self

from google.protobuf.message import Message

from lair import _simulation as simulation
from lair._connection import Connection
from lair._simulation import Result
from lair._translation import cut_off
from lair.errors import LairError, Unavailable
from lair.types import Move, NextMove, Position, Simulated, View


class Simulation(Generic[Position, Move, View]):
    """Many games of one kind, played side by side over one stream: for bots that think ahead, and for statistics.

    `apply` takes many moves at once, so that each costs a small part of what `Rules.apply` costs. A move goes on with
    its chain: it is played on the position that it brings, or else on the one that the chain has come to. Use it from
    one thread, in a `with` block.
    """

    def __init__(self, connection: Connection, module: Any) -> None:
        self._connection = connection
        self._module = module
        self._sending: SimpleQueue[Message | None] = SimpleQueue()
        self._answers: Generator[Iterator[Result], None, None] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def apply(
        self,
        batch: Sequence[NextMove],
        *,
        position: bool = False,
        moves: bool = False,
        events: bool = False,
        draws: bool = False,
        view_for: Sequence[int] = (),
        spectator: bool = False,
    ) -> list[Simulated[Position, Move, View] | LairError]:
        """Play up to 1,000 moves, and give what became of each, in their order, with as much as is asked for.

        A move that is refused is an error in its place: what `Rules.apply` would raise. Its chain stays where it was,
        and what follows on it in this batch is NotPlayed, unless it brings a position. Raises InvalidRequest, and
        Unavailable when the stream is cut off, or when no answer comes for as long as a call may take (the `timeout` of
        the client); then the chains are forgotten, and begin anew with positions.
        """
        if isinstance(batch, Sequence) and not batch:
            return []
        request = simulation.request(
            self._module,
            batch,
            position=position,
            moves=moves,
            events=events,
            draws=draws,
            view_for=view_for,
            spectator=spectator,
        )
        attempts = self._connection.attempts()
        while True:
            opening, results = self._answers is None, list[Result]()
            try:
                answers = self._send(request)
                while len(results) < len(batch):
                    results += next(answers)
            except StopIteration:
                raise cut_off("the stream has ended before every move had its answer") from None
            except Unavailable as failure:
                if results or not opening:  # there were chains, and they are forgotten
                    raise
                wait = attempts.failed(failure, met=False)
            else:
                return results
            finally:
                if len(results) < len(batch):
                    self.close()
            time.sleep(wait)

    def close(self) -> None:
        """End the stream, and forget the chains."""
        self._sending.put(None)
        if self._answers is not None:
            self._answers.close()
            self._answers = None

    def _send(self, request: Message) -> Generator[Iterator[Result], None, None]:
        """Send a message, over a new stream if need be, and give the answers."""
        if self._answers is not None:
            self._sending.put(request)
            return self._answers
        sending: SimpleQueue[Message | None] = SimpleQueue()
        self._sending = sending
        self._answers = self._connection.exchange(
            simulation.stream(self._module, request), iter(sending.get, None), lambda: self._connection.timeout
        )
        return self._answers
