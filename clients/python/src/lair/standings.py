"""How things stand at one of many seats, and which of them is the most urgent."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from lair._handles import SeatHandle
from lair.errors import LairError
from lair.types import SeatFacts, SessionFacts, State

NEVER = timedelta.max

SeatKeys = Sequence[SeatHandle | tuple[str, str]]
"""Seats by their handles, or by the names of their sessions and their tokens."""


@dataclass(frozen=True, slots=True)
class SeatStanding:
    """How things stand at one seat: one of those that `Client.standings` gives."""

    session_name: str
    """sessions/{id}."""
    token: str = field(repr=False)
    """The seat's key, as it was given: it says which of the seats this is."""
    facts: SessionFacts | None
    """What everybody may know of the session. None with an error."""
    seat: int | None
    """The seat that the token opens. None: the host's place, no token, or an error."""
    server_time: datetime
    """The server's time when it said so (UTC)."""
    error: LairError | None = None
    """Why nothing is known of this one: NotFound, or BadToken, also when the seat was left."""

    @property
    def awaited(self) -> bool:
        """Whether the game waits for this seat."""
        return self._among("awaited")

    @property
    def may_act(self) -> bool:
        """Whether this seat may act."""
        return self._among("may_act")

    def _among(self, which: str) -> bool:
        standing = self.facts.standing if self.facts and self.facts.state is State.PLAYING else None
        return standing is not None and self.seat in getattr(standing, which)

    @property
    def others(self) -> tuple[SeatFacts, ...]:
        """The other seats of its session."""
        return tuple(seat for seat in (self.facts.seats if self.facts else ()) if seat.index != self.seat)

    @property
    def time_left(self) -> timedelta | None:
        """How long it was until the deadline when the server said so. None: there is none."""
        deadline = self.facts.deadline if self.facts else None
        return None if deadline is None else deadline - self.server_time

    @property
    def urgency(self) -> tuple[int, timedelta, float]:
        """What to sort by, the most urgent first, also those of several servers together.

        Those that the game waits for come first, then those that may act, those that others play in, lobbies, sessions
        that have ended, and errors: each by the time that is left, and by how long nothing has happened; of what has
        ended the latest is first.
        """
        if self.facts is None:
            return 5, NEVER, 0.0
        changed = self.facts.update_time.timestamp()
        match self.facts.state:
            case State.LOBBY:
                return 3, NEVER, changed
            case State.OVER | State.ABORTED:
                return 4, NEVER, -changed
        rank = 0 if self.awaited else 1 if self.may_act else 2
        left = self.time_left
        return rank, NEVER if left is None else left, changed
