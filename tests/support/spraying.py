"""People who play at several servers at once: each call goes to any of them, and all of it is noted.

Whoever reads and submits is noted in a history for each session, to be checked for linearizability; watchers hop from
server to server. Some submits are sent twice at once to two servers, as an impatient application would.
"""

import asyncio
import random
import uuid
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, aclosing, suppress
from dataclasses import dataclass, field
from typing import TypeVar

import lair
from tests.support.session_history import History

Answer = TypeVar("Answer")

NAMES = ("Ann", "Ben")
TWICE = 0.05
"""Of all submits: sent to two servers at once."""
HOP_AFTER = 6
"""Items that a watcher takes from one server, at most."""
PAUSE, LONG_PAUSE = 0.01, 0.1
"""Seconds until somebody looks again whose turn it is; the latter once as many moves are played as are wanted."""


@dataclass
class Table:
    """A game, who plays it, and what they saw."""

    name: str
    tokens: Sequence[str]
    history: History = field(default_factory=History)
    acknowledged: dict[str, int] = field(default_factory=dict)
    """The revision of each request."""
    watched: list[int] = field(default_factory=list)
    """The revisions that its watcher has seen, in the order in which they came."""


@dataclass
class Crowd:
    """Everybody who plays."""

    addresses: Sequence[str]
    wanted: int
    """Moves in all."""
    patience: float
    """Seconds after which somebody must have answered."""
    enough: Callable[[], bool] = lambda: True
    """Whether they may stop once these moves are played."""
    tables: list[Table] = field(default_factory=list)
    moves: int = 0
    asked_again: int = 0
    slowest: float = 0.0
    """Seconds until a call had its answer."""

    async def play(self, tables: int) -> None:
        """Play so many games side by side, one after the other, until enough moves are played."""
        async with AsyncExitStack() as stack:
            self._clients = [await stack.enter_async_context(lair.aconnect(address)) for address in self.addresses]
            await asyncio.gather(*(self._play_on(number) for number in range(tables)))

    async def _play_on(self, number: int) -> None:
        whim = random.Random(number)
        while self.moves < self.wanted or not self.enough():
            table = await self._lay(whim)
            async with asyncio.TaskGroup() as people:
                people.create_task(self._watch(table, whim))
                for seat in range(len(NAMES)):
                    people.create_task(self._sit(table, seat, random.Random(f"{number} {seat}")))

    async def _lay(self, whim: random.Random) -> Table:
        request_id = str(uuid.uuid4())
        created = await self._asked(whim, lambda client: client.create("cabbages", seats=NAMES, request_id=request_id))
        table = Table(created.name, [seat.token for seat in created.seats])
        self.tables.append(table)
        return table

    async def _sit(self, table: Table, index: int, whim: random.Random) -> None:
        """Play one seat to the end of its game."""
        seats: dict[lair.AsyncClient, lair.AsyncSeat] = {}

        async def seat_at(client: lair.AsyncClient) -> lair.AsyncSeat:
            if client not in seats:
                seats[client] = await client.seat(table.name, table.tokens[index])
            return seats[client]

        async def look(client: lair.AsyncClient) -> lair.Snapshot:
            return await (await seat_at(client)).snapshot()

        async def submit(move: lair.LegalMove, request_id: str) -> int:
            async def play(client: lair.AsyncClient) -> lair.Update:
                return await (await seat_at(client)).play(move, request_id=request_id)

            with table.history.doing(request_id) as hear:
                revision = (await self._asked(whim, play)).revision
                hear(revision)
            return revision

        while True:
            with table.history.doing(None) as hear:
                snapshot = await self._asked(whim, look)
                hear(snapshot.revision)
            if snapshot.standing.over:
                return
            if index not in snapshot.standing.awaited:
                await asyncio.sleep(PAUSE if self.moves < self.wanted else LONG_PAUSE)
                continue
            move, request_id = whim.choice(snapshot.moves), str(uuid.uuid4())
            times = 2 if whim.random() < TWICE else 1
            revisions = await asyncio.gather(*(submit(move, request_id) for _ in range(times)))
            assert len(set(revisions)) == 1, f"{table.name}: one request was told two revisions: {revisions}"
            table.acknowledged[request_id] = revisions[0]
            self.moves += 1

    async def _watch(self, table: Table, whim: random.Random) -> None:
        """See every revision of a game, from one server after the other."""
        over = False
        while not over:
            after = table.watched[-1] if table.watched else -1
            session = await self._asked(whim, lambda client: client.session(table.name))
            with suppress(lair.Unavailable, lair.ResourceExhausted):
                over = await _watch_for_a_while(session, table, after)

    async def _asked(self, whim: random.Random, call: Callable[[lair.AsyncClient], Awaitable[Answer]]) -> Answer:
        """The answer of whichever server: when one has none, another is asked."""
        loop = asyncio.get_running_loop()
        began = loop.time()
        while True:
            try:
                answer = await call(whim.choice(self._clients))
            except (lair.Unavailable, lair.ResourceExhausted):
                if loop.time() > began + self.patience:
                    raise
                self.asked_again += 1
                await asyncio.sleep(PAUSE)
            else:
                self.slowest = max(self.slowest, loop.time() - began)
                return answer


async def _watch_for_a_while(session: lair.AsyncSession, table: Table, after: int) -> bool:
    """Take some items, and say whether the game is over."""
    taken = 0
    async with aclosing(session.watch(after=after)) as items:
        async for item in items:
            if isinstance(item, lair.Update):
                table.watched.append(item.revision)
                taken += 1
                if item.standing.over or taken >= HOP_AFTER:
                    return item.standing.over
    return True


async def check(crowd: Crowd, address: str) -> None:
    """Nothing acknowledged is lost or played twice, everybody saw the same, and every game verifies."""
    async with lair.aconnect(address) as client:
        for table in crowd.tables:
            session = await client.session(table.name)
            history = [update.revision async for update in session.history()]
            assert history == list(range(len(table.acknowledged) + 1)), f"{table.name}: lost, or played twice"
            assert sorted(table.acknowledged.values()) == history[1:], f"{table.name}: two moves share a revision"
            assert table.watched == history, f"{table.name}: its watcher saw {table.watched}"
            assert table.history.check(), f"{table.name}: that can't have happened one after the other"
            verification = await session.verify()
            assert verification.ok, f"{table.name}: {verification}"
