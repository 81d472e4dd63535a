"""The little that the stories need of gevent, with types."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Generic, TypeVar

import gevent  # type: ignore[import-untyped]  # it ships no types
from gevent.event import Event  # type: ignore[import-untyped]  # it ships no types

PATIENCE = 30.0
"""Seconds after which something that does not happen is wrong."""

Result = TypeVar("Result")


class Signal:
    """What one greenlet waits for, and another gives."""

    def __init__(self) -> None:
        self._event = Event()

    def give(self) -> None:
        """Let everybody go on who waits."""
        self._event.set()

    def take(self) -> None:
        """Wait for it, and be ready for the next."""
        self._event.wait(PATIENCE)
        self._event.clear()


class Beside(Generic[Result]):
    """Calls that run in greenlets of their own."""

    def __init__(self, calls: Sequence[Callable[[], Result]]) -> None:
        self._greenlets: list[Any] = [gevent.spawn(call) for call in calls]

    def results(self) -> list[Result]:
        """Wait for all of them. Raises what one of them has raised."""
        gevent.joinall(self._greenlets, timeout=PATIENCE, raise_error=True)
        return [greenlet.get(block=False) for greenlet in self._greenlets]

    def kill(self) -> None:
        """End those that still run."""
        gevent.killall(self._greenlets, timeout=PATIENCE)


@contextmanager
def beside(calls: Sequence[Callable[[], Result]]) -> Iterator[Beside[Result]]:
    """Run calls until the context is left. They begin when this greenlet waits for something."""
    running = Beside(calls)
    try:
        yield running
    finally:
        running.kill()


@contextmanager
def patience(error: Exception) -> Iterator[None]:
    """Raise the error when it takes too long."""
    with gevent.Timeout(PATIENCE, error):
        yield
