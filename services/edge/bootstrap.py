"""Envoy's configuration: one listener over one server or over several."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from services.edge.clusters import cluster
from services.edge.limits import NO_RATES, Rates
from services.edge.listener import listener
from services.edge.pages import pages
from services.edge.protos import Method, Protos
from services.edge.routes import routes
from services.edge.site import site
from services.edge.words import Json, address, typed

MOST_CONNECTIONS = 10_000
"""Each costs some 20 kB, and an open stream more."""
MOST_HEAP_BYTES = 400 * 1024 * 1024
"""Above it new requests are refused until there is room: the system would end all that are under way."""
MONITORS = "envoy.resource_monitors"


@dataclass(frozen=True)
class Edge:
    """Where an Envoy listens, and what it stands before."""

    listen: str
    """host:port. Port 0 takes a free one."""
    sessions: str
    """The host:port of the session service. Several have commas between them; a name may have several addresses, too.

    The calls of a session go to the same one of them, as long as it is there.
    """
    rules: str
    """The host:port of the rules. {game} in it becomes the token, and each game has a server of its own."""
    origins: Sequence[str] = ()
    """Whose pages may call from a browser, besides those of this machine; "*" is everybody's."""
    admin: str | None = None
    """Where Envoy is administered: host:port of the loopback, or the path of a socket. None: nowhere."""
    site: Path | None = None
    """A folder of files that are served from the root on, such as a built page. None: there is no site."""
    access_log: bool = False
    """Whether each call is a line of JSON on standard output."""
    rates: Rates = NO_RATES
    """How often one caller may do what costs much."""
    proxies: int = 0
    """How many proxies before it write x-forwarded-for. The address that the first of them saw is the caller's."""


def render(edge: Edge, protos: Protos) -> Json:
    """The bootstrap, ready for JSON. Raises ValueError for an address that is none, or a site without an index."""
    targets = {method.service: _target(edge, method) for method in protos.methods}
    served = [*pages(protos), *(site(edge.site) if edge.site else ())]
    calls = routes(protos, targets, edge.sessions, served, edge.origins, edge.rates)
    paths = frozenset(("/", *(page.path for page in served)))
    bootstrap: dict[str, Any] = {
        "static_resources": {
            "listeners": [
                listener(_listen(edge.listen), protos, calls, paths, access_log=edge.access_log, proxies=edge.proxies)
            ],
            "clusters": [
                cluster(target, sessions=target == edge.sessions)
                for target in sorted({*targets.values(), edge.sessions})
            ],
        },
        "overload_manager": _overload(),
    }
    if edge.admin is not None:
        bootstrap["admin"] = {"address": _admin(edge.admin)}
    return bootstrap


def _target(edge: Edge, method: Method) -> str:
    """Where a service is. All but the games' are with the sessions."""
    return edge.rules.replace("{game}", method.token) if method.service.endswith(".RulesService") else edge.sessions


def _listen(where: str) -> Json:
    """Envoy listens on addresses, and not on names; this one everybody knows."""
    return address(where.replace("localhost:", "127.0.0.1:"))


def _admin(where: str) -> Json:
    return {"pipe": {"path": where, "mode": 0o600}} if "/" in where else address(where)


def _overload() -> Json:
    """How much it takes in all: connections are closed at once beyond that, and requests are told to come again."""
    connections = typed(
        "envoy.extensions.resource_monitors.downstream_connections.v3.DownstreamConnectionsConfig",
        max_active_downstream_connections=MOST_CONNECTIONS,
    )
    heap = typed(
        "envoy.extensions.resource_monitors.fixed_heap.v3.FixedHeapConfig", max_heap_size_bytes=MOST_HEAP_BYTES
    )
    return {
        "refresh_interval": "0.25s",
        "resource_monitors": [
            {"name": f"{MONITORS}.global_downstream_max_connections", "typed_config": connections},
            {"name": f"{MONITORS}.fixed_heap", "typed_config": heap},
        ],
        "actions": [_when_full("shrink_heap", 0.9), _when_full("stop_accepting_requests", 0.95)],
    }


def _when_full(action: str, share: float) -> Json:
    trigger = {"name": f"{MONITORS}.fixed_heap", "threshold": {"value": share}}
    return {"name": f"envoy.overload_actions.{action}", "triggers": [trigger]}
