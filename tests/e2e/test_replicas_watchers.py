"""Many watchers of one session on two servers: the database is asked once a move and server, and not by each watcher.

`LAIR_REPLICA_WATCHERS=10000` is how many, usually 200; `LAIR_REPLICA_WATCHED_MOVES` how many moves they see.
"""

import asyncio
import os
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import grpc
import pytest
from monsters.session.v1 import session_pb2 as wire
from monsters.session.v1.session_pb2_grpc import SessionServiceStub

from tests.support.postgresql import running_postgresql
from tests.support.processes import PATIENCE
from tests.support.replica_processes import replicas
from tests.support.servers import bearer
from tests.support.sessions import endless, new_id
from tests.support.statements import EVERY_STATEMENT, Statements, reads_of

WATCHERS = int(os.environ.get("LAIR_REPLICA_WATCHERS", "200"))
MOVES = int(os.environ.get("LAIR_REPLICA_WATCHED_MOVES", "10"))
SERVERS = 2
OF_A_CHANNEL = 100
"""Streams over one connection."""
HEARTBEAT = min(3.0 + WATCHERS / 500, 15.0)
"""Seconds. A machine that is busy with many streams must not take them for quiet ones while they are told of a move."""
HEARTBEATS = 2
LOOKS = 10
"""Looks at the store in a heartbeat, for one session and server: the watchers that are quiet share them."""
LONGEST = PATIENCE + WATCHERS / 20

pytestmark = [pytest.mark.slow, pytest.mark.timeout(4 * LONGEST)]


class Watchers:
    """Streams of one session, and what each of them was told."""

    def __init__(self, number: int) -> None:
        self.last = [-1] * number
        """The latest revision that each one knows."""
        self.heartbeats = [0] * number

    async def watch(self, number: int, stub: SessionServiceStub, name: str) -> None:
        """Take what comes: each revision once, in order."""
        async for message in stub.WatchSession(wire.WatchSessionRequest(name=name)):
            if message.HasField("snapshot"):
                self.last[number] = message.snapshot.revision
            elif message.HasField("update"):
                assert message.update.revision == self.last[number] + 1
                self.last[number] += 1
            self.heartbeats[number] += message.HasField("heartbeat")

    async def until_all(self, known: int) -> None:
        """Wait until all of them know of a revision."""
        async with asyncio.timeout(LONGEST):
            while min(self.last) < known:  # noqa: ASYNC110  of many, whichever is the last
                await asyncio.sleep(0.02)


@asynccontextmanager
async def watching(addresses: Sequence[str], name: str) -> AsyncIterator[Watchers]:
    """So many watchers, on all servers alike, each of which knows how the session is."""
    watchers = Watchers(WATCHERS)
    async with AsyncExitStack() as stack, asyncio.TaskGroup() as tasks:
        watched = []
        for first in range(0, WATCHERS, OF_A_CHANNEL):
            address = addresses[first // OF_A_CHANNEL % len(addresses)]
            own = [("grpc.use_local_subchannel_pool", 1)]
            stub = SessionServiceStub(await stack.enter_async_context(grpc.aio.insecure_channel(address, own)))
            numbers = range(first, min(first + OF_A_CHANNEL, WATCHERS))
            watched += [tasks.create_task(watchers.watch(number, stub, name)) for number in numbers]
        await watchers.until_all(0)
        yield watchers
        for task in watched:
            task.cancel()


async def test_the_database_is_asked_once_for_a_move_and_server_however_many_watch(tmp_path: Path) -> None:
    streams = {
        name: str(WATCHERS + 10) for name in ("LAIR_MAX_STREAMS", "LAIR_MAX_CALLER_STREAMS", "LAIR_MAX_SPECTATORS")
    }
    with running_postgresql(*EVERY_STATEMENT) as postgresql, postgresql.database() as database:
        url = postgresql.url(database)
        with replicas(tmp_path, url, SERVERS, LAIR_HEARTBEAT=f"{HEARTBEAT:g}", **streams) as servers:
            addresses = [server.address for server in servers]
            async with grpc.aio.insecure_channel(addresses[0]) as channel:
                stub = SessionServiceStub(channel)
                created = await stub.CreateSession(request())
                statements = Statements(postgresql)
                async with watching(addresses, created.session.name) as watchers:
                    opened = statements.since()
                    for move in range(MOVES):
                        await submit(stub, created, move)
                        await watchers.until_all(move + 1)
                    told = statements.since()
                    before = min(watchers.heartbeats)
                    await asyncio.sleep(HEARTBEAT * HEARTBEATS)
                    quiet = statements.since()
                    async with asyncio.timeout(LONGEST):
                        while min(watchers.heartbeats) == before:  # noqa: ASYNC110  as above
                            await asyncio.sleep(0.02)
    tell("opening", opened)
    tell(f"{MOVES} moves", told)
    tell(f"{HEARTBEATS} heartbeats", quiet)
    assert reads_of(told) <= MOVES * SERVERS, told
    assert reads_of(quiet) <= (HEARTBEATS + 1) * LOOKS * SERVERS, quiet


def request() -> wire.CreateSessionRequest:
    """A game that goes on for all moves."""
    described = endless(2 * MOVES + 2)
    seats = [wire.SeatRequest(name=name) for name in ("Ann", "Ben")]
    return wire.CreateSessionRequest(game="cabbages", seats=seats, options=described["options"], all_tokens=True)


async def submit(stub: SessionServiceStub, created: wire.CreateSessionResponse, move: int) -> None:
    """Play on, always at the same server."""
    wanted = wire.SubmitMoveRequest(name=created.session.name, text="feed", request_id=new_id())
    await stub.SubmitMove(wanted, metadata=bearer(created.seat_tokens[move % 2]))


def tell(what: str, counted: Counter[str]) -> None:
    """The figures of a full run."""
    print(f"{WATCHERS} watchers, {what}: {dict(counted)}")  # noqa: T201  see above
