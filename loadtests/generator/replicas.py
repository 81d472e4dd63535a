"""The loads of servers that share their sessions: so many games at once, with or without affinity.

With affinity all calls of a session go to one server, as an edge sends them that looks at the session's name. Without,
each call and each stream goes to any of them. With one server there is no difference.
"""

import random
from collections.abc import Sequence
from functools import partial
from itertools import count
from typing import Any

import grpc
from monsters.session.v1.session_pb2_grpc import SessionServiceStub

from loadtests.generator.arrivals import rolling
from loadtests.generator.loads import Call
from loadtests.generator.sessions import Lay, played, tables, watched


class Servers:
    """Connections to some servers, by their addresses with commas between. They are open for as long as this lives."""

    def __init__(self, addresses: str) -> None:
        self._channels = [grpc.aio.insecure_channel(address) for address in addresses.split(",")]
        self.stubs: Sequence[Any] = [SessionServiceStub(channel) for channel in self._channels]


class Sprayed:
    """A stub whose every call and stream goes to any of the servers."""

    def __init__(self, servers: Servers) -> None:
        self._servers = servers

    def __getattr__(self, method: str) -> Any:
        return getattr(random.choice(self._servers.stubs), method)


async def sticky_submit_move(addresses: str, games: int) -> Sequence[Call]:
    """Moves in so many sessions that both seats watch."""
    return await _sticky(addresses, games, watched)


async def sticky_play_seat(addresses: str, games: int) -> Sequence[Call]:
    """Moves in so many sessions that both seats play over a stream."""
    return await _sticky(addresses, games, played)


async def sprayed_submit_move(addresses: str, games: int) -> Sequence[Call]:
    """The same as `sticky_submit_move`, without affinity: a move, and each seat's stream, is at any of the servers."""
    return await tables(partial(watched, Sprayed(Servers(addresses))), games)


async def sprayed_play_seat(addresses: str, games: int) -> Sequence[Call]:
    """The same as `sticky_play_seat`, without affinity."""
    return await tables(partial(played, Sprayed(Servers(addresses))), games)


async def rolls_across(addresses: str, _: int) -> Sequence[Call]:
    """The same as `rolls`, whose six watchers are at another server than the one that is called, if there is one."""
    servers = Servers(addresses)
    (lane,) = await rolling(servers.stubs[0], servers.stubs[-1])

    async def call() -> Sequence[float] | None:
        assert servers.stubs  # who holds them holds them open
        return await lane()

    return [call]


async def _sticky(addresses: str, games: int, lay: Lay) -> Sequence[Call]:
    servers = Servers(addresses)
    numbers = count()
    return await tables(lambda: lay(servers.stubs[next(numbers) % len(servers.stubs)]), games)
