"""The SDK's connection, at the pace of the schedule, with every call and every broken stream told to Locust."""

import time
from collections.abc import Callable, Generator, Iterator
from collections.abc import Set as AbstractSet
from typing import TypeVar

from google.protobuf.message import Message

from lair._calls import Call
from lair._connection import Connection, Seconds
from lair.errors import LairError

Result = TypeVar("Result")
Tell = Callable[[str, str, float, Exception | None], None]
"""Is told a kind, a name, when it began (by time.perf_counter), and what was wrong."""

TIMEOUT = 10.0
OPTIONS = (
    ("grpc.enable_retries", 0),  # a call that fails is a failure, also when a second one would not
    ("grpc.use_local_subchannel_pool", 1),  # every user has a connection of their own, as users have
)


class RecordedConnection(Connection):
    """One user's. It waits before each call until the schedule says so."""

    def __init__(self, target: str, pace: Callable[[], None], tell: Tell) -> None:
        super().__init__(target, TIMEOUT, None, OPTIONS)
        self._pace = pace
        self._tell = tell
        self.expected: AbstractSet[str] = frozenset()
        """The reasons for which a call may be refused at the moment: that is no failure, and stands in its own row."""

    def run(self, call: Call[Result]) -> Result:
        """Make a call, as the SDK does, when it is due."""
        self._pace()
        started = time.perf_counter()
        try:
            answer = super().run(call)
        except LairError as error:
            self._tell_refusal("call", call, started, error)
            raise
        self._tell("call", method_of(call), started, None)
        return answer

    def stream(self, call: Call[Result]) -> Generator[Result, None, None]:
        """Read a stream, as the SDK does."""
        return self._tell_when_broken(super().stream(call), call)

    def exchange(
        self, call: Call[Result], more: Iterator[Message], patience: Seconds | None = None
    ) -> Generator[Result, None, None]:
        """Read a stream in both directions, as the SDK does."""
        return self._tell_when_broken(super().exchange(call, more, patience), call)

    def _tell_when_broken(
        self, messages: Generator[Result, None, None], call: Call[Result]
    ) -> Generator[Result, None, None]:
        """The SDK opens a broken stream again by itself: here it must not go unnoticed."""
        started = time.perf_counter()
        try:
            yield from messages
        except LairError as error:
            self._tell_refusal("stream", call, started, error)
            raise

    def _tell_refusal(self, kind: str, call: Call[Result], started: float, error: LairError) -> None:
        due = error.reason in self.expected
        self._tell("refusal" if due else kind, method_of(call), started, None if due else error)


def method_of(call: Call[Result]) -> str:
    """The name of the called method, the same for every game."""
    return call.path.rpartition("/")[2]
