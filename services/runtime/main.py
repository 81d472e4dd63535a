"""Running a server from the command line until a signal ends it."""

import asyncio
import contextlib
import gc
import signal
import sys
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import TypeVar

import structlog

from services.runtime import wakeups
from services.runtime.environment import read_settings, unknown
from services.runtime.logs import configure, take_in
from services.runtime.settings import Settings
from services.runtime.standard_error import standard_error

log = structlog.get_logger()

Place = TypeVar("Place")
"""Where something is served."""
Serving = Callable[[Settings], AbstractAsyncContextManager[Place]]
Banner = Callable[[Settings, Place], None]
SELDOM = (700, 10, 1000)
"""Objects, and rounds of the younger generations, between two collections of each generation (`gc.set_threshold`)."""


def run(serving: Serving[Place], banner: Banner[Place], **overrides: object) -> None:
    """Serve until SIGTERM or SIGINT, then drain. What can't be started is said in one sentence, with exit code 1."""
    try:
        settings = read_settings(**overrides)
        configure(settings)
        for name in unknown():
            log.warning("unknown setting", name=name, therefore="ignored", see="docs/settings.md")
        _loop_factory()(_serve(serving, banner, settings))
    except OSError as error:
        standard_error().put(str(error))
        sys.exit(1)
    finally:
        standard_error().close()  # whether or not anybody reads


def _loop_factory() -> Callable[..., None]:
    """Take uvloop where there is one: it doubles what one process serves."""
    try:
        import uvloop  # noqa: PLC0415  not everywhere
    except ImportError:
        return asyncio.run
    return uvloop.run


async def _serve(serving: Serving[Place], banner: Banner[Place], settings: Settings) -> None:
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    take_in(loop)
    wakeups.take()
    for number in (signal.SIGTERM, signal.SIGINT):
        with contextlib.suppress(NotImplementedError):  # Windows has no signal handlers on its loops
            loop.add_signal_handler(number, stop.set)
    async with serving(settings) as place:
        banner(settings, place)
        _collect_seldom()
        await stop.wait()


def _collect_seldom() -> None:
    """Look through what lives long a hundred times less often than Python does, and never through what was loaded.

    Reference counts free nearly everything here, and cycles die young. With 10,000 streams open a full collection takes
    most of a second, in which nobody's move gets on.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(*SELDOM)
