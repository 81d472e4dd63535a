"""A link that swallows packets: a TCP forwarder whose connections fall silent on demand, without being closed.

To both ends it is what a router is that has forgotten a connection, or a laptop that has slept: nothing comes back, not
even a refusal. Connections from then on go through, as over a link that is fresh, unless they are swallowed too.
"""

import asyncio
import contextlib
import threading
from typing import Self

CHUNK = 65536


class SwallowingLink:
    """Forwards one port of the loopback to a target. It lives in a thread of its own, so any test can use it."""

    def __init__(self, target: str) -> None:
        host, _, port = target.rpartition(":")
        self._target = (host, int(port))
        self._loop = asyncio.new_event_loop()
        self._swallowed: set[int] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self.accepted = 0
        """How many connections have come."""
        self.swallowing = False
        """Whether new connections are swallowed as well."""
        self._thread = threading.Thread(target=self._loop.run_forever, name="swallowing link", daemon=True)
        self._thread.start()
        starting = asyncio.start_server(self._forward, "127.0.0.1", 0)
        self._server = asyncio.run_coroutine_threadsafe(starting, self._loop).result(10)
        self.address = f"127.0.0.1:{self._server.sockets[0].getsockname()[1]}"

    def swallow(self, *, new: bool = False) -> None:
        """Say nothing more on the connections that there are, in either direction; with `new` on those to come, too."""
        self._swallowed |= set(range(1, self.accepted + 1))
        self.swallowing = new

    def heal(self) -> None:
        """Let new connections through. Those that were swallowed stay silent, as they do on a real link."""
        self.swallowing = False

    def close(self) -> None:
        """End every connection, and the link."""
        asyncio.run_coroutine_threadsafe(self._end(), self._loop).result(10)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)
        self._loop.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    async def _forward(self, near: asyncio.StreamReader, to_near: asyncio.StreamWriter) -> None:
        self.accepted += 1
        number = self.accepted
        if self.swallowing:
            self._swallowed.add(number)
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        writers = [to_near]
        try:
            far, to_far = await asyncio.open_connection(*self._target)
            writers.append(to_far)
            pumps = [self._pump(near, to_far, number), self._pump(far, to_near, number)]
            await asyncio.gather(*pumps)
        except (OSError, asyncio.CancelledError):  # the target is away, or the link ends
            pass
        finally:
            self._tasks.discard(task)
            for writer in writers:
                writer.close()

    async def _pump(self, source: asyncio.StreamReader, sink: asyncio.StreamWriter, number: int) -> None:
        """Pass on what comes. What comes on a swallowed connection is taken and forgotten; its end is, too."""
        with contextlib.suppress(OSError):
            while data := await source.read(CHUNK):
                if number not in self._swallowed:
                    sink.write(data)
                    await sink.drain()
        if number not in self._swallowed:
            sink.close()

    async def _end(self) -> None:
        self._server.close()
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
