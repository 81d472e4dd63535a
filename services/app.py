"""The wiring: the only place where adapters are made.

`serving(settings)` is a whole Lair in this process: the rules of every game, and sessions over them. Those who deploy
the two apart leave one of them out.
"""

import asyncio
from collections.abc import AsyncIterator, Coroutine, Iterable
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager, nullcontext, suppress
from dataclasses import replace
from functools import partial

import grpc
from monsters.replicas.v1 import replicas_pb2
from monsters.session.v1 import session_pb2

from services.games import Entry, find_games
from services.rules.chains import ChainsHandler
from services.rules.service import rules_services
from services.runtime.admission import Admission, Gate
from services.runtime.calls import serve
from services.runtime.origins import Origins
from services.runtime.rates import Rate
from services.runtime.server import listening
from services.runtime.settings import NOTIFY, Settings
from services.session.adapters.clock import Source, keeping_time, wall_time
from services.session.adapters.fanout import LocalFanout
from services.session.adapters.hints.notify import NotifyHints
from services.session.adapters.hints.peers import PeerHints
from services.session.adapters.memory import MemoryStore
from services.session.adapters.replicated_fanout import ReplicatedFanout
from services.session.adapters.rules_gate import GatedRules
from services.session.adapters.rules_grpc import GrpcRules
from services.session.adapters.rules_inprocess import InProcessRules
from services.session.adapters.sqlite.store import sqlite_store
from services.session.domain.bounds import Bounds
from services.session.domain.failures import too_many_watchers
from services.session.domain.session import Limits
from services.session.ports import Fanout, Hints, Ports, SessionStore
from services.session.timekeeper import Timekeeper
from services.session.wire.allowances import Allowances
from services.session.wire.hints import HintsServicer
from services.session.wire.servicer import SessionServicer

IN_PROCESS = "inprocess"
OF_EACH = 100
"""Of so many places for calls, each caller gets one also when others have taken all of them."""
MOST_TOLD = 64
"""Calls of other replicas under way at once. Each of them has one."""
APART = ("SubmitMove", "PlaySeat")
"""How those play who sit at a table: they wait for nobody's lists and lobbies. gRPC looks at each for every call, so
that each method costs every call a microsecond."""
SECOND = 1_000_000
"""In microseconds."""


@asynccontextmanager
async def serving(
    settings: Settings,
    entries: Iterable[Entry] | None = None,
    *,
    sessions: bool = True,
    rules: bool = True,
    wall: Source = wall_time,
) -> AsyncIterator[str]:
    """Serve, and give the address. On leaving, drain.

    Raises AddressUnusable, DatabaseTaken, DatabaseUnusable, and OSError when the database can't be made.
    """
    entries = tuple(find_games().values() if entries is None else entries)
    calls = Gate(settings.max_calls, settings.max_caller_calls, settings.max_calls // OF_EACH)
    streams = partial(Gate, settings.max_streams, settings.max_caller_streams)
    origins = Origins(settings.trusted_networks, settings.proxies)
    admission = Admission(calls, streams(), origins=origins)
    handlers = {entry.game.token: ChainsHandler(entry) for entry in entries}
    served = dict(rules_services(handlers, entries, admission)) if rules else {}
    async with AsyncExitStack() as stack:
        local = LocalFanout()
        probes = []
        apart = []
        if sessions:
            store = await stack.enter_async_context(_opened(settings))
            gateway = (
                InProcessRules(handlers)
                if settings.rules == IN_PROCESS
                else GrpcRules(settings.rules, settings.rules_timeout, settings.game_tokens or tuple(handlers))
            )
            stack.push_async_callback(gateway.close)
            limits = Limits(
                idle=int(settings.idle * SECOND),
                keep=int(settings.keep * SECOND),
                stand_in=int(settings.stand_in * SECOND),
            )
            clock = await stack.enter_async_context(keeping_time(store, wall))
            fanout: Fanout = local
            if hints := [
                await stack.enter_async_context(_hints(way, settings, served, admission)) for way in settings.hint_ways
            ]:
                fanout = ReplicatedFanout(local, hints, store)
                stack.push_async_callback(fanout.close)
            ports = Ports(store, GatedRules(gateway, settings.max_rules_calls), fanout, clock.now)
            bounds = Bounds(int(settings.max_idle * SECOND), int(settings.max_keep * SECOND), settings.max_moves)
            allowances = Allowances(
                Rate(settings.max_caller_creations, settings.max_creations),
                Rate(settings.max_caller_joins, settings.max_joins),
                Gate(settings.max_spectators, refusal=too_many_watchers),
            )
            servicer = SessionServicer(ports, settings.heartbeat, limits, bounds, allowances)
            await stack.enter_async_context(_beside(Timekeeper(ports, bounds.length).run()))
            descriptor = session_pb2.DESCRIPTOR.services_by_name["SessionService"]
            served[descriptor.full_name] = serve(
                descriptor, servicer, replace(admission, streams=streams(refusal=too_many_watchers))
            )
            apart = [f"/{descriptor.full_name}/{method}" for method in APART]
            # A database that all servers share says nothing of this one: all of them would leave at once.
            probes = [gateway.ready] if settings.in_postgresql else [store.ready, gateway.ready]
        await stack.enter_async_context(_beside(admission.unread.end_stuck()))
        yield await stack.enter_async_context(listening(settings, served, local.leave, probes, apart))


def _opened(settings: Settings) -> AbstractAsyncContextManager[SessionStore]:
    if settings.in_memory:
        return nullcontext(MemoryStore())
    if settings.in_postgresql:
        # Only where it is used: the library of PostgreSQL is not there for every machine.
        from services.session.adapters.postgresql.store import postgresql_store  # noqa: PLC0415  see above

        return postgresql_store(settings.database, prepared=settings.prepares_statements)
    return sqlite_store(settings.database_file)


@asynccontextmanager
async def _hints(
    way: str, settings: Settings, served: dict[str, grpc.GenericRpcHandler], admission: Admission
) -> AsyncIterator[Hints]:
    """One way of telling other replicas what has changed. That of peers is served beside everything else."""
    hints: NotifyHints | PeerHints
    if way == NOTIFY:
        hints = NotifyHints(settings.notify_database)
    else:
        hints = PeerHints(settings.peer_targets)
        descriptor = replicas_pb2.DESCRIPTOR.services_by_name["HintsService"]
        servicer = HintsServicer(hints.replica, hints.heard)
        served[descriptor.full_name] = serve(descriptor, servicer, replace(admission, calls=Gate(MOST_TOLD)))
    async with _beside(hints.run()):
        yield hints


@asynccontextmanager
async def _beside(work: Coroutine[None, None, None]) -> AsyncIterator[None]:
    """Run something beside the calls, until the context is left."""
    task = asyncio.create_task(work)
    try:
        yield
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
