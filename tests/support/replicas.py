"""Hints and stores of tests that play on several replicas in one process."""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager
from typing import Any

from monsters.replicas.v1 import replicas_pb2

from services.runtime.admission import Admission
from services.runtime.calls import serve
from services.runtime.origins import Origins
from services.runtime.server import listening
from services.runtime.settings import Settings
from services.session.adapters.hints.peers import PeerHints
from services.session.adapters.memory import MemoryStore
from services.session.domain import failures
from services.session.domain.session import Record, Session
from services.session.wire.hints import HintsServicer
from tests.support import servers

PATIENCE = 60.0
"""Seconds, on a machine that does much else."""


async def until(fulfilled: Callable[[], object]) -> None:
    """Wait until something is so."""
    async with asyncio.timeout(PATIENCE):
        while not fulfilled():  # noqa: ASYNC110  whatever it is
            await asyncio.sleep(0.001)


class Wires:
    """Hints between fan-outs of one process, which come when the test lets them."""

    def __init__(self) -> None:
        self.told: list[tuple[str, int]] = []
        self.heard: Callable[[str, int], None]
        self.missed: Callable[[], None]

    def tell(self, session_id: str, version: int) -> None:
        self.told.append((session_id, version))

    def listen(self, heard: Callable[[str, int], None], missed: Callable[[], None]) -> None:
        self.heard, self.missed = heard, missed


class CountingStore(MemoryStore):
    """The store in memory, which counts what it is asked, and can be held up or be away."""

    def __init__(self) -> None:
        super().__init__()
        self.loads = 0
        self.reads = 0
        self.away = False
        self.open = asyncio.Event()
        self.open.set()

    async def load(self, session_id: str) -> Session | None:
        self.loads += 1
        session = await super().load(session_id)
        await self.open.wait()
        if self.away:
            raise failures.store_unavailable()
        return session

    async def records(self, session_id: str, after: int, limit: int) -> Sequence[Record]:
        self.reads += 1
        return await super().records(session_id, after, limit)


class Listener:
    """What one replica hears."""

    def __init__(self, hints: Any) -> None:
        self.hints = hints
        self.versions: dict[str, int] = {}
        """The latest of each session."""
        self.count = 0
        self.missed = 0
        hints.listen(self._heard, self._missed)

    def _heard(self, session_id: str, version: int) -> None:
        self.count += 1
        self.versions[session_id] = max(version, self.versions.get(session_id, 0))

    def _missed(self) -> None:
        self.missed += 1


def on_the_servers_loop(story: Coroutine[Any, Any, None]) -> None:
    """Let a story happen on the one loop on which gRPC is used in the process of tests."""
    asyncio.run_coroutine_threadsafe(story, servers._loop()).result(3 * PATIENCE)


@asynccontextmanager
async def running_beside(work: Coroutine[Any, Any, None]) -> AsyncIterator[None]:
    """Run something until the context is left. It must not end before."""
    task = asyncio.create_task(work)
    try:
        yield
        assert not task.done(), task.result()
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


@asynccontextmanager
async def serving_hints(address: str, hints: PeerHints) -> AsyncIterator[None]:
    """A server that hears hints and does nothing else."""
    descriptor = replicas_pb2.DESCRIPTOR.services_by_name["HintsService"]
    settings = Settings(address=address, grace=0)
    admission = Admission.up_to(100)
    admission.origins = Origins(settings.trusted_networks)
    served = {descriptor.full_name: serve(descriptor, HintsServicer(hints.replica, hints.heard), admission)}
    async with listening(settings, served, lambda: None):
        yield
