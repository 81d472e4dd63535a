"""A failure as google.rpc.Status, there and back.

The details stay small: they travel in a trailer, and metadata above 16 KiB breaks the call.
"""

from collections.abc import Iterator, Sequence

from google.protobuf.any_pb2 import Any
from google.protobuf.duration_pb2 import Duration
from google.protobuf.message import Message
from google.rpc.error_details_pb2 import BadRequest, ErrorInfo, PreconditionFailure, RetryInfo
from google.rpc.status_pb2 import Status

from services.kernel.refusals import Flaw
from services.runtime.failure import Code, Failure, Violation

MOST_FLAWS = 16
MOST_FLAW_BYTES = 2048
"""Of all flaws together."""
MOST_TEXT_BYTES = 240


def to_status(failure: Failure) -> Status:
    """The status of a failure: one ErrorInfo, and at most one of each further detail (AIP-193)."""
    status = Status(code=failure.code, message=_short(failure.message))
    for detail in _details(failure):
        packed = Any()
        packed.Pack(detail)
        status.details.append(packed)
    return status


def _details(failure: Failure) -> Iterator[Message]:
    metadata = {key: _short(value) for key, value in (failure.metadata or {}).items()}
    yield ErrorInfo(reason=failure.reason, domain=failure.domain, metadata=metadata)
    if failure.flaws:
        yield BadRequest(field_violations=_violations(failure.flaws))
    if broken := failure.violation:
        violation = PreconditionFailure.Violation(
            type=broken.type, subject=broken.subject, description=_short(broken.description)
        )
        yield PreconditionFailure(violations=[violation])
    if failure.retry_after is not None:
        delay = Duration()
        delay.FromMilliseconds(int(failure.retry_after * 1000))
        yield RetryInfo(retry_delay=delay)


def _violations(flaws: Sequence[Flaw]) -> Iterator[BadRequest.FieldViolation]:
    room = MOST_FLAW_BYTES
    for flaw in flaws[:MOST_FLAWS]:
        violation = BadRequest.FieldViolation(field=_short(flaw.field), description=_short(flaw.description))
        room -= violation.ByteSize()
        if room < 0:
            return
        yield violation


def _short(text: str) -> str:
    raw = text.encode()
    if len(raw) <= MOST_TEXT_BYTES:
        return text
    return raw[: MOST_TEXT_BYTES - len("…".encode())].decode(errors="ignore") + "…"


def from_status(status: Status) -> Failure | None:
    """The failure that a status came from, or None when no service of ours has sent it."""
    info, request, precondition, retry = ErrorInfo(), BadRequest(), PreconditionFailure(), RetryInfo()
    for detail in status.details:
        for message in (info, request, precondition, retry):
            detail.Unpack(message)
    if not info.reason or status.code not in set(Code):
        return None
    return Failure(
        Code(status.code),
        info.domain,
        info.reason,
        status.message,
        dict(info.metadata),
        flaws=tuple(Flaw(violation.field, violation.description) for violation in request.field_violations),
        violation=next((Violation(v.type, v.subject, v.description) for v in precondition.violations), None),
        retry_after=retry.retry_delay.ToMilliseconds() / 1000 if retry.HasField("retry_delay") else None,
    )
