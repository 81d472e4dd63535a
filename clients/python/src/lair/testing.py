"""A real server for tests: all of Lair in this process, on a free port of the loopback, with its own database.

    def test_a_bot_wins() -> None:
        with lair.testing.client() as client:
            game = client.create("cabbages", seats=["bot", "other"])
            ...

It needs the servers, which are a distribution of their own, lair-services. A clone of Lair has both, and
`pip install ./clients/python .` in the clone installs them.
"""

import asyncio
import tempfile
import threading
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from pathlib import Path

from lair._channel import DEFAULT_TIMEOUT
from lair._sync_client import Client, connect

try:
    import structlog

    from services.app import serving
    from services.runtime.logs import configure
    from services.runtime.settings import Settings
except ModuleNotFoundError as _missing:
    raise ModuleNotFoundError(
        f"lair.testing starts Lair's servers, and there is no {_missing.name} here:"
        " type `pip install ./clients/python .` in a clone of Lair",
        name=_missing.name,
    ) from _missing

LOOPBACK = "127.0.0.1:0"


@contextmanager
def server() -> Iterator[str]:
    """Start a server and give its target, for `connect` and `aconnect`. It stops, and is forgotten, at the end.

    Stand-ins don't keep a test waiting: they move at once.
    """
    with tempfile.TemporaryDirectory(prefix="lair-") as folder:
        settings = Settings(
            address=LOOPBACK, database=str(Path(folder) / "lair.db"), log_level="warning", grace=0, stand_in=0
        )
        if not structlog.is_configured():
            configure(settings)
            # The process is not ours alone: its tests may capture what is logged later, in a way of their own.
            structlog.configure(cache_logger_on_first_use=False)
        with _running(settings) as target:
            yield target


@contextmanager
def client(*, timeout: float = DEFAULT_TIMEOUT) -> Iterator[Client]:
    """Start a server and give a client of it."""
    with server() as target, connect(target, timeout=timeout) as opened:
        yield opened


@contextmanager
def _running(settings: Settings) -> Iterator[str]:
    """Serve in a thread with an event loop of its own, so that blocking callers and asyncio ones can both use it."""
    started: Future[tuple[str, asyncio.AbstractEventLoop, asyncio.Event]] = Future()

    async def serve() -> None:
        stop = asyncio.Event()
        async with serving(settings) as target:
            started.set_result((target, asyncio.get_running_loop(), stop))
            await stop.wait()

    def run() -> None:
        try:
            asyncio.run(serve())
        except BaseException as error:
            if started.done():
                raise
            started.set_exception(error)

    thread = threading.Thread(target=run, name="lair.testing", daemon=True)
    thread.start()
    target, loop, stop = started.result()
    try:
        yield target
    finally:
        loop.call_soon_threadsafe(stop.set)
        thread.join()
