"""Several replicas on one store: what is played on one is watched on another, and costs it one look a move."""

import asyncio
import contextlib
import time
from typing import Any

from monsters.cabbages.v1 import cabbages_pb2 as cabbages
from monsters.rules.v1 import opaque_pb2 as opaque
from monsters.session.v1 import session_pb2 as wire

from services.games import find_games
from services.rules.handler import RulesHandler
from services.session.adapters.fanout import LocalFanout
from services.session.adapters.memory import MemoryStore
from services.session.adapters.replicated_fanout import ReplicatedFanout
from services.session.adapters.rules_inprocess import InProcessRules
from services.session.domain import failures
from services.session.domain.callers import SPECTATOR, Caller
from services.session.domain.session import NO_LIMITS, Revision, Seat, Session
from services.session.ports import Ports
from services.session.usecases.access import Access
from services.session.usecases.items import FactsChanged, Told
from services.session.usecases.lobby import Created, Lobby, Plan
from services.session.usecases.reading import Reading
from services.session.usecases.requests import IdempotentRequest
from services.session.usecases.submitting import Action, Submission, Submitting
from services.session.usecases.watching import Watching
from services.session.wire.updates import UpdateWriter
from tests.support.replicas import PATIENCE, CountingStore, Wires, until

WATCHERS = 1_000
MOVES = 5
ENDLESS = cabbages.Options(first_seat=0, empty_feed=cabbages.EMPTY_FEED_FREE, max_turns=1000)
FEED = Submission(Action("", b"", "feed"), "", "")


class CountingRules(InProcessRules):
    """The rules, which count the views that they are asked for, by revision's position and viewer."""

    def __init__(self) -> None:
        super().__init__({token: RulesHandler(entry) for token, entry in find_games().items()})
        self.views: list[tuple[bytes, int | None]] = []
        self.fail_next = False

    async def view(self, game: str, version: str, request: opaque.ViewPositionRequest) -> opaque.ViewPositionResponse:
        self.views.append((request.position, request.seat if request.HasField("seat") else None))
        await asyncio.sleep(0)
        if self.fail_next:
            self.fail_next = False
            raise failures.rules_unavailable(game)
        return await super().view(game, version, request)


class Replica:
    """The rooms of one replica."""

    def __init__(self, store: MemoryStore, fanout: Any, heartbeat: float = 15.0) -> None:
        self.rules = CountingRules()
        self.ports = Ports(store, self.rules, fanout, lambda: time.time_ns() // 1000)
        self.access = Access(self.ports)
        self.submitting = Submitting(self.ports, self.access)
        reading = Reading(self.ports, self.access)
        self.watching = Watching(self.ports, self.access, reading, heartbeat)
        self.updates = UpdateWriter(reading)

    async def open(self) -> Created:
        seats = (Seat("Ann", 1), Seat("Ben", 1))
        plan = Plan("cabbages", seats, ENDLESS.SerializeToString(), NO_LIMITS, all_tokens=True)
        return await Lobby(self.ports, self.access).create(plan, IdempotentRequest(b""))

    async def watch(self, session: Session, caller: Caller, ready: asyncio.Semaphore, most: int) -> list[bytes]:
        """The updates that a watcher is told, so many."""
        updates: list[bytes] = []
        with self.ports.fanout.subscribe(session.id) as subscription:
            subscription.viewers = (caller.seat,)
            follow = self.watching.follow(session, caller, None, subscription, _at_once)
            async with contextlib.aclosing(follow) as items:
                async for item in items:
                    if isinstance(item, FactsChanged):
                        ready.release()
                    if isinstance(item, Told):
                        updates.append(await self.updates.write(caller, item.what))
                        if len(updates) == most:
                            break
        return updates


async def _at_once() -> None:
    """Nobody else wants anything."""


async def test_a_thousand_watchers_of_a_session_that_is_played_elsewhere_are_one_load_a_move() -> None:
    """And one view of each revision for all spectators, and one for those who watch as a seat."""
    store = CountingStore()
    to_here = Wires()
    here = ReplicatedFanout(LocalFanout(), [to_here], store)
    a, b = Replica(store, here), Replica(store, ReplicatedFanout(LocalFanout(), [Wires()], store))
    created = await b.open()
    session = created.session
    ready = asyncio.Semaphore(0)
    callers = [SPECTATOR if number % 10 else Caller(1) for number in range(WATCHERS)]
    async with asyncio.timeout(PATIENCE), asyncio.TaskGroup() as group:
        watching = [group.create_task(a.watch(session, caller, ready, MOVES)) for caller in callers]
        for _ in range(WATCHERS):
            await ready.acquire()
        await asyncio.sleep(0.1)  # all have taken their snapshots
        store.loads = store.reads = 0
        snapshots = len(a.rules.views)
        assert len(set(a.rules.views)) == 2, "of one revision, for a seat and for spectators"
        for move in range(MOVES):
            latest = await store.recall(session.id)
            assert latest is not None
            await b.submitting.submit(session.id, created.seat_tokens[move % 2], None, FEED)
            version = latest.version + 1
            to_here.heard(session.id, version)
            followed = here._followed[session.id]
            await until(lambda: followed.version == version)  # noqa: B023  it is waited for at once
    told = [[wire.Update.FromString(update) for update in task.result()] for task in watching]
    assert [update.revision for update in told[0]] == list(range(1, MOVES + 1))
    for caller, updates in zip(callers, told, strict=True):
        assert updates == told[callers.index(caller)]
        assert all(update.HasField("view") for update in updates)
    assert store.loads == MOVES
    assert store.reads == 1, "of the first move it was not known which revisions were published here"
    assert len(a.rules.views) - snapshots == 2 * MOVES


async def test_a_view_that_could_not_be_had_is_asked_for_again() -> None:
    store = CountingStore()
    replica = Replica(store, LocalFanout())
    session = (await replica.open()).session
    assert session.head is not None
    revision = Revision(session, session.head)
    replica.rules.fail_next = True
    asked = [replica.updates.write(SPECTATOR, revision) for _ in range(3)]
    failed = await asyncio.gather(*asked, return_exceptions=True)
    assert {type(each).__name__ for each in failed} == {"Failure"}
    assert len(replica.rules.views) == 1
    updates = await asyncio.gather(*[replica.updates.write(SPECTATOR, revision) for _ in range(3)])
    assert wire.Update.FromString(updates[0]).HasField("view")
    assert updates[0] is updates[1] is updates[2]
    assert await replica.updates.write(SPECTATOR, revision) is updates[0]
    assert len(replica.rules.views) == 2


async def test_quiet_watchers_of_a_session_look_at_the_store_for_one_another() -> None:
    store = CountingStore()
    replica = Replica(store, LocalFanout(), heartbeat=1.0)
    session = (await replica.open()).session
    ready = asyncio.Semaphore(0)
    watching = [asyncio.create_task(replica.watch(session, SPECTATOR, ready, 1)) for _ in range(200)]
    async with asyncio.timeout(PATIENCE):
        for _ in watching:
            await ready.acquire()
    await asyncio.sleep(0.1)
    store.loads = 0
    await until(lambda: store.loads)
    await asyncio.sleep(0.5)
    for task in watching:
        task.cancel()
    await asyncio.gather(*watching, return_exceptions=True)
    assert 1 <= store.loads <= 20, "by their number they would have been 200"
