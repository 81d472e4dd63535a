"""The servers behind the edge: found by name, asked for their health, left when they drain."""

from services.edge.words import Json, address, typed

MOST_CALLS = 100_000
"""At once, streams too: the servers have limits of their own, and say so in better words."""
BUFFER_BYTES = 1024 * 1024
OPTIONS = "envoy.extensions.upstreams.http.v3.HttpProtocolOptions"


def cluster(target: str, *, sessions: bool) -> Json:
    """Every server of one host:port, or of several with commas between them.

    Those that have sessions share them by a Maglev table: one that comes or goes takes only its own share with it. A
    ring of Envoy's has more places for each server when there are fewer, and so moves sessions of the others, too. A
    call without a session goes to any of them.
    """
    return {
        "name": target,
        "cluster_type": _by_name(),
        "connect_timeout": "2s",
        "lb_policy": "MAGLEV" if sessions else "LEAST_REQUEST",
        "per_connection_buffer_limit_bytes": BUFFER_BYTES,
        # When no server is healthy all are asked: one that drains still serves.
        "common_lb_config": {"healthy_panic_threshold": {"value": 1}},
        "health_checks": [_health()],
        "circuit_breakers": {"thresholds": [_limits()]},
        "typed_extension_protocol_options": {OPTIONS: typed(OPTIONS, explicit_http_config=_http2())},
        "load_assignment": {
            "cluster_name": target,
            "endpoints": [{"lb_endpoints": [{"endpoint": {"address": address(each)}} for each in target.split(",")]}],
        },
    }


def _by_name() -> Json:
    """Every address that the name has: a headless service has one for each server."""
    dns = typed(
        "envoy.extensions.clusters.dns.v3.DnsCluster",
        dns_refresh_rate="5s",
        respect_dns_ttl=True,
        dns_lookup_family="V4_PREFERRED",
    )
    return {"name": "envoy.cluster.dns", "typed_config": dns}


def _health() -> Json:
    """A server that says NOT_SERVING, or nothing, gets no new call within a second. It drains for longer than that.

    What it answers to calls counts for nothing: when the database is away all of them say UNAVAILABLE, and none is
    better than another.
    """
    return {
        "timeout": "2s",
        "interval": "1s",
        "no_traffic_interval": "1s",
        "unhealthy_threshold": 1,
        "healthy_threshold": 1,
        "grpc_health_check": {},
    }


def _limits() -> Json:
    """Of two servers one may be gone: until that is noticed, half of the calls are tried again."""
    return {
        "max_connections": MOST_CALLS,
        "max_pending_requests": MOST_CALLS,
        "max_requests": MOST_CALLS,
        "retry_budget": {"budget_percent": {"value": 50}, "min_retry_concurrency": 10},
    }


def _http2() -> Json:
    """A connection that has died is noticed. The servers take a ping every ten seconds."""
    return {"http2_protocol_options": {"connection_keepalive": {"interval": "15s", "timeout": "5s"}}}
