"""What a call ended with instead of an answer, read from the wire and held to what every error promises (AIP-193)."""

import json
import re
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.protobuf.message import Message
from google.rpc.error_details_pb2 import BadRequest, ErrorInfo, PreconditionFailure, RetryInfo
from google.rpc.status_pb2 import Status
from grpc_status import rpc_status

PROTOS = Path(__file__).parents[2] / "proto" / "monsters"
MOST_BYTES = 4096
RULES = "monsters.rules.v1"
SESSION = "monsters.session.v1"
EDGE = "lair.edge"
"""What the edge says is in no proto: docs/errors.md has its reasons."""
CODES = {code.value[0]: code.name for code in grpc.StatusCode}


@dataclass(frozen=True)
class Refused:
    """One error."""

    code: str
    domain: str
    reason: str
    message: str
    metadata: Mapping[str, str]
    fields: Mapping[str, str]
    """What a BadRequest says of each field."""
    rules: Mapping[str, str]
    """The reasons of a PreconditionFailure, by the rule that is broken."""
    retry_after: float | None
    """Seconds, from a RetryInfo."""

    @property
    def kind(self) -> tuple[str, str, str]:
        """What a caller decides by."""
        return self.code, self.domain, self.reason


def refusal_of(call: Callable[[], Any]) -> Refused:
    """The error that a call ends with; what a stream has sent before it is dropped."""
    with pytest.raises(grpc.RpcError) as caught:
        _drain(call())
    return read_error(caught.value)


def read_error(error: Any) -> Refused:
    """What an error of gRPC says."""
    status = rpc_status.from_call(error)
    assert status is not None, f"{error.code()} without details: {error.details()}"
    assert (status.code, status.message) == (error.code().value[0], error.details())
    return read_status(status)


def read_status(status: Status) -> Refused:
    """One error, also of those that travel within a stream."""
    info, request, precondition, retry = ErrorInfo(), BadRequest(), PreconditionFailure(), RetryInfo()
    known: list[Message] = [info, request, precondition, retry]
    read = Counter(known.index(message) for detail in status.details for message in known if detail.Unpack(message))
    assert read[0] == 1, "every error has one ErrorInfo"
    assert read.total() == len(status.details), "every detail is of a known type"
    assert max(read.values()) == 1, "no type of detail comes twice"
    assert status.ByteSize() < MOST_BYTES
    refused = Refused(
        CODES[status.code],
        info.domain,
        info.reason,
        status.message,
        dict(info.metadata),
        {violation.field: violation.description for violation in request.field_violations},
        {violation.subject: violation.type for violation in precondition.violations},
        retry.retry_delay.ToMilliseconds() / 1000 if retry.HasField("retry_delay") else None,
    )
    _keeps_to_the_proto(refused)
    return refused


@cache
def documented() -> Mapping[tuple[str, str], tuple[str, frozenset[str]]]:
    """The code and the metadata's keys that the protos write beside every reason, by domain and reason."""
    found = {}
    for path in PROTOS.rglob("*.proto"):
        comments = re.findall(r"// ([A-Z_]+)\. (?:(?!\n *[A-Z]).)*?//   (\{.*?\})\n", path.read_text(), re.DOTALL)
        for code, example in comments:
            info = json.loads(example)
            found[info["domain"], info["reason"]] = code, frozenset(info.get("metadata", {}))
    return found


def _keeps_to_the_proto(refused: Refused) -> None:
    assert refused.message, "an error has a sentence for people"
    if refused.domain == EDGE:
        return
    assert (refused.domain, refused.reason) in documented(), "the proto does not know this reason"
    code, keys = documented()[refused.domain, refused.reason]
    assert refused.code == code
    assert set(refused.metadata) == keys


def _drain(answer: Any) -> None:
    if hasattr(answer, "__next__"):
        for _ in answer:
            pass
