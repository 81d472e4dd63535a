"""Three servers of one PostgreSQL at half of what they manage, for long: nothing grows but what was played.

`LAIR_SOAK_SECONDS=3600` is how long: without it there is no soak. `LAIR_SOAK_TABLES` is how many games are played side
by side. What they manage is found first, by playing without pauses. The figures are printed: memory of each server over
time, dead rows and sizes of the tables, and how many updates were HOT (no index hears of them).
"""

import asyncio
import os
import random
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from statistics import fmean

import grpc
import pytest
from monsters.session.v1 import session_pb2 as wire
from monsters.session.v1.session_pb2_grpc import SessionServiceStub

from loadtests.measuring.servers import memory
from tests.support.postgresql import PostgresqlServer, running_postgresql
from tests.support.processes import PATIENCE, Server
from tests.support.replica_processes import replicas
from tests.support.servers import bearer
from tests.support.sessions import new_id, options

SECONDS = float(os.environ.get("LAIR_SOAK_SECONDS", "0"))
TABLES = int(os.environ.get("LAIR_SOAK_TABLES", "12"))
FULL_SECONDS = max(2.0, min(SECONDS / 10, 20.0))
"""How long everybody plays without a pause, to find what half of that is."""
SAMPLES = 40
"""Of memory, at least four of each quarter."""
MOST_GROWTH = 1.25
"""Of memory, from the second quarter to the last: ten thousand positions and sessions are remembered at most, and a
slow machine takes minutes to come to so many."""
MOST_DEAD = 2.0
"""Dead rows of sessions for each that lives. They are swept at a fifth of that, but not in the same moment."""
FEWEST_DEAD = 1_000
"""Below this nobody sweeps."""
MIB = 1024 * 1024
FIGURES = (
    "SELECT relname, n_live_tup, n_dead_tup, n_tup_upd, n_tup_hot_upd, pg_total_relation_size(relid), autovacuum_count"
    " FROM pg_stat_user_tables WHERE relname IN ('sessions', 'seats', 'records', 'requests') ORDER BY relname"
)

pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(4 * PATIENCE + 2 * SECONDS),
    pytest.mark.skipif(not SECONDS, reason="a soak takes LAIR_SOAK_SECONDS"),
]


class Load:
    """Games that are played side by side, each move at any of the servers, with a pause after each."""

    def __init__(self, stubs: Sequence[SessionServiceStub]) -> None:
        self.stubs = stubs
        self.pause = 0.0
        """Seconds after each move of a game."""
        self.moves = self.games = 0
        self._over = False

    async def play(self, table: int) -> None:
        """Play one game after the other, until it is over."""
        whim = random.Random(table)
        while not self._over:
            stub = whim.choice(self.stubs)
            seats = [wire.SeatRequest(name=name) for name in ("Ann", "Ben")]
            created = await stub.CreateSession(
                wire.CreateSessionRequest(game="cabbages", seats=seats, options=options(), all_tokens=True)
            )
            await self._play(created, whim)
            self.games += 1

    async def _play(self, created: wire.CreateSessionResponse, whim: random.Random) -> None:
        standing = created.session.standing
        while not (self._over or standing.HasField("outcome")):
            began, seat = time.monotonic(), standing.awaited[0]
            action = "harvest" if whim.random() < 0.3 else "feed"
            wanted = wire.SubmitMoveRequest(name=created.session.name, text=action, request_id=new_id())
            try:
                answer = await whim.choice(self.stubs).SubmitMove(wanted, metadata=bearer(created.seat_tokens[seat]))
            except grpc.aio.AioRpcError as error:
                if error.code() is not grpc.StatusCode.FAILED_PRECONDITION:
                    raise
                continue  # it is not legal here: the other one is
            standing = answer.update.standing
            self.moves += 1
            await asyncio.sleep(self.pause - (time.monotonic() - began))

    async def rate(self, seconds: float) -> float:
        """Moves a second, in so many seconds from now on."""
        before, began = self.moves, time.monotonic()
        await asyncio.sleep(seconds)
        return (self.moves - before) / (time.monotonic() - began)

    def end(self) -> None:
        """Let everybody come to an end."""
        self._over = True


@asynccontextmanager
async def playing(servers: Sequence[Server]) -> AsyncIterator[Load]:
    """Games at these servers, until the context is left."""
    async with AsyncExitStack() as stack:
        channels = [await stack.enter_async_context(grpc.aio.insecure_channel(server.address)) for server in servers]
        load = Load([SessionServiceStub(channel) for channel in channels])
        async with asyncio.TaskGroup() as tables:
            for table in range(TABLES):
                tables.create_task(load.play(table))
            yield load
            load.end()


async def test_nothing_grows_but_what_was_played(tmp_path: Path) -> None:
    with (
        running_postgresql() as postgresql,
        postgresql.database() as database,
        replicas(tmp_path, postgresql.url(database)) as servers,
    ):
        async with playing(servers) as load:
            full = await load.rate(FULL_SECONDS)
            load.pause = 2 * TABLES / full
            samples = await sampled(load, servers)
            tell(postgresql, database)
            dead, live = rows_of(postgresql, database)
    print(f"{load.moves} moves in {load.games} games; without a pause {full:.0f} moves a second")  # noqa: T201  figures
    for server, sizes in enumerate(zip(*samples, strict=True)):
        early, late = quarter(sizes, 1), quarter(sizes, 3)
        growth = (late - early) / MIB / (SECONDS / 2) * 60
        print(f"server {server}: {early / MIB:.1f} MiB, later {late / MIB:.1f} MiB, {growth:+.2f} MiB a minute")  # noqa: T201
        assert late < early * MOST_GROWTH
    assert dead <= max(MOST_DEAD * live, FEWEST_DEAD)


async def sampled(load: Load, servers: Sequence[Server]) -> Sequence[Sequence[int]]:
    """The memory of each server, again and again while they play; how many moves a second they play is printed."""
    samples = []
    rates = []
    for _ in range(SAMPLES):
        rates.append(await load.rate(SECONDS / SAMPLES))
        samples.append([memory(server.pid) for server in servers])
    print(f"{fmean(rates):.0f} moves a second, from {min(rates):.0f} to {max(rates):.0f}")  # noqa: T201  figures
    return samples


def quarter(sizes: Sequence[int], which: int) -> float:
    """The mean of a quarter of the samples."""
    some = len(sizes) // 4
    return fmean(sizes[which * some : (which + 1) * some])


def rows_of(postgresql: PostgresqlServer, database: str) -> tuple[int, int]:
    """The dead and the living rows of sessions: the dead ones as PostgreSQL estimates them, the others counted."""
    ((dead,),) = postgresql.execute("SELECT n_dead_tup FROM pg_stat_user_tables WHERE relname = 'sessions'", database)
    ((live,),) = postgresql.execute("SELECT count(*) FROM sessions", database)
    return int(str(dead)), int(str(live))


def tell(postgresql: PostgresqlServer, database: str) -> None:
    """The figures of every table."""
    for name, live, dead, updates, hot, size, sweeps in postgresql.execute(FIGURES, database):
        share = int(str(hot)) / max(int(str(updates)), 1)
        print(  # noqa: T201  figures
            f"{name}: {live} rows and {dead} dead, {int(str(size)) // 1024} KiB, {updates} updates of which {share:.1%}"
            f" were HOT, swept {sweeps} times"
        )
