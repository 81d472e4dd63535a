"""The ways to a server: the channel in use, and those before it that are still read from.

A connection that swallows what is sent is left by a channel of its own (gRPC has no other means to leave it): new calls
take the new one, and what is under way on the old one may end there. Then it is closed.
"""

import threading
from collections.abc import Callable
from typing import Any, Generic, TypeVar

from lair._calls import Call
from lair._channel import serialize

Channel = TypeVar("Channel")


class Way(Generic[Channel]):
    """A channel, the methods that were used on it, ready to be called, and how many calls are under way on it."""

    def __init__(self, channel: Channel) -> None:
        self.channel = channel
        self.calls = 0
        self._ready: dict[str, Any] = {}

    def method(self, kind: str, call: Call[Any]) -> Any:
        """The method that a call goes to: of kind unary_unary, unary_stream or stream_stream."""
        if (ready := self._ready.get(call.path)) is None:
            make = getattr(self.channel, kind)
            ready = make(call.path, request_serializer=serialize, response_deserializer=call.answer.FromString)
            self._ready[call.path] = ready
        return ready


class Ways(Generic[Channel]):
    """For any number of threads. Whoever takes a way leaves it again, and closes what that gives back."""

    def __init__(self, open_channel: Callable[[], Channel]) -> None:
        self._open = open_channel
        self._lock = threading.Lock()
        self._current: Way[Channel] | None = None
        self._old: set[Way[Channel]] = set()

    def take(self) -> Way[Channel]:
        """The way for a call that begins now."""
        with self._lock:
            if self._current is None:
                self._current = Way(self._open())
            self._current.calls += 1
            return self._current

    def leave(self, way: Way[Channel]) -> Channel | None:
        """End a call. Gives the channel that nobody needs any more, if there is one."""
        with self._lock:
            way.calls -= 1
            if way.calls or way not in self._old:
                return None
            self._old.remove(way)
            return way.channel

    def renew(self, way: Way[Channel]) -> None:
        """Let the calls from now on have a new connection, unless they have one already. For whoever holds the way."""
        with self._lock:
            if self._current is way:
                self._current = None
                self._old.add(way)

    def close(self) -> list[Channel]:
        """Forget all of them, and give their channels."""
        with self._lock:
            ways = [*self._old, *([self._current] if self._current else [])]
            self._current = None
            self._old.clear()
            return [way.channel for way in ways]
