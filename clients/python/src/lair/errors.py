"""What can go wrong, as exceptions.

LairError                       .code .reason .domain .metadata .message .retry_after
├── InvalidRequest              wrong whatever the position; .violations names the fields
│   ├── ImpossiblePosition      no game can come to the position
│   ├── WrongGame               another game's move or options
│   └── RequestIdReused         the request_id was used for something else
├── IllegalMove                 the position forbids the move; .reason is the game's, .rule the rule's id
│   ├── NotYourTurn
│   └── GameOver
├── NotPlayed                   a move before it on its chain was refused; nothing is wrong with this one
├── WrongState                  the session forbids it: not started, not over, aborted
│   └── SeatTaken
├── StaleSession                the session has moved on from the etag; .current_etag
├── NotFound                    no such session, join code, game or revision
│   └── NotServed               the server doesn't know the method: it has no such game, or is older
├── PermissionDenied            the token opens something else, or a session that is not listed needs its join code
│   └── BadToken                the token is missing, or opens nothing
├── ResourceExhausted           over a limit; .retry_after says when to come again
│   └── TooMany                 too many calls or streams at once
├── Unavailable                 nobody answers, or not in time; safe to send again with the same request_id
└── ServerError                 a defect of the server
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

import grpc


@dataclass(frozen=True, slots=True)
class Violation:
    """What is wrong with one field, by its path in the request."""

    field: str
    description: str


@dataclass(frozen=True, slots=True)
class Details:
    """Everything that a server says of an error."""

    code: grpc.StatusCode
    message: str
    reason: str = ""
    domain: str = ""
    metadata: Mapping[str, str] = field(default_factory=dict)
    violations: tuple[Violation, ...] = ()
    retry_after: float | None = None


class LairError(Exception):
    """What all errors of this library are."""

    def __init__(self, details: Details) -> None:
        super().__init__(details)
        self.details = details
        self.code: grpc.StatusCode = details.code
        """The gRPC code."""
        self.reason: str = details.reason
        """A name for programs, such as CUP_EMPTY; documented in the proto of the domain. Empty when nobody said one."""
        self.domain: str = details.domain
        """Whose reason it is: a proto package, or "lair" for what was refused before anything was sent."""
        self.metadata: Mapping[str, str] = details.metadata
        """Everything dynamic in the message, for programs."""
        self.message: str = details.message
        """A sentence for people."""
        self.retry_after: float | None = details.retry_after
        """Seconds after which to come again, when the server said so."""

    def __str__(self) -> str:
        return self.message


class InvalidRequest(LairError):
    """The request is wrong whatever the position."""

    @property
    def violations(self) -> tuple[Violation, ...]:
        """The fields that are wrong."""
        return self.details.violations


class ImpossiblePosition(InvalidRequest):
    """No game can come to the position. The violations name every flaw."""


class WrongGame(InvalidRequest):
    """The move or the options are another game's."""


class RequestIdReused(InvalidRequest):
    """The request_id was used for something else."""


class IllegalMove(LairError):
    """The position forbids the move. The reason is the game's own, such as CUP_EMPTY."""

    @property
    def rule(self) -> str:
        """The rule that the move breaks, such as C-R10; `Rules.describe` has its wording. Empty when none is named."""
        return self.metadata.get("rule", "")

    def __str__(self) -> str:
        return f"{self.message.removesuffix('.')} ({self.rule})" if self.rule else self.message


class NotYourTurn(IllegalMove):
    """The seat may not act now."""


class GameOver(IllegalMove):
    """The game is over."""


class NotPlayed(LairError):
    """A move before it on its chain was refused, in the same batch of a simulation. So it was not tried."""


class WrongState(LairError):
    """The session is not in a state for that: see the reason."""


class SeatTaken(WrongState):
    """Every seat is taken, or the one that was asked for."""


class StaleSession(LairError):
    """The session has moved on from the etag. Look again, and decide again."""

    @property
    def current_etag(self) -> str:
        """The session's etag by now."""
        return self.metadata.get("current_etag", "")


class NotFound(LairError):
    """There is no such session, join code, game or revision."""


class NotServed(NotFound):
    """The server doesn't know the method: it doesn't serve the game, or is older than this library."""


class PermissionDenied(LairError):
    """The token opens something else: it is another seat's, or not the host's. Or a join code is required."""


class BadToken(PermissionDenied):
    """The token is missing, or opens nothing there."""


class ResourceExhausted(LairError):
    """Over a limit."""


class TooMany(ResourceExhausted):
    """Too many calls or streams at once."""


class Unavailable(LairError):
    """Nobody answers, or not in time. It is safe to send the same again with the same request_id."""


class ServerError(LairError):
    """A defect of the server. Its log has more: see `metadata`."""
