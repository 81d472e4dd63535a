"""The thread that waits for the disk.

A ThreadPoolExecutor would do: it makes two futures, a condition and a work item for each piece of work, takes four
locks, and each of them may have to wait for the interpreter's. A move is little work, and has a share in every commit.
"""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from queue import SimpleQueue
from threading import Thread
from typing import Any, TypeVar

T = TypeVar("T")


class DiskThread:
    """Does one piece of work after the other."""

    def __init__(self, name: str) -> None:
        self._loop = asyncio.get_running_loop()
        self._handed: SimpleQueue[tuple[Callable[[], Any], asyncio.Future[Any]] | None] = SimpleQueue()
        self._thread = Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    def do(self, work: Callable[[], T]) -> asyncio.Future[T]:
        """Hand in a piece of work. The future has its result, or what it has raised."""
        future: asyncio.Future[T] = self._loop.create_future()
        self._handed.put((work, future))
        return future

    def close(self) -> None:
        """Wait until all is done that was handed in, and stop."""
        self._handed.put(None)
        self._thread.join()

    def _run(self) -> None:
        while handed := self._handed.get():
            work, future = handed
            result, failed = None, None
            try:
                result = work()
            except BaseException as error:  # noqa: BLE001  given to the one who waits
                failed = error
            with suppress(RuntimeError):  # the loop is closed: nobody waits
                self._loop.call_soon_threadsafe(_settle, future, result, failed)
            del handed, work, future, result, failed  # nothing is kept while there is nothing to do


def _settle(future: asyncio.Future[Any], result: object, failed: BaseException | None) -> None:
    if future.cancelled():
        return
    if failed is None:
        future.set_result(result)
    else:
        future.set_exception(failed)
