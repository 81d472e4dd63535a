"""Where callers come in: by gRPC, grpc-web or JSON, on one port."""

import base64
import socket
import sys
from collections.abc import Collection, Sequence

from services.edge.limits import rate_filter
from services.edge.protos import Protos
from services.edge.replies import local_replies
from services.edge.strict_json import render_strict_json
from services.edge.words import FILTERS, TRANSCODER, Json, typed

SILENT_SECONDS = 60
"""How long a stream may be silent: heartbeats come within 15."""
HEADERS_SECONDS = 10
"""How long the headers of a request may take."""
ARRIVING_SECONDS = 15
"""How long a request may take to come in. A stream in both directions is answered before, and has limits of its own."""
IDLE_SECONDS = 300
"""How long a connection is kept on which nothing is asked."""
GONE_SECONDS = 30
"""How long what was sent may wait for a sign of life from a caller."""
HEADER_KILOBYTES = 60
"""Of all headers, with the path: what is larger is not even read. The filter of strict JSON takes much less."""
REQUEST_BYTES = 64 * 1024
"""Of JSON: it is read as a whole. gRPC passes through piece by piece, and has the servers' own limit."""
BUFFER_BYTES = 256 * 1024
"""Of what waits for a slow reader: its server has to wait, too."""
MOST_STREAMS = 1000
"""Of one connection."""
WINDOW_BYTES = 64 * 1024
"""What a stream of HTTP/2 may send before it is read (RFC 9113, section 5.2)."""
TCP_USER_TIMEOUT = 18
"""Linux's name for that (tcp(7)); Python has it there alone."""
ANSWER_BYTES = 32 * 1024 * 1024
"""A page of a thousand positions is a few megabytes of JSON."""
MANAGER = "envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager"
HEALTH = "/healthz"


def listener(
    where: Json, protos: Protos, routes: Json, pages: Collection[str], *, access_log: bool, proxies: int
) -> Json:
    """The listener: what it accepts, and the filters that a call goes through."""
    manager = typed(
        MANAGER,
        stat_prefix="edge",
        codec_type="AUTO",
        use_remote_address=True,
        xff_num_trusted_hops=proxies,
        # The routes append the caller's address: Envoy would put one of this machine's in the place of the loopback's.
        skip_xff_append=True,
        normalize_path=True,
        merge_slashes=True,
        path_with_escaped_slashes_action="REJECT_REQUEST",
        # What nginx sends as it comes.
        http_protocol_options={"accept_http_10": True, "default_host_for_http_10": "edge"},
        common_http_protocol_options={
            "headers_with_underscores_action": "REJECT_REQUEST",
            "idle_timeout": f"{IDLE_SECONDS}s",
            "max_headers_count": 1000,
        },
        http2_protocol_options={
            "max_concurrent_streams": MOST_STREAMS,
            "initial_stream_window_size": WINDOW_BYTES,
            "initial_connection_window_size": 16 * WINDOW_BYTES,
            "connection_keepalive": {"interval": f"{GONE_SECONDS}s", "timeout": "10s"},
        },
        max_request_headers_kb=HEADER_KILOBYTES,
        request_headers_timeout=f"{HEADERS_SECONDS}s",
        request_timeout=f"{ARRIVING_SECONDS}s",
        stream_idle_timeout=f"{SILENT_SECONDS}s",
        local_reply_config=local_replies(),
        route_config=routes,
        http_filters=_filters(protos, pages),
        access_log=[_access_log()] if access_log else [],
    )
    return {
        "name": "edge",
        "address": where,
        # A port that somebody else has must fail at the start, not share the calls at random.
        "enable_reuse_port": False,
        "per_connection_buffer_limit_bytes": BUFFER_BYTES,
        "socket_options": [_given_up()] if sys.platform == "linux" else [],
        "filter_chains": [
            {"filters": [{"name": "envoy.filters.network.http_connection_manager", "typed_config": manager}]}
        ],
    }


def _given_up() -> Json:
    """A network that swallows packets says nothing: TCP alone would go on for a quarter of an hour."""
    return {"level": socket.IPPROTO_TCP, "name": TCP_USER_TIMEOUT, "int_value": round(GONE_SECONDS * 1000)}


def _filters(protos: Protos, pages: Collection[str]) -> Sequence[Json]:
    """What a call goes through, in this order."""
    health = {"pass_through_mode": False, "headers": [{"name": ":path", "string_match": {"exact": HEALTH}}]}
    lua = typed(
        f"{FILTERS}.lua.v3.Lua", default_source_code={"inline_string": render_strict_json(protos, sorted(pages))}
    )
    return [
        {"name": "health", "typed_config": typed(f"{FILTERS}.health_check.v3.HealthCheck", **health)},
        {"name": "cors", "typed_config": typed(f"{FILTERS}.cors.v3.Cors")},
        {"name": "grpc_web", "typed_config": typed(f"{FILTERS}.grpc_web.v3.GrpcWeb")},
        {"name": "strict_json", "typed_config": lua},
        {"name": TRANSCODER, "typed_config": _transcoder(protos)},
        rate_filter(),
        {"name": "router", "typed_config": typed(f"{FILTERS}.router.v3.Router")},
    ]


def _transcoder(protos: Protos) -> Json:
    return typed(
        f"{FILTERS}.grpc_json_transcoder.v3.GrpcJsonTranscoder",
        proto_descriptor_bin=base64.b64encode(protos.stripped()).decode(),
        services=list(protos.services),
        # Else an error has an empty body.
        convert_grpc_status=True,
        request_validation_options={
            # Else a path that nobody has would end in 503.
            "reject_unknown_method": True,
            "reject_unknown_query_parameters": True,
            "reject_binding_body_field_collisions": True,
        },
        print_options={"always_print_primitive_fields": True, "stream_sse_style_delimited": True},
        max_request_body_size=REQUEST_BYTES,
        max_response_body_size=ANSWER_BYTES,
    )


def _access_log() -> Json:
    """A line for each call, without its headers: a token is in one of them."""
    said = {
        "time": "%START_TIME%",
        "verb": "%REQ(:METHOD)%",
        "path": "%REQ(X-ENVOY-ORIGINAL-PATH?:PATH):512%",
        "status": "%RESPONSE_CODE%",
        "grpc_status": "%GRPC_STATUS%",
        "milliseconds": "%DURATION%",
        "server": "%UPSTREAM_HOST%",
        "details": "%RESPONSE_CODE_DETAILS%",
    }
    return {
        "name": "envoy.access_loggers.stdout",
        "typed_config": typed(
            "envoy.extensions.access_loggers.stream.v3.StdoutAccessLog", log_format={"json_format": said}
        ),
    }
