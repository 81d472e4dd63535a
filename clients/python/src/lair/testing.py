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
except ModuleNotFoundError as missing:
    raise ModuleNotFoundError(
        f"lair.testing starts Lair's servers, and there is no {missing.name} here:"
        " type `pip install ./clients/python .` in a clone of Lair",
        name=missing.name,
    ) from missing
