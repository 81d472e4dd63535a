"""What a watcher has seen, and how it goes on: pure, once for both shells and for both kinds of stream.

Every revision comes once and in order. A stream that breaks, or that the server ends before the session has ended, is
opened again with the last revision seen; it gives up when several attempts in a row bring nothing at all.
"""

import random

import grpc
from monsters.session.v1 import session_pb2 as wire

from lair import _reading as reading
from lair._calls import Call, watch
from lair._translation import CLIENT_CLOSED, cut_off
from lair.errors import LairError, ResourceExhausted, ServerError, Unavailable
from lair.types import Snapshot, State, Update, View

FROM_THE_START = -1
ATTEMPTS = 8
FIRST_WAIT = 0.1
LONGEST_WAIT = 2.0

_BROKEN = (grpc.StatusCode.INTERNAL, grpc.StatusCode.UNKNOWN)
"""What a connection that was cut off on the way can look like, when no server of ours says so."""


class Place:
    """Where a watcher stands in a session."""

    def __init__(self, after: int | None = None) -> None:
        self.after = after
        """The last revision seen. None: nothing yet, so that a snapshot comes first."""
        self.ended = False
        """Whether the session has ended, and everything was seen."""
        self._attempts = 0

    def snapshot(self, message: wire.Snapshot) -> Snapshot[View]:
        """Take a snapshot. Before the start there is no revision yet: even revision 0 is still to come."""
        self.alive()
        snapshot: Snapshot[View] = reading.snapshot(message)
        self.after = FROM_THE_START if snapshot.state is State.LOBBY else snapshot.revision
        return snapshot

    def update(self, message: wire.Update) -> Update[View] | None:
        """Take a revision: None when it was seen before. Raises Unavailable when one is missing before it."""
        if self.after is not None and message.revision <= self.after:
            return None
        if self.after is not None and message.revision > self.after + 1:
            raise cut_off(f"revision {self.after + 1} is missing on the stream")
        self.alive()
        self.after = message.revision
        return reading.update(message)

    def closing(self, message: wire.Closing) -> None:
        """Take the server's last message."""
        self.ended = message.reason == wire.CLOSING_REASON_SESSION_ENDED

    def alive(self) -> None:
        """Remember that the stream has brought something."""
        self._attempts = 0

    def broken(self, error: LairError | None = None) -> float:
        """The seconds to wait before the stream is opened again. Raises the error when that makes no sense.

        Without an error, the server has ended the stream although the session goes on.
        """
        error = error or cut_off("the server ends the stream although the session goes on")
        self._attempts += 1
        if self._attempts > ATTEMPTS or not _passes(error):
            raise error
        wait = min(FIRST_WAIT * 2.0 ** (self._attempts - 1), LONGEST_WAIT)
        # Many watchers lose the same server at once: they don't come back all at once.
        return max(error.retry_after or 0.0, wait * random.uniform(0.5, 1.0))  # noqa: S311  it hides nothing


class Watch(Place):
    """A watch: its calls, and what its messages mean."""

    def __init__(self, name: str, token: str, seat: int | None, after: int | None) -> None:
        super().__init__(after)
        self._name = name
        self._token = token
        self._seat = seat

    def call(self) -> Call[wire.WatchSessionResponse]:
        """The stream from here on."""
        return watch(self._name, self._token, self._seat, self.after)

    def take(self, message: wire.WatchSessionResponse) -> Snapshot[View] | Update[View] | None:
        """What a message gives to the watcher, if anything. Raises Unavailable when a revision is missing."""
        match message.WhichOneof("message"):
            case "snapshot":
                return self.snapshot(message.snapshot)
            case "update":
                return self.update(message.update)
            case "closing":
                self.closing(message.closing)
            case _:
                self.alive()
        return None


def _passes(error: LairError) -> bool:
    if isinstance(error, ServerError):
        return not error.domain and error.code in _BROKEN
    return isinstance(error, (Unavailable, ResourceExhausted)) and error.reason != CLIENT_CLOSED
