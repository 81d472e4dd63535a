"""What a watcher has seen, and how it goes on: pure, once for both shells and for both kinds of stream.

Every stream begins with what everybody may know of the session, and has it again when that changes by no revision.
Every revision comes once and in order. A stream that breaks, or that the server ends before the session has ended, is
opened again with the last revision seen; it gives up when several attempts in a row bring nothing at all.
"""

import random

import grpc
from monsters.session.v1 import session_pb2 as wire

from lair import _reading as reading
from lair._attempts import passes
from lair._calls import Call, watch
from lair._known import KnownFacts
from lair._translation import cut_off
from lair.changes import FactsChanged, WatchItem
from lair.errors import LairError, ResourceExhausted, ServerError
from lair.types import SessionFacts, Snapshot, State, Update, View

FROM_THE_START = -1
ATTEMPTS = 30
"""In a row: a minute, when nobody is there."""
FIRST_WAIT = 0.1
LONGEST_WAIT = 2.0

_BROKEN = (grpc.StatusCode.INTERNAL, grpc.StatusCode.UNKNOWN)
"""What a connection that was cut off on the way can look like, when no server of ours says so."""


class Place:
    """Where a watcher stands in a session."""

    def __init__(self, known: KnownFacts, after: int | None = None) -> None:
        self.after = after
        """The last revision seen. None: nothing yet, so that a snapshot comes first."""
        self.ended: bool = False
        """Whether the session has ended, and everything was seen."""
        self._attempts = 0
        self._known = known
        self._told: SessionFacts | None = None
        """What the watcher knows that everybody may know. None: no stream has said it yet."""

    def session(self, message: wire.Session) -> FactsChanged | None:
        """Take what everybody may know: None when this changes nothing for the watcher.

        A stream that brings only what it begins with has brought nothing.
        """
        facts = self._known.hear(reading.facts(message))
        before, self._told = self._told, facts
        if before is None or _public(before) == _public(facts):
            return None
        self.alive()
        return FactsChanged(before, facts)

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
        update: Update[View] = reading.update(message)
        self._known.follow(update)
        return update

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
        return wait_after(error, self._attempts)


class Watch(Place):
    """A watch: its calls, and what its messages mean."""

    def __init__(
        self, known: KnownFacts, token: str, seat: int | None, after: int | None, *, until_rematch: bool = False
    ) -> None:
        super().__init__(known, after)
        self._name = known.latest.name
        self._token = token
        self._seat = seat
        self._until_rematch = until_rematch

    def call(self) -> Call[wire.WatchSessionResponse]:
        """The stream from here on."""
        return watch(self._name, self._token, self._seat, self.after, until_rematch=self._until_rematch)

    def take(self, message: wire.WatchSessionResponse) -> WatchItem[View] | None:
        """What a message gives to the watcher, if anything. Raises Unavailable when a revision is missing."""
        match message.WhichOneof("message"):
            case "session":
                return self.session(message.session)
            case "snapshot":
                return self.snapshot(message.snapshot)
            case "update":
                return self.update(message.update)
            case "closing":
                self.closing(message.closing)
            case _:
                self.alive()
        return None


def _public(facts: SessionFacts) -> tuple[object, ...]:
    """What everybody may know, and no revision tells."""
    return facts.seats, facts.state is State.ABORTED, facts.rematch


def wait_after(error: LairError, attempts: int) -> float:
    """The seconds to wait when so many attempts in a row have failed. Raises the error when another makes no sense."""
    if attempts > ATTEMPTS or not _passes(error):
        raise error
    wait = min(FIRST_WAIT * 2.0 ** (attempts - 1), LONGEST_WAIT)
    # Many watchers lose the same server at once: they don't come back all at once.
    return max(error.retry_after or 0.0, wait * random.uniform(0.5, 1.0))  # noqa: S311  it hides nothing


def _passes(error: LairError) -> bool:
    if isinstance(error, ServerError):
        return not error.domain and error.code in _BROKEN
    return passes(error) or isinstance(error, ResourceExhausted)
