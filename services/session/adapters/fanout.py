"""The fan-out within one process."""

import asyncio
from collections import deque
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from contextlib import contextmanager

from services.session.ports import News, Viewer

MOST_NEWS = 64
"""What a slow reader may leave untaken. The oldest is lost first, and read from the store later."""


class LocalSubscription:
    """What one stream hears."""

    __slots__ = ("_alarm", "_awake", "_loop", "_news", "_quiet_at", "deleted", "leaving", "viewers")

    def __init__(self) -> None:
        self.viewers: Sequence[Viewer] = ()
        self.leaving = False
        self.deleted = False
        self._news: deque[News] = deque(maxlen=MOST_NEWS)
        self._awake = asyncio.Event()
        self._loop = asyncio.get_running_loop()
        self._alarm: asyncio.TimerHandle | None = None
        self._quiet_at = 0.0
        """When the wait that is on has lasted long enough, by the loop's clock."""

    def put(self, news: News) -> None:
        """Add news, and end the wait."""
        self._news.append(news)
        self._awake.set()

    def take(self) -> Sequence[News]:
        """What has come since the last time."""
        news = tuple(self._news)
        self._news.clear()
        return news

    def wake(self) -> None:
        """End the wait that is on, or the next one."""
        self._awake.set()

    async def wait(self, seconds: float) -> bool:
        """Wait for news or a wake. False when none came in so many seconds."""
        self._quiet_at = self._loop.time() + seconds
        if self._alarm is None or self._alarm.when() > self._quiet_at:
            self.close()
            self._alarm = self._loop.call_at(self._quiet_at, self._ring)
        await self._awake.wait()
        self._awake.clear()
        return bool(self._news) or self._loop.time() < self._quiet_at

    def close(self) -> None:
        """Nobody waits any more."""
        if self._alarm is not None:
            self._alarm.cancel()

    def _ring(self) -> None:
        """End the wait, or set the alarm anew: a wait doesn't touch it, as nearly all of them end long before."""
        self._alarm = None
        if self._loop.time() < self._quiet_at:
            self._alarm = self._loop.call_at(self._quiet_at, self._ring)
        else:
            self._awake.set()


class LocalFanout:
    """Tells the streams of this process."""

    def __init__(self) -> None:
        self._leaving = False
        self._subscriptions: dict[str, set[LocalSubscription]] = {}

    @contextmanager
    def subscribe(self, session_id: str) -> Iterator[LocalSubscription]:
        """Hear of a session, until the context is left."""
        subscription = LocalSubscription()
        subscription.leaving = self._leaving
        listeners = self._subscriptions.setdefault(session_id, set())
        listeners.add(subscription)
        try:
            yield subscription
        finally:
            subscription.close()
            listeners.discard(subscription)
            if not listeners:
                self._subscriptions.pop(session_id, None)

    def viewers(self, session_id: str) -> AbstractSet[Viewer]:
        """Whose views are worth making with the next revision."""
        subscriptions = self._subscriptions.get(session_id, ())
        return {viewer for subscription in subscriptions for viewer in subscription.viewers}

    def publish(self, session_id: str, news: News) -> None:
        """Tell everybody who listens."""
        for subscription in self._subscriptions.get(session_id, ()):
            subscription.put(news)

    def publish_deletion(self, session_id: str, version: int) -> None:  # noqa: ARG002  a port
        """Tell everybody who listens."""
        for subscription in self._subscriptions.get(session_id, ()):
            subscription.deleted = True
            subscription.wake()

    def leave(self) -> None:
        """The server goes away: every stream ends in-band, and so does every one that still comes."""
        self._leaving = True
        for subscriptions in self._subscriptions.values():
            for subscription in subscriptions:
                subscription.leaving = True
                subscription.wake()
