"""Which call goes where, how long it may take, and whose pages may make it."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from services.edge.limits import Rates, limited
from services.edge.pages import FOR_READERS, NOT_TRANSCODED, Page, page_routes
from services.edge.protos import Method, Protos
from services.edge.replies import headers_to_add
from services.edge.words import FILTERS, SESSION, TRANSCODER, Json, typed

CALL_SECONDS = 15
"""How long a call may take. A caller by gRPC may have less patience."""
LOCAL_PAGES = r"https?://(localhost|127\.0\.0\.1|\[::1\])(:[0-9]+)?"
ALLOWED = f"authorization, content-type, grpc-timeout, {SESSION}, x-grpc-web, x-user-agent"
UNBUFFERED = {"cache-control": "no-store", "x-accel-buffering": "no"}
"""What lets a stream through proxies as it comes: nginx would hold it back until it has a page of it."""
CALLER = "%DOWNSTREAM_DIRECT_REMOTE_ADDRESS_WITHOUT_PORT%"
"""Whoever made the connection, whatever else was forwarded."""
MOST_CHOICES = 10
"""How many choices, each of a server at random, are made until one falls on another server than before."""
EXPOSED = "grpc-status, grpc-message, grpc-status-details-bin"


def routes(
    protos: Protos,
    targets: Mapping[str, str],
    rest: str,
    pages: Sequence[Page],
    origins: Iterable[str],
    rates: Rates,
) -> Json:
    """The route_config: pages; what is private; streams and what else has a limit; calls by their service; and `rest`.

    A call in JSON has the path of gRPC when it comes here: it was transcoded before.
    """
    special = [
        _special(method, targets[method.service], rates)
        for method in protos.methods
        if method.streams or rates.most(method)[1]
    ]
    calls = [{"match": {"prefix": f"/{service}/"}, **_to(target)} for service, target in targets.items()]
    return {
        "request_headers_to_add": headers_to_add({"x-forwarded-for": CALLER}, "APPEND_IF_EXISTS_OR_ADD"),
        "max_direct_response_body_size_bytes": max((1, *(len(page.body) for page in pages))),
        "virtual_hosts": [
            {
                "name": "edge",
                "domains": ["*"],
                "typed_per_filter_config": {"cors": _cors(origins)},
                "routes": [
                    *(route for page in pages for route in page_routes(page)),
                    _to_docs(),
                    *map(_to_nobody, protos.private),
                    *special,
                    *calls,
                    {"match": {"prefix": "/"}, **_to(rest)},
                ],
            }
        ],
    }


def _to_docs() -> Json:
    """Whoever opens the edge in a browser finds something, also where no page is at the root."""
    return {
        "match": {"path": "/", "headers": [FOR_READERS]},
        "redirect": {"path_redirect": "/docs", "response_code": "FOUND"},
        "typed_per_filter_config": {TRANSCODER: NOT_TRANSCODED},
    }


def _to_nobody(service: str) -> Json:
    """By this service servers talk among themselves: whoever comes through the edge finds no such method."""
    return {"match": {"prefix": f"/{service}/"}, "direct_response": {"status": 404}}


def _special(method: Method, cluster: str, rates: Rates) -> Json:
    """The route of one method: a stream, or one that nobody may call too often."""
    what, most = rates.most(method)
    return {
        "match": {"path": method.path},
        **_to(cluster, stream=method.streams),
        **({"typed_per_filter_config": limited(what, most)} if most else {}),
        **({"response_headers_to_add": headers_to_add(UNBUFFERED)} if method.streams else {}),
    }


def _to(cluster: str, *, stream: bool = False) -> Json:
    """A stream lasts as long as it likes; a call does not. What has not reached a server is tried with another one.

    Calls with the same session have the same server, where the servers have sessions. Others have any.
    """
    elsewhere = {
        "name": "envoy.retry_host_predicates.previous_hosts",
        "typed_config": typed("envoy.extensions.retry.host.previous_hosts.v3.PreviousHostsPredicate"),
    }
    return {
        "route": {
            "cluster": cluster,
            "timeout": "0s" if stream else f"{CALL_SECONDS}s",
            "hash_policy": [{"header": {"header_name": SESSION}}],
            "retry_policy": {
                "retry_on": "connect-failure,refused-stream,reset-before-request",
                "num_retries": 3,
                "retry_host_predicate": [elsewhere],
                "host_selection_retry_max_attempts": MOST_CHOICES,
                "retry_back_off": {"base_interval": "0.05s", "max_interval": "0.5s"},
            },
        }
    }


def _cors(origins: Iterable[str]) -> Json:
    return typed(
        f"{FILTERS}.cors.v3.CorsPolicy",
        allow_origin_string_match=[*_origins(origins)],
        allow_methods="GET, POST",
        allow_headers=ALLOWED,
        expose_headers=EXPOSED,
        max_age="86400",
    )


def _origins(origins: Iterable[str]) -> Iterator[Json]:
    yield {"safe_regex": {"regex": LOCAL_PAGES}}
    for origin in origins:
        yield {"safe_regex": {"regex": ".*"}} if origin == "*" else {"exact": origin}
