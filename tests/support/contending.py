"""Contenders of the benchmark without processes: server and load generator side by side on the loop of the tests."""

import asyncio
import tempfile
from collections.abc import Callable, Coroutine, Iterator, Mapping
from contextlib import AbstractAsyncContextManager, ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import Any, TypeVar
from unittest.mock import patch

from loadtests.baselines import empty, floor
from loadtests.generator import driver, sessions
from loadtests.generator.http_client import Connection
from loadtests.measuring.contenders import Side
from loadtests.measuring.edge import protos
from loadtests.measuring.filling import Filling, fill
from loadtests.measuring.filling_postgresql import fill_postgresql
from loadtests.measuring.rounds import Contender, Sample
from services.app import serving
from services.runtime.settings import Settings
from tests.support.edge import edge
from tests.support.postgresql import PostgresqlServer
from tests.support.servers import _loop, hosting

Result = TypeVar("Result")
PATIENCE = 100.0
"""Seconds: hundreds of sessions may have to be opened first, and the machine may be busy."""

RULES = partial(serving, sessions=False)
SERVERS: Mapping[str, Callable[[Settings], AbstractAsyncContextManager[str]]] = {
    "services": serving,
    "services.rules": RULES,
    "services.session": partial(serving, rules=False),
    "loadtests.baselines.empty": empty.serving,
    "loadtests.baselines.floor": floor.serving,
}
"""By the module that serves the same in a process of its own."""


@contextmanager
def contending(side: Side, postgresql: PostgresqlServer | None = None) -> Iterator[Contender]:
    """Start a server here, or several, and give what puts its load on them."""
    with ExitStack() as stack:
        settings: dict[str, Any] = {name.removeprefix("LAIR_").lower(): value for name, value in side.settings.items()}
        if side.rules_apart:
            settings["rules"] = stack.enter_context(hosting(RULES(Settings(address="127.0.0.1:0"))))
        if side.stored is not None:
            filling = side.stored if isinstance(side.stored, Filling) else Filling(side.stored)
            if side.on_postgresql:
                assert postgresql
                settings["database"] = postgresql.url(stack.enter_context(postgresql.database(template=None)))
                fill_postgresql(settings["database"], filling)
            else:
                settings["database"] = Path(stack.enter_context(tempfile.TemporaryDirectory())) / "lair.db"
                fill(settings["database"], filling)
        servers = [SERVERS[side.module](Settings(address="127.0.0.1:0", **settings)) for _ in range(side.replicas)]
        address = ",".join([stack.enter_context(hosting(server)) for server in servers])
        if side.through_edge:
            stack.enter_context(_closing_connections())
            address = stack.enter_context(edge(address, protos())).address

        lanes = _Lanes(side, address)
        stack.callback(lanes.close)
        yield lanes


@contextmanager
def _closing_connections() -> Iterator[None]:
    """Close what is opened with the edge: a load generator has a process of its own, and leaves that to its end."""
    opened: list[Connection] = []
    open_one = Connection.open

    async def open_and_note(address: str) -> Connection:
        opened.append(await open_one(address))
        return opened[-1]

    async def close() -> None:
        for connection in opened:
            connection.close()
            await connection._writer.wait_closed()

    with patch.object(Connection, "open", open_and_note):
        yield
    _wait(close())


class _Lanes:
    """The load generator's part. What is open stays open between two rounds, but for sessions that shall be young."""

    def __init__(self, side: Side, address: str) -> None:
        self._open = lambda: driver.opened(side.load, address, side.count)
        self._anew = side.load == sessions.young_sessions.__name__
        self._opened = self._open()
        self._lanes = _wait(self._opened.__aenter__())

    def __call__(self, seconds: float) -> Sample:
        measured = _wait(driver.measure(self._lanes, seconds))
        if self._anew:
            self.close()
            self._opened = self._open()
            self._lanes = _wait(self._opened.__aenter__())
        return Sample(**measured)

    def close(self) -> None:
        _wait(self._opened.__aexit__(None, None, None))


def _wait(work: Coroutine[Any, Any, Result]) -> Result:
    return asyncio.run_coroutine_threadsafe(work, _loop()).result(PATIENCE)
