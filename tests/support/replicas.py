"""Hints and stores of tests that play on several replicas in one process."""

import asyncio
from collections.abc import Callable, Sequence

from services.session.adapters.memory import MemoryStore
from services.session.domain import failures
from services.session.domain.session import Record, Session

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
