"""Which call goes where, how long it may take, and whose pages may make it."""

import base64
from collections.abc import Iterable, Iterator, Mapping, Sequence

from services.edge.pages import Page
from services.edge.protos import Protos
from services.edge.words import FILTERS, TRANSCODER, Json, typed

CALL_SECONDS = 15
"""How long a call may take. A caller by gRPC may have less patience."""
LOCAL_PAGES = r"https?://(localhost|127\.0\.0\.1|\[::1\])(:[0-9]+)?"
ALLOWED = "authorization, content-type, grpc-timeout, x-grpc-web, x-user-agent"
GET: Json = {"name": ":method", "string_match": {"exact": "GET"}}
NOT_TRANSCODED = typed("envoy.config.route.v3.FilterConfig", disabled=True)
EXPOSED = "grpc-status, grpc-message, grpc-status-details-bin"


def routes(
    protos: Protos, targets: Mapping[str, str], rest: str, pages: Sequence[Page], origins: Iterable[str]
) -> Json:
    """The route_config: pages, then streams, then calls by their service, and whatever else there is to `rest`.

    A call in JSON has the path of gRPC when it comes here: it was transcoded before.
    """
    streams = [
        {"match": {"path": method.path}, **_to(targets[method.service], stream=True)}
        for method in protos.methods
        if method.streams
    ]
    calls = [{"match": {"prefix": f"/{service}/"}, **_to(target)} for service, target in targets.items()]
    return {
        "max_direct_response_body_size_bytes": max((1, *(len(page.body) for page in pages))),
        "virtual_hosts": [
            {
                "name": "edge",
                "domains": ["*"],
                "typed_per_filter_config": {"cors": _cors(origins)},
                "routes": [*map(_page, pages), _to_docs(), *streams, *calls, {"match": {"prefix": "/"}, **_to(rest)}],
            }
        ],
    }


def _page(page: Page) -> Json:
    headers = {
        "content-type": page.content_type,
        "content-security-policy": page.policy,
        "x-content-type-options": "nosniff",
    }
    return {
        "match": {"path": page.path, "headers": [GET]},
        "direct_response": {"status": 200, "body": {"inline_bytes": base64.b64encode(page.body).decode()}},
        "response_headers_to_add": [
            {"header": {"key": key, "value": value}, "append_action": "OVERWRITE_IF_EXISTS_OR_ADD"}
            for key, value in headers.items()
        ],
        "typed_per_filter_config": {TRANSCODER: NOT_TRANSCODED},
    }


def _to_docs() -> Json:
    """Whoever opens the edge in a browser finds something, also where no page is at the root."""
    return {
        "match": {"path": "/", "headers": [GET]},
        "redirect": {"path_redirect": "/docs", "response_code": "FOUND"},
        "typed_per_filter_config": {TRANSCODER: NOT_TRANSCODED},
    }


def _to(cluster: str, *, stream: bool = False) -> Json:
    """A stream lasts as long as it likes; a call does not. What has not reached a server is tried again."""
    elsewhere = {
        "name": "envoy.retry_host_predicates.previous_hosts",
        "typed_config": typed("envoy.extensions.retry.host.previous_hosts.v3.PreviousHostsPredicate"),
    }
    return {
        "route": {
            "cluster": cluster,
            "timeout": "0s" if stream else f"{CALL_SECONDS}s",
            "retry_policy": {
                "retry_on": "connect-failure,refused-stream,reset-before-request",
                "num_retries": 3,
                "retry_host_predicate": [elsewhere],
                "host_selection_retry_max_attempts": 3,
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
