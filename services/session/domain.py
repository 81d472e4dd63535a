"""A session, its seats, and what a token opens. Values: every change is a new one."""

from dataclasses import dataclass, replace
from enum import IntEnum

from monsters.rules.v1 import opaque_pb2 as opaque

from services.kernel.audience import Audience
from services.session.secrets import opens

Step = opaque.ApplyMoveResponse
"""What one revision led to: position, move, standing, events, draws. The start has the same form without a move."""


class State(IntEnum):
    """Where a session is in its life. The numbers are the wire's."""

    LOBBY = 1
    PLAYING = 2
    OVER = 3
    ABORTED = 4

    @property
    def ended(self) -> bool:
        """Whether nothing more will happen."""
        return self in (State.OVER, State.ABORTED)


@dataclass(frozen=True, slots=True)
class Seat:
    """A seat. It is taken when it has a token."""

    name: str
    kind: int
    token_hash: bytes | None = None
    entropy: bytes = b""

    @property
    def taken(self) -> bool:
        """Whether somebody sits there."""
        return self.token_hash is not None


@dataclass(frozen=True, slots=True)
class Record:
    """One revision, as the store keeps it. A seat of None is the host, or the start."""

    revision: int
    seat: int | None
    step: Step
    committed: int
    """When, in microseconds since 1970."""


@dataclass(frozen=True, slots=True)
class Session:
    """One game being played. `version` changes with every change, `revision` with every move."""

    id: str
    version: int
    game: str
    state: State
    seats: tuple[Seat, ...]
    options: bytes
    rules_version: str
    server_seed: bytes
    host_hash: bytes
    join_hash: bytes | None
    created: int
    updated: int
    head: Record | None = None
    """The latest revision. None before the start."""

    @property
    def name(self) -> str:
        """The resource name (AIP-122)."""
        return f"sessions/{self.id}"

    @property
    def revision(self) -> int:
        """How many moves were accepted. 0 also before the start."""
        return self.head.revision if self.head else 0

    @property
    def etag(self) -> str:
        """The opaque etag of the present revision (AIP-154)."""
        return etag_of(self.revision)

    @property
    def entropies(self) -> tuple[bytes, ...]:
        """What the seats added to the seeds, by seat."""
        return tuple(seat.entropy for seat in self.seats)

    def with_record(self, record: Record) -> "Session":
        """The session after a revision."""
        state = State.OVER if record.step.standing.HasField("outcome") else State.PLAYING
        return replace(self, version=self.version + 1, state=state, updated=record.committed, head=record)


def etag_of(revision: int) -> str:
    """The opaque etag of a revision, quoted as in RFC 9110."""
    return f'"{revision}"'


@dataclass(frozen=True, slots=True)
class Caller:
    """Who calls: the host, a seat, or a spectator, who is neither."""

    seat: int | None = None
    host: bool = False

    @property
    def spectator(self) -> bool:
        """Whether the caller has no token."""
        return self.seat is None and not self.host

    def may_know(self, audience: Audience) -> bool:
        """Whether the caller is in an audience. The host knows what spectators know."""
        return audience.admits(self.seat)


SPECTATOR = Caller()
HOST = Caller(host=True)


def identify(session: Session, token: str | None) -> Caller | None:
    """Who has this token: nobody's is None. All hashes are compared, so that the time tells nothing."""
    if token is None:
        return SPECTATOR
    seats = [opens(token, seat.token_hash) for seat in session.seats]
    if opens(token, session.host_hash):
        return HOST
    return Caller(seats.index(True)) if any(seats) else None
