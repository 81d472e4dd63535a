"""What a call can end with instead of an answer, in neutral words: whoever raises one needs no gRPC.

Every failure has one reason and one domain (AIP-193), and what is dynamic in its message is in its metadata, too.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum

from services.kernel.refusals import Flaw

SHARED = "monsters.rules.v1"
"""The domain of the reasons that every service may give."""


class Code(IntEnum):
    """The codes of google.rpc.Code that a failure can have."""

    INVALID_ARGUMENT = 3
    DEADLINE_EXCEEDED = 4
    NOT_FOUND = 5
    PERMISSION_DENIED = 7
    RESOURCE_EXHAUSTED = 8
    FAILED_PRECONDITION = 9
    ABORTED = 10
    INTERNAL = 13
    UNAVAILABLE = 14
    UNAUTHENTICATED = 16


@dataclass(frozen=True, slots=True)
class Violation:
    """What forbids a call that is right in itself: google.rpc.PreconditionFailure.Violation."""

    type: str
    subject: str
    description: str


@dataclass(eq=False)
class Failure(Exception):
    """A call ends with this status."""

    code: Code
    domain: str
    reason: str
    message: str
    metadata: Mapping[str, str] | None = None
    flaws: Sequence[Flaw] = ()
    """The fields that are wrong: google.rpc.BadRequest."""
    violation: Violation | None = None
    """The precondition that does not hold: google.rpc.PreconditionFailure."""
    retry_after: float | None = None
    """Seconds after which to come again: google.rpc.RetryInfo."""

    def __str__(self) -> str:
        """Show what a log or a traceback needs."""
        return f"{self.code.name} {self.domain}/{self.reason}: {self.message}"


def malformed(*flaws: Flaw) -> Failure:
    """The request is wrong whatever the position."""
    return Failure(Code.INVALID_ARGUMENT, SHARED, "MALFORMED_REQUEST", "; ".join(map(str, flaws)), flaws=flaws)


def rate_limited(limit: int, retry_after: float, what: str) -> Failure:
    """Somebody wants more than there is for one caller, or for all: `what` says of which kind, after the number."""
    message = f"{limit} {what} is the limit; come again in {retry_after:g} s"
    return Failure(
        Code.RESOURCE_EXHAUSTED, SHARED, "RATE_LIMITED", message, {"limit": str(limit)}, retry_after=retry_after
    )


def too_slow(seconds: float) -> Failure:
    """A stream has said nothing for so long, and it was its turn."""
    message = f"the stream said nothing for {seconds:g} s"
    return Failure(Code.DEADLINE_EXCEEDED, SHARED, "TOO_SLOW", message, {"seconds": f"{seconds:g}"})


def unexpected(incident: str) -> Failure:
    """Say that we have a defect, and nothing of it: the log has the incident."""
    return Failure(
        Code.INTERNAL, SHARED, "UNEXPECTED", f"a defect of ours, incident {incident}", {"incident": incident}
    )
