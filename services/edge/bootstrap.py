"""Envoy's configuration: one listener over one server or over several."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from services.edge.clusters import cluster
from services.edge.listener import listener
from services.edge.pages import pages
from services.edge.protos import Method, Protos
from services.edge.routes import routes
from services.edge.site import site
from services.edge.words import Json, address, typed

MOST_CONNECTIONS = 50_000


@dataclass(frozen=True)
class Edge:
    """Where an Envoy listens, and what it stands before."""

    listen: str
    """host:port. Port 0 takes a free one."""
    sessions: str
    """The host:port of the session service. Several have commas between them."""
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


def render(edge: Edge, protos: Protos) -> Json:
    """The bootstrap, ready for JSON. Raises ValueError for an address that is none, or a site without an index."""
    targets = {method.service: _target(edge, method) for method in protos.methods}
    served = [*pages(protos), *(site(edge.site) if edge.site else ())]
    calls = routes(protos, targets, edge.sessions, served, edge.origins)
    bootstrap: dict[str, Any] = {
        "static_resources": {
            "listeners": [listener(_listen(edge.listen), protos, calls, access_log=edge.access_log)],
            "clusters": [cluster(target) for target in sorted({*targets.values(), edge.sessions})],
        },
        "overload_manager": {
            "resource_monitors": [
                {
                    "name": "envoy.resource_monitors.global_downstream_max_connections",
                    "typed_config": typed(
                        "envoy.extensions.resource_monitors.downstream_connections.v3.DownstreamConnectionsConfig",
                        max_active_downstream_connections=MOST_CONNECTIONS,
                    ),
                }
            ]
        },
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
