"""PostgreSQL, the servers and the edge: what starts before what, and what ends after what.

The database comes first and goes last. The edge starts after the servers, and ends after them: they drain through it.
"""

import asyncio
import os
import socket
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from services.edge.bootstrap import Edge
from services.edge.envoy import EdgeFailed, Envoy
from services.edge.limits import Rates
from services.edge.process import find_envoy
from services.edge.protos import read_protos
from services.replicas.database import migrate, postgresql
from services.replicas.server import SessionServer
from services.runtime.addresses import check_free
from services.runtime.settings import OFF, Settings

DRAIN_SECONDS = 2.0
"""Longer than an edge takes to notice that a server says NOT_SERVING."""
SPARE_SECONDS = 5.0
"""What a server may take to end beside its drain and its grace."""


@dataclass(frozen=True)
class Replicas:
    """Where they are."""

    edge: str
    """host:port, for gRPC and for HTTP."""
    servers: Sequence[str]
    folder: Path


@asynccontextmanager
async def serving_replicas(settings: Settings, number: int, folder: Path) -> AsyncIterator[Replicas]:
    """Serve by so many servers, with the database in this folder. On leaving, drain.

    Raises EdgeFailed, AddressUnusable, DatabaseFailed and ServerFailed.
    """
    if (program := find_envoy()) is None:
        raise EdgeFailed("there is no edge before the servers: Envoy has no wheel for this machine")
    check_free("LAIR_EDGE", settings.edge)
    async with postgresql(folder) as url, AsyncExitStack() as stack:
        await migrate(url)
        envoy = Envoy(program)
        stack.push_async_callback(envoy.stop)
        environment = _environment(settings, url)
        servers = [SessionServer(str(place), free, environment) for place, free in enumerate(_free(number), start=1)]
        stack.push_async_callback(_stop, servers, _drain(settings) + settings.grace + SPARE_SECONDS)
        await asyncio.gather(*(server.start() for server in servers))
        addresses = [server.address for server in servers]
        edge = await envoy.start(_edge(settings, addresses), read_protos())
        yield Replicas(edge, addresses, folder)


async def _stop(servers: Sequence[SessionServer], seconds: float) -> None:
    await asyncio.gather(*(server.stop(seconds) for server in servers))


def _environment(settings: Settings, url: str) -> dict[str, str]:
    """What the servers find in theirs: ours, and what makes them replicas of each other."""
    text = "text" if sys.stderr.isatty() else "json"
    return {
        **os.environ,
        "LAIR_DATABASE": url,
        "LAIR_DRAIN": f"{_drain(settings):g}",
        "LAIR_EDGE": OFF,
        "LAIR_HEALTH_ADDRESS": OFF,
        "LAIR_LOG_FORMAT": text if settings.log_format == "auto" else settings.log_format,
    }


def _drain(settings: Settings) -> float:
    return max(settings.drain, DRAIN_SECONDS)


def _free(number: int) -> Sequence[str]:
    """So many addresses of the loopback that nobody listens at. A server keeps its own, also when it starts again."""
    probes = [socket.create_server(("127.0.0.1", 0)) for _ in range(number)]
    addresses = [f"127.0.0.1:{probe.getsockname()[1]}" for probe in probes]
    for probe in probes:
        probe.close()
    return addresses


def _edge(settings: Settings, addresses: Sequence[str]) -> Edge:
    servers = ",".join(addresses)
    return Edge(
        settings.edge,
        sessions=servers,
        rules=servers,
        origins=settings.foreign_origins,
        site=settings.site_folder,
        rates=Rates(settings.edge_creations, settings.edge_joins, settings.edge_streams),
        proxies=settings.proxies,
    )
