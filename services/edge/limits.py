"""How often one caller, and all of them together, may do what costs much: create, join, and open streams.

Each Envoy counts by itself. What is under way at once, and what one session may hold, is the servers' to limit.
"""

from dataclasses import dataclass

from services.edge.protos import Method
from services.edge.replies import LIMIT_HEADER, headers_to_add, rate_limited
from services.edge.words import FILTERS, Json, typed

FILTER = "rates"
SESSIONS = "monsters.session.v1.SessionService"
CREATIONS = frozenset({"CreateSession", "CreateRematch"})
JOINS = frozenset({"JoinSession", "JoinRematch"})
TOGETHER = 100
"""How many callers may do as much as one may, at once."""
MOST_CALLERS = 50_000
"""Whose counts are kept: those who were seen last."""
MOST_FILLS = 600
"""A minute: Envoy fills a bucket at most twenty times a second."""
IPV4_BITS, IPV6_BITS = 32, 64
"""What of an address is one caller: whoever has IPv6 has as many addresses as there are in a /64."""
ALL: Json = {"default_value": {"numerator": 100, "denominator": "HUNDRED"}}
KIND = f"{FILTERS}.local_ratelimit.v3.LocalRateLimit"


@dataclass(frozen=True)
class Rates:
    """How often an address may do something in a minute. 0 is as often as it likes."""

    creations: int = 0
    joins: int = 0
    streams: int = 0

    def most(self, method: Method) -> tuple[str, int]:
        """Which of these a method is, and how often it may be called in a minute."""
        if method.service == SESSIONS and method.name in CREATIONS:
            return "creations", self.creations
        if method.service == SESSIONS and method.name in JOINS:
            return "joins", self.joins
        return ("streams", self.streams) if method.streams else ("", 0)


NO_RATES = Rates()


def rate_filter() -> Json:
    """The filter, which does nothing but where a route has limits of its own."""
    return {"name": FILTER, "typed_config": typed(KIND, stat_prefix="edge")}


def limited(what: str, most: int) -> Json:
    """The limits of a route: a minute's worth at once, and then as it comes back, evenly."""
    seconds = 60 / most
    reply = rate_limited(most, max(seconds, 1.0))
    headers = {**reply.grpc_headers, LIMIT_HEADER: str(most), "retry-after": str(max(1, round(seconds)))}
    config = typed(
        KIND,
        stat_prefix=f"edge_{what}",
        token_bucket=_bucket(most, TOGETHER),
        filter_enabled=ALL,
        filter_enforced=ALL,
        rate_limits=[{"actions": [{"masked_remote_address": _caller()}]}],
        descriptors=[{"entries": [{"key": "masked_remote_address"}], "token_bucket": _bucket(most, 1)}],
        max_dynamic_descriptors=MOST_CALLERS,
        rate_limited_as_resource_exhausted=True,
        response_headers_to_add=headers_to_add(headers),
    )
    return {FILTER: config}


def _caller() -> Json:
    return {"v4_prefix_mask_len": IPV4_BITS, "v6_prefix_mask_len": IPV6_BITS}


def _bucket(most: int, callers: int) -> Json:
    at_once = -(-most // MOST_FILLS)
    return {
        "max_tokens": most * callers,
        "tokens_per_fill": at_once * callers,
        "fill_interval": f"{60 * at_once / most:.3f}s",
    }
