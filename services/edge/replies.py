"""What Envoy says by itself, or a server without saying why, in the form that every error has: google.rpc.Status.

Whoever calls by JSON gets it as the body, whoever calls by gRPC or gRPC-Web as a status with the same details. The
reasons of the domain lair.edge are documented in docs/errors.md.
"""

import base64
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from google.protobuf.any_pb2 import Any as Packed
from google.protobuf.duration_pb2 import Duration
from google.protobuf.json_format import MessageToDict
from google.rpc.error_details_pb2 import ErrorInfo, RetryInfo
from google.rpc.status_pb2 import Status

DOMAIN = "lair.edge"
SHARED = "monsters.rules.v1"
SAID = "%LOCAL_REPLY_BODY%"
"""What Envoy has to say of it."""
SAFE_HEADERS = {"x-content-type-options": "nosniff", "referrer-policy": "no-referrer"}
"""What every answer to a browser has: see also lua/calls.lua, through which nearly all of them go."""
Json = Mapping[str, Any]


@dataclass(frozen=True)
class Reply:
    """What is said with an HTTP status."""

    status: int
    code: int
    reason: str
    message: str
    domain: str = DOMAIN
    retry_seconds: float | None = None
    """After how long the same request may work."""
    metadata: Mapping[str, str] = field(default_factory=dict)

    @property
    def message_of_status(self) -> Status:
        """The same as a message."""
        details = [ErrorInfo(reason=self.reason, domain=self.domain, metadata=self.metadata)]
        retry = [] if self.retry_seconds is None else [RetryInfo(retry_delay=_duration(self.retry_seconds))]
        status = Status(code=self.code, message=self.message)
        for detail in (*details, *retry):
            packed = Packed()
            packed.Pack(detail)
            status.details.append(packed)
        return status

    @property
    def json(self) -> dict[str, Any]:
        """The same as a body."""
        said: dict[str, Any] = MessageToDict(self.message_of_status)
        said["details"][0].setdefault("metadata", {})
        return said

    @property
    def body(self) -> str:
        """The same as the text of a body."""
        return json.dumps(self.json)

    @property
    def grpc_headers(self) -> Mapping[str, str]:
        """The same as gRPC tells it, beside the message."""
        details = base64.b64encode(self.message_of_status.SerializeToString()).decode()
        return {"grpc-status": str(self.code), "grpc-status-details-bin": details}


def _duration(seconds: float) -> Duration:
    duration = Duration()
    duration.FromMilliseconds(int(seconds * 1000))
    return duration


AWAY = Reply(503, 14, "SERVER_UNAVAILABLE", "the server behind the edge doesn't answer", retry_seconds=1)
LARGE = Reply(413, 8, "TOO_LARGE", "the request is larger than the edge takes")
LATE = Reply(504, 4, "TOO_SLOW", "the server behind the edge did not answer in time", retry_seconds=1)
FAILED = Reply(500, 13, "SERVER_FAILED", "the server behind the edge broke the call off")
NOT_SERVED = Reply(501, 12, "NOT_SERVED", "no server behind the edge serves this")
LIMIT_HEADER = "x-ratelimit-limit"
UNREADABLE = Reply(400, 3, "MALFORMED_REQUEST", "the request can't be read", SHARED)

REPLIES = (
    Reply(403, 12, "NOT_SERVED", "the edge makes no other protocol of a connection, such as WebSocket"),
    Reply(404, 5, "PATH_NOT_FOUND", "no method has this path"),
    Reply(408, 4, "TOO_SLOW", "the request did not come to its end in time"),
    LARGE,
    Reply(
        429,
        8,
        "RATE_LIMITED",
        f"more than %RESP({LIMIT_HEADER})% of these in a minute",
        SHARED,
        1,
        {"limit": f"%RESP({LIMIT_HEADER})%"},
    ),
    Reply(431, 8, "TOO_LARGE", "the headers are larger than the edge takes"),
    Reply(500, 8, "TOO_LARGE", "the answer is larger than the edge takes: ask for a smaller page"),
    Reply(501, 12, "NOT_SERVED", "the edge takes no other transfer-encoding than chunked"),
    AWAY,
    LATE,
)
"""By HTTP's status. Whatever else there is below 500 is a request that can't be read, and above it a server away."""
BARE = {1: AWAY, 2: FAILED, 4: LATE, 8: LARGE, 12: NOT_SERVED, 13: FAILED, 14: AWAY, 15: FAILED}
"""By gRPC's code: what a server says that has no details. It is gRPC that speaks then, and none of our code."""


def rate_limited(most: int, seconds: float) -> Reply:
    """Say that a caller has had as many as it may have in a minute."""
    message = f"more than {most} of these in a minute"
    return Reply(429, 8, "RATE_LIMITED", message, SHARED, seconds, {"limit": str(most)})


def local_replies() -> Json:
    """The local_reply_config of a listener: the first mapper that fits is taken."""
    known = [mapper for reply in REPLIES for mapper in _mappers(reply, "EQ", reply.status)]
    unreadable = _mappers(UNREADABLE, "GE", 400, f": {SAID} (%RESPONSE_CODE_DETAILS%)")
    return {"mappers": [_from_strict_json(), *known, *_mappers(AWAY, "GE", 500), *unreadable]}


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


def _mappers(reply: Reply, operator: str, status: int, more: str = "") -> Iterable[Json]:
    """Both forms of a reply. People who write JSON are told more."""
    value = {"value": {"default_value": status, "runtime_key": "unused"}, "op": operator}
    fits = {"status_code_filter": {"comparison": value}}
    yield {
        "filter": {"and_filter": {"filters": [fits, _for_json()]}},
        "body_format_override": {"json_format": {**reply.json, "message": f"{reply.message}{more}"}},
        "headers_to_add": headers_to_add(SAFE_HEADERS),
    }
    # A filter that refuses by itself, as that of the rates, has said more.
    yield {
        "filter": fits,
        "body_format_override": {"text_format_source": {"inline_string": reply.message}},
        "headers_to_add": headers_to_add(reply.grpc_headers, "ADD_IF_ABSENT"),
    }


def headers_to_add(headers: Mapping[str, str], action: str = "OVERWRITE_IF_EXISTS_OR_ADD") -> list[Json]:
    """Headers as Envoy's configuration has them."""
    return [{"header": {"key": key, "value": value}, "append_action": action} for key, value in headers.items()]


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
