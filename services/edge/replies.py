"""What Envoy says by itself, in the body that every error has: google.rpc.Status as JSON.

The reasons of the domain lair.edge are documented in docs/errors.md. Whoever calls by gRPC gets a status as ever.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

DOMAIN = "lair.edge"
DETAILS = "type.googleapis.com/google.rpc."
SAID = "%LOCAL_REPLY_BODY%"
"""What the filter that refuses has to say of it."""
Json = Mapping[str, Any]


@dataclass(frozen=True)
class Reply:
    """What an HTTP status of Envoy's own becomes."""

    status: int
    code: int
    reason: str
    message: str = SAID
    domain: str = DOMAIN
    retry: bool = False
    """Whether the same request may work a moment later."""


REPLIES = (
    Reply(400, 3, "MALFORMED_REQUEST", domain="monsters.rules.v1"),
    Reply(404, 5, "PATH_NOT_FOUND"),
    Reply(408, 4, "TOO_SLOW", "the request did not come to its end in time"),
    Reply(413, 8, "TOO_LARGE", "the request is larger than the edge takes"),
    Reply(431, 8, "TOO_LARGE", "the headers are larger than the edge takes"),
    Reply(500, 8, "TOO_LARGE", "the answer is larger than the edge takes: ask for a smaller page"),
    Reply(503, 14, "SERVER_UNAVAILABLE", "the server behind the edge doesn't answer", retry=True),
    Reply(504, 4, "TOO_SLOW", "the server behind the edge did not answer in time", retry=True),
)


def local_replies() -> Json:
    """The local_reply_config of a listener."""
    return {"mappers": [_from_strict_json(), *(_mapper(reply) for reply in REPLIES)]}


def _from_strict_json() -> Json:
    """The filter of strict JSON writes whole bodies."""
    said = {"filter": DOMAIN, "path": [{"key": "said"}], "value": {"present_match": True}}
    return {
        "filter": {"metadata_filter": {"matcher": said, "match_if_key_not_found": False}},
        "body_format_override": {
            "text_format_source": {"inline_string": SAID},
            "content_type": "application/json",
        },
    }


def _mapper(reply: Reply) -> Json:
    details: list[Json] = [
        {"@type": f"{DETAILS}ErrorInfo", "reason": reply.reason, "domain": reply.domain, "metadata": {}}
    ]
    if reply.retry:
        details.append({"@type": f"{DETAILS}RetryInfo", "retryDelay": "1s"})
    status = {"value": {"default_value": reply.status, "runtime_key": "unused"}, "op": "EQ"}
    return {
        "filter": {"and_filter": {"filters": [{"status_code_filter": {"comparison": status}}, _for_json()]}},
        "body_format_override": {"json_format": {"code": reply.code, "message": reply.message, "details": details}},
    }


def _for_json() -> Json:
    """Requests that came as JSON: either not as gRPC, or transcoded, and then their first path was kept."""
    grpc = {"name": "content-type", "string_match": {"prefix": "application/grpc"}}
    return {
        "or_filter": {
            "filters": [
                {"header_filter": {"header": {**grpc, "invert_match": True, "treat_missing_header_as_empty": True}}},
                {"header_filter": {"header": {"name": "x-envoy-original-path", "present_match": True}}},
            ]
        }
    }
