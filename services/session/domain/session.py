"""A session, its seats and its revisions. Values: every change is a new one."""

from collections.abc import Mapping
from enum import IntEnum
from typing import Any

from monsters.rules.v1 import opaque_pb2 as opaque
from msgspec import Struct
from msgspec.structs import replace

from services.session.domain.clocks import due_at
from services.session.domain.secrets import CHANCE_VERSION, seed_of

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
        return self in ENDED


ENDED = (State.OVER, State.ABORTED)
"""Every move asks for it several times, and an enum's member costs ten times a name."""


class SeatKind(IntEnum):
    """What sits at a seat. The numbers are the wire's."""

    HUMAN = 1
    BOT = 2


class Seat(Struct, frozen=True):
    """A seat. It is taken when it has a token, or when it is a bot's."""

    name: str
    kind: int
    token_hash: bytes | None = None
    entropy: bytes = b""
    left: bool = False
    """Whether its player has gone, and a stand-in plays it."""

    @property
    def bot(self) -> bool:
        """Whether the server plays it from the start: nobody has its token."""
        return self.kind == SeatKind.BOT

    @property
    def taken(self) -> bool:
        """Whether nobody can sit down there any more."""
        return self.bot or self.token_hash is not None


class Record(Struct, frozen=True):
    """One revision, as the store keeps it. A seat of None is the host, or the start."""

    revision: int
    seat: int | None
    step: Step
    committed: int
    """When, in microseconds since 1970."""
    deadline: int | None = None
    """When the host's time-out is due after it. None: never."""
    rules_version: str = ""
    """The version of the rules that made it."""


class Limits(Struct, frozen=True):
    """The clocks of a session, in microseconds."""

    idle: int
    """How long nobody may touch it: then it is ended without a result."""
    keep: int
    """How long it is kept once it has ended."""
    turn: int | None = None
    """How long the game may wait in one turn or round. None: for ever."""
    stand_in: int = 0
    """How long a stand-in waits after the last change before it moves."""


LONGEST = 2**62
"""Moves: no session has so many."""
NO_LIMITS = Limits(idle=2**57, keep=2**57)
"""Some thousand years: JSON has no duration above ten thousand."""


class Session(Struct, frozen=True):
    """One game being played. `version` changes with every change, `revision` with every move."""

    id: str
    version: int
    game: str
    state: State
    seats: tuple[Seat, ...]
    options: bytes
    rules_version: str
    """The version of the rules that it started with. Empty before the start."""
    server_seed: bytes
    host_hash: bytes
    join_hash: bytes | None
    created: int
    updated: int
    head: Record | None = None
    """The latest revision. None before the start."""
    limits: Limits = NO_LIMITS
    touched: int = 0
    """When somebody last did something: joined, left, moved or ended it. Idleness and keeping count from here."""
    alarm: int = 2**62
    """When the timekeeper looks at it next. Never after something is due; sometimes before."""
    listed: bool = False
    """Whether everybody may find it while it waits for players, and join it by its name."""
    rematch: str = ""
    """The id of its rematch. Empty: none was opened."""
    created_by: bytes | None = None
    """The hash of the id of the request that made it, to be forgotten with it."""
    chance_version: int = CHANCE_VERSION
    """How its seeds are derived: it stays as it was when the session was made."""

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

    def seed_of(self, revision: int) -> bytes:
        """What feeds the draws of a revision."""
        return seed_of(self.server_seed, self.name, revision, self.entropies, self.chance_version)

    @property
    def full(self) -> bool:
        """Whether every seat is taken."""
        return all(seat.taken for seat in self.seats)

    @property
    def unattended(self) -> tuple[int, ...]:
        """The seats that the game waits for and that a stand-in plays: those of bots, and those that were left."""
        if self.state is not State.PLAYING or self.head is None:
            return ()
        awaited = self.head.step.standing.awaited
        return tuple(seat for seat in awaited if self.seats[seat].bot or self.seats[seat].left)

    def after(self, now: int) -> int:
        """The time of a change that is made now. A session's times never go back, whatever clocks do."""
        return max(now, self.updated)

    def with_record(self, record: Record, *, touched: bool = True, longest: int = LONGEST) -> "Session":
        """The session after a revision. Whether somebody touched it: time-outs and stand-ins are nobody.

        What has come to its greatest length is ended without a result.
        """
        if record.step.standing.HasField("outcome"):
            state = State.OVER
        else:
            state = State.PLAYING if record.revision < longest else State.ABORTED
        return self.changed(
            record.committed,
            state=state,
            head=record,
            touched=record.committed if touched or state.ended else self.touched,
        )

    def changed(self, now: int, **changes: Any) -> "Session":
        """The session after a change, with its alarm set."""
        after = replace(self, version=self.version + 1, updated=now, **changes)
        due = due_at(after)
        # An alarm that rings too early costs a look; to move it with each touch would cost an index entry each time.
        # One that has rung already would cost that look at once.
        return after if now < self.alarm <= due else replace(after, alarm=due)


def etag_of(revision: int) -> str:
    """The opaque etag of a revision, quoted as in RFC 9110."""
    return f'"{revision}"'


class Revision:
    """A revision with the session as it is after it, and with the views that were made together with it.

    Compared by identity: what is written of it for one reader is kept for the next, as long as somebody has it.
    """

    __slots__ = ("__weakref__", "record", "session", "views")

    def __init__(
        self, session: Session, record: Record, views: Mapping[int | None, opaque.SeatView] | None = None
    ) -> None:
        self.session = session
        self.record = record
        self.views = views or {}
        """By their seats; a spectator's is that of None."""
