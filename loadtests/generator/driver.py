"""`python -m loadtests.generator.driver LOAD ADDRESS[,...] PID[,...] COUNT`: the load generator, a process of its own.

It opens the load, says "ready", and then for every line that comes in, a number of seconds, makes calls for so long
and answers with a line of JSON: how many, how long it took, how much time of the processors the servers used, and how
long each call took. Loads that are there for other latencies give theirs instead.
"""

import asyncio
import gc
import json
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager

import grpc
import uvloop

from loadtests.generator import arrivals, frontends, hops, loads, replicas, sessions, streams
from loadtests.generator.loads import Call, UsedUp
from loadtests.measuring.servers import processor_seconds

Load = Callable[[grpc.aio.Channel], Awaitable[Sequence[Call]]]
PLAIN: Mapping[str, Load] = {
    **hops.LOADS,
    **{
        load.__name__: load
        for load in (
            *(loads.empty, loads.echo, loads.floor, loads.apply_move, loads.stream_moves),
            *(sessions.submit_move, sessions.play_seat),
            *(arrivals.rolls, arrivals.published),
        )
    },
}
COUNTED: Mapping[str, Callable[[grpc.aio.Channel, int], Awaitable[Sequence[Call]]]] = {
    load.__name__: load
    for load in (
        *(sessions.old_sessions, sessions.young_sessions, sessions.spread_sessions),
        sessions.stored_sessions,
    )
}
STREAMS: Mapping[str, Callable[[str, int], Awaitable[Sequence[Call]]]] = {
    load.__name__: load
    for load in (
        *(streams.watched_by, streams.beside_streams),
        *(frontends.json_empty, frontends.json_apply_move, frontends.json_submit_move),
        *(replicas.sticky_submit_move, replicas.sprayed_submit_move),
        *(replicas.sticky_play_seat, replicas.sprayed_play_seat),
        replicas.rolls_across,
    )
}
"""These open connections of their own, to one server or to several."""
LATEST = 60.0
"""Seconds that calls may take beyond their time: then something hangs."""


async def drive(name: str, address: str, pids: Sequence[int], count: int) -> None:
    """Serve the commands of standard input until it ends."""
    async with _connected(address) as channel:
        lanes = await _open(name, channel, address, count)
        # What is open stays open: its own pauses, which grow with that, must not be taken for the server's.
        gc.collect()
        gc.freeze()
        _say("ready")
        while line := await asyncio.to_thread(sys.stdin.readline):
            _say(await measure(lanes, float(line), *pids))
            if name == sessions.young_sessions.__name__:
                lanes = await _open(name, channel, address, count)


@asynccontextmanager
async def opened(name: str, address: str, count: int) -> AsyncIterator[Sequence[Call]]:
    """The lanes of a load, for as long as the context lasts."""
    async with _connected(address) as channel:
        yield await _open(name, channel, address, count)


async def measure(lanes: Sequence[Call], seconds: float, *pids: int) -> Mapping[str, object]:
    """Make calls in every lane for so long. Whatever is under way then is completed, and counts."""
    latencies: list[float] = []
    before, started = processor_seconds(*pids), time.perf_counter()
    async with asyncio.timeout(seconds + LATEST):
        calls = sum(await asyncio.gather(*(_calls(call, started + seconds, latencies) for call in lanes)))
    return {
        "calls": calls,
        "seconds": time.perf_counter() - started,
        "processor_seconds": processor_seconds(*pids) - before,
        "latencies": latencies,
    }


def _connected(address: str) -> grpc.aio.Channel:
    """A connection to the first server."""
    return grpc.aio.insecure_channel(address.partition(",")[0])


async def _open(name: str, channel: grpc.aio.Channel, address: str, count: int) -> Sequence[Call]:
    if name in STREAMS:
        return await STREAMS[name](address, count)
    return await (PLAIN[name](channel) if name in PLAIN else COUNTED[name](channel, count))


async def _calls(call: Call, end: float, latencies: list[float]) -> int:
    calls = 0
    while (began := time.perf_counter()) < end or not calls:  # a busy machine may leave no time: there is one at least
        try:
            seen = await call()
        except UsedUp:
            break
        latencies += (time.perf_counter() - began,) if seen is None else seen
        calls += 1
    return calls


def _say(value: object) -> None:
    print(json.dumps(value), flush=True)


if __name__ == "__main__":
    uvloop.run(drive(sys.argv[1], sys.argv[2], [int(pid) for pid in sys.argv[3].split(",")], int(sys.argv[4])))
