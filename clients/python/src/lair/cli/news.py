"""What a watch brings, heard beside: it can be waited for, and it wakes whoever is asked at the terminal.

Input can't be waited for together with something else, so a signal interrupts it. Where there is no such signal, or no
terminal, what has happened is told after the answer.
"""

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from queue import Empty, SimpleQueue
from typing import Any, Self

from lair import LairError, WatchItem
from lair.cli.screen import Screen, Woken

AGAIN = 0.2
"""Seconds after which somebody is woken again: a signal is lost that comes just before input is waited for."""
SIGNAL = getattr(signal, "SIGUSR1", None)

Item = WatchItem[Any] | LairError | None


class News:
    """The items of a watch in order. Use it in a `with` block, from the main thread."""

    def __init__(self, watch: Iterator[WatchItem[Any]], screen: Screen) -> None:
        """Of this watch, for people at this screen."""
        self._watch = watch
        self._screen = screen
        self._items: SimpleQueue[Item] = SimpleQueue()
        self._asking = threading.Event()
        self._thread = threading.Thread(target=self._listen, name="news", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._asking.clear()

    def next(self) -> WatchItem[Any] | None:
        """Wait for the next item. None: the session has ended. Raises the LairError that ended the watch."""
        return _given(self._items.get())

    def waiting(self) -> Iterator[WatchItem[Any]]:
        """What has come by now, up to the end of the watch."""
        while True:
            try:
                item = _given(self._items.get_nowait())
            except Empty:
                return
            if item is None:
                self._items.put(None)
                return
            yield item

    @contextmanager
    def waking(self) -> Iterator[None]:
        """Raise Woken within this block as soon as something comes, where somebody sits at a terminal."""
        if SIGNAL is None or not self._screen.interactive:
            yield
            return
        before = signal.signal(SIGNAL, self._wake)
        self._asking.set()
        try:
            if not self._items.empty():
                self._wake()
            yield
        finally:
            self._asking.clear()
            signal.signal(SIGNAL, before)

    def _wake(self, *_: object) -> None:
        if self._asking.is_set():
            self._asking.clear()
            raise Woken(self._screen.typed())

    def _listen(self) -> None:
        put: Callable[[Item], None] = self._items.put
        try:
            for item in self._watch:
                put(item)
                self._call()
        except LairError as problem:
            put(problem)
        else:
            put(None)
        self._call()

    def _call(self) -> None:
        """Wake whoever is asked, until they are awake."""
        main = threading.main_thread().ident
        while SIGNAL is not None and main is not None and self._asking.is_set() and not self._items.empty():
            signal.pthread_kill(main, SIGNAL)
            threading.Event().wait(AGAIN)


def _given(item: Item) -> WatchItem[Any] | None:
    if isinstance(item, LairError):
        raise item
    return item
