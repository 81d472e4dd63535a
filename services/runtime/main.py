"""Running a server from the command line until a signal ends it."""

import asyncio
import contextlib
import gc
import signal
import sys
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import TypeVar

from pydantic import ValidationError

from services.runtime.logs import configure
from services.runtime.settings import Settings

Place = TypeVar("Place")
"""Where something is served."""
Serving = Callable[[Settings], AbstractAsyncContextManager[Place]]
Banner = Callable[[Settings, Place], None]
SELDOM = (700, 10, 1000)
"""Objects, and rounds of the younger generations, between two collections of each generation (`gc.set_threshold`)."""


def run(serving: Serving[Place], banner: Banner[Place], **overrides: object) -> None:
    """Serve until SIGTERM or SIGINT, then drain. What can't be started is said in one sentence, with exit code 1."""
    try:
        settings = Settings(**{name: value for name, value in overrides.items() if value is not None})  # type: ignore[arg-type]  # pydantic checks them
    except ValidationError as error:
        flaws = "; ".join(f"LAIR_{str(flaw['loc'][0]).upper()}: {flaw['msg']}" for flaw in error.errors())
        sys.exit(f"a setting is wrong: {flaws}")
    configure(settings)
    try:
        _loop_factory()(_serve(serving, banner, settings))
    except OSError as error:
        sys.exit(str(error))


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
