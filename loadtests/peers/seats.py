"""`python -m loadtests.peers.seats LOAD ADDRESS PID GAMES`: the load generator on Lair's side, a process of its own.

It sits down at so many games, each seat at a stream over a connection of its own, and then obeys as
loadtests/generator/driver.py does. A move's latency ends when both seats have seen the new state.
"""

import asyncio
import json
import sys
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import AsyncExitStack

import grpc
import uvloop
from monsters.session.v1.session_pb2_grpc import SessionServiceStub

from loadtests.generator.driver import measure
from loadtests.generator.games import SEATS
from loadtests.generator.loads import Call
from loadtests.generator.sessions import Table, played, watched

LOADS: Mapping[str, Callable[..., Awaitable[Table]]] = {"play_seat": played, "submit_move": watched}
OWN_CONNECTION = (("grpc.use_local_subchannel_pool", 1),)
"""Else channels to one address share a connection."""


async def drive(load: str, address: str, pid: int, games: int) -> None:
    """Serve the commands of standard input until it ends."""
    async with AsyncExitStack() as stack:
        lanes = []
        for _ in range(games):
            stubs = []
            for _ in range(SEATS):
                channel = grpc.aio.insecure_channel(address, options=OWN_CONNECTION)
                stubs.append(SessionServiceStub(await stack.enter_async_context(channel)))
            lanes.append(await lane(LOADS[load], stubs))
        print(json.dumps("ready"), flush=True)
        while line := await asyncio.to_thread(sys.stdin.readline):
            print(json.dumps(await measure(lanes, float(line), pid)), flush=True)


async def lane(lay: Callable[..., Awaitable[Table]], stubs: Sequence[SessionServiceStub]) -> Call:
    """Moves of one game, and of the next one when it is done."""
    table = await lay(*stubs)

    async def call() -> Sequence[float]:
        nonlocal table
        if table.session.game.done:
            table.leave()
            table = await lay(*stubs)
        began = time.perf_counter()
        await table.move()
        return (time.perf_counter() - began,)

    return call


if __name__ == "__main__":
    uvloop.run(drive(sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])))
