"""The loads of six watchers: how long it takes until what happens on the server has arrived at each of them.

One lane alone: one thing happens after another, and each is heard by all six before the next one. The server says at
what time it happened, and the clock is the same, as the load generator is on the same machine.
"""

import asyncio
import time
import uuid
from collections.abc import Sequence
from typing import Any

import grpc
from monsters.session.v1 import session_pb2 as wire
from monsters.session.v1.session_pb2_grpc import SessionServiceStub
from monsters.sprinkleton.v1 import sprinkleton_pb2 as sprinkleton

from loadtests.baselines.empty import PUBLISH, SUBSCRIBE, Small
from loadtests.generator.loads import Call
from loadtests.generator.sessions import begin, hear

WATCHERS = 6
ENDLESS = sprinkleton.Options(max_idle_rounds=0, max_rounds=0)
"""Nobody picks anything, so the deck never runs out, and the game goes on."""


async def rolls(channel: grpc.aio.Channel) -> Sequence[Call]:
    """The Baker rolls, all six seats hear of it, and the host ends the search, so that the next Baker can roll."""
    stub: Any = SessionServiceStub(channel)
    return await rolling(stub, stub)


async def rolling(stub: Any, watched: Any) -> Sequence[Call]:
    """The same by two stubs, which may be of two servers: one is called, and at the other one the six are watching."""
    seats = [wire.SeatRequest(name=f"seat {number}") for number in range(WATCHERS)]
    request = wire.CreateSessionRequest(game="sprinkleton", seats=seats, all_tokens=True)
    request.options.Pack(ENDLESS)
    created = await stub.CreateSession(request)
    name, baker, revision = created.session.name, created.session.standing.awaited[0], 0
    host, *keys = ((("authorization", f"Bearer {token}"),) for token in (created.host_token, *created.seat_tokens))
    watchers = [watched.WatchSession(wire.WatchSessionRequest(name=name), metadata=key) for key in keys]
    for watcher in watchers:
        await begin(watcher)

    async def heard(watcher: Any) -> tuple[wire.Update, float]:
        update = (await hear(watcher, revision)).update
        return update, (time.time_ns() - update.commit_time.ToNanoseconds()) / 1e9

    async def submit(text: str, key: tuple[tuple[str, str]]) -> Sequence[tuple[wire.Update, float]]:
        nonlocal revision
        revision += 1
        move = wire.SubmitMoveRequest(name=name, text=text, request_id=str(uuid.uuid4()))
        _, *arrived = await asyncio.gather(stub.SubmitMove(move, metadata=key), *map(heard, watchers))
        return arrived

    async def call() -> Sequence[float]:
        nonlocal baker
        rolled = await submit("roll", keys[baker])
        ended = await submit("timeout", host)
        (baker,) = ended[0][0].standing.awaited
        return [latency for _, latency in rolled]

    return [call]


async def published(channel: grpc.aio.Channel) -> Sequence[Call]:
    """A small message, which all six hear over streams that have no work behind them."""
    publish: Any = channel.unary_unary(PUBLISH, Small.SerializeToString, Small.FromString)
    subscribe: Any = channel.unary_stream(SUBSCRIBE, Small.SerializeToString, Small.FromString)
    message = Small(text="sessions/0123456789ab")
    streams = [subscribe(message) for _ in range(WATCHERS)]
    for stream in streams:
        assert (await stream.read()) == message

    async def heard(stream: Any) -> float:
        sent: int = (await stream.read()).number
        return (time.time_ns() - sent) / 1e9

    async def call() -> Sequence[float]:
        _, *latencies = await asyncio.gather(publish(message), *map(heard, streams))
        return latencies

    return [call]
