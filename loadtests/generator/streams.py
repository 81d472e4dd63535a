"""The loads of many streams: one session that many watch, and a few that are played beside many quiet streams.

A connection carries a hundred streams, so that neither the connections nor one of them alone are what is measured.
"""

import asyncio
from collections.abc import Sequence
from typing import Any

import grpc
from monsters.session.v1 import session_pb2 as wire
from monsters.session.v1.session_pb2_grpc import SessionServiceStub

from loadtests.generator.games import ENDLESS
from loadtests.generator.loads import Call
from loadtests.generator.sessions import begin, create, hear, submit_move
from loadtests.measuring.filling import session_id

ON_A_CONNECTION = 100
"""So many streams."""
WATCHERS = 2
"""Quiet streams of one session."""


class Watching:
    """Streams of spectators. They and the connections stay open for as long as this lives."""

    def __init__(self, address: str) -> None:
        self._address = address
        self._channels: list[grpc.aio.Channel] = []
        self.streams: list[Any] = []

    def connect(self) -> grpc.aio.Channel:
        """Another connection."""
        # Channels to the same address would share one.
        channel = grpc.aio.insecure_channel(self._address, options=[("grpc.use_local_subchannel_pool", 1)])
        self._channels.append(channel)
        return channel

    async def watch(self, names: Sequence[str]) -> None:
        """Open a stream of each of these sessions, and read what it begins with."""
        while names:
            stub: Any = SessionServiceStub(self.connect())
            self.streams += await asyncio.gather(*(_open(stub, name) for name in names[:ON_A_CONNECTION]))
            names = names[ON_A_CONNECTION:]


async def _open(stub: Any, name: str) -> Any:
    stream = stub.WatchSession(wire.WatchSessionRequest(name=name))
    await begin(stream)
    return stream


async def watched_by(address: str, count: int) -> Sequence[Call]:
    """Moves in one session with so many spectators. A move is complete when all of them have heard of it."""
    watching = Watching(address)
    session = await create(ENDLESS, SessionServiceStub(watching.connect()))
    await watching.watch([session.name] * count)

    async def call() -> None:
        await session.submit()
        await asyncio.gather(*(hear(stream, session.game.made) for stream in watching.streams))

    return [call]


async def beside_streams(address: str, count: int) -> Sequence[Call]:
    """Moves in a few sessions that both seats watch, beside so many streams of sessions in which nobody moves."""
    watching = Watching(address)
    await watching.watch([f"sessions/{session_id(number // WATCHERS)}" for number in range(count)])
    listening = [asyncio.create_task(_listen(stream)) for stream in watching.streams]
    ended: list[asyncio.Task[None]] = []
    for task in listening:
        task.add_done_callback(ended.append)

    def beside(lane: Call) -> Call:
        async def call() -> None:
            assert not ended
            assert watching.streams  # who holds them holds them open
            await lane()

        return call

    return [beside(lane) for lane in await submit_move(watching.connect())]


async def _listen(stream: Any) -> None:
    """Take what comes, which is heartbeats, until the stream ends."""
    while (message := await stream.read()) is not grpc.aio.EOF:
        assert message.HasField("heartbeat")
