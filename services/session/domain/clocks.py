"""What is due in a session, and when: all that follows from its values and the time alone.

Times are in microseconds since 1970, by the service's clock.
"""

from enum import Enum, auto
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # a session sets its own alarm by what is said here
    from services.session.domain.session import Session, Step

LONGEST_ABSENCE = 3_600_000_000
"""In microseconds: a server that was off for longer can't be told from a wall clock that has jumped."""


class Due(Enum):
    """What is to be done for a session."""

    NOTHING = auto()
    STAND_IN = auto()
    """Seats that nobody sits at are asked for their move."""
    TIME_OUT = auto()
    """The turn is over."""
    END = auto()
    """Nobody has touched it for too long."""
    DELETION = auto()
    """It has ended, and was kept long enough."""


def what_is_due(session: "Session", now: int) -> Due:
    """What is to be done now."""
    if due_at(session) > now:
        return Due.NOTHING
    if session.state.ended:
        return Due.DELETION
    if session.touched + session.limits.idle <= now:
        return Due.END
    return Due.STAND_IN if session.unattended else Due.TIME_OUT


def due_at(session: "Session") -> int:
    """When something is due: a stand-in's move, the time-out, the end of an idle session, its deletion."""
    if session.state.ended:
        return session.touched + session.limits.keep
    if session.unattended:
        return min(session.updated + pause_of(session), clock_due_at(session))
    return clock_due_at(session)


def clock_due_at(session: "Session") -> int:
    """When the time-out or the end of an idle session is due, while it is being played or waits for players."""
    idle = session.touched + session.limits.idle
    deadline = session.head.deadline if session.head else None
    return idle if deadline is None else min(idle, deadline)


def pause_of(session: "Session") -> int:
    """How long a stand-in waits after the last change.

    It beats nobody's reflexes, and the turn's clock doesn't beat it. Bots alone wait as well, as somebody may watch
    them; once all people have left, nobody waits for anything.
    """
    people = [seat for seat in session.seats if not seat.bot]
    if people and all(seat.left for seat in people):
        return 0
    turn = session.limits.turn
    return session.limits.stand_in if turn is None else min(session.limits.stand_in, turn // 2)


def deadline_after(session: "Session", step: "Step", now: int, *, by_host: bool) -> int | None:
    """When the time-out is due after a step: the clock runs on through a turn or round, and starts anew with the next.

    A new one is told by the game's stage, or by a seat that was not awaited before. After a time-out it is new as well.
    """
    turn, head = session.limits.turn, session.head
    if turn is None or step.standing.HasField("outcome"):
        return None
    before = head.step.standing if head else None
    same = before is not None and before.stage == step.standing.stage
    if before and head and same and not by_host and {*step.standing.awaited} <= {*before.awaited}:
        return head.deadline
    return now + turn


def standstill(wall: int, seen: int | None) -> int:
    """For how long the clocks of all sessions have stood still, at a start: the last time seen was `seen`.

    When the wall clock is far ahead, nobody knows whether the server was off or the clock has jumped. So that nothing
    ends on the word of a clock that has jumped, the time between counts for nothing.
    """
    gap = wall - (wall if seen is None else seen)
    return gap if gap > LONGEST_ABSENCE else 0
