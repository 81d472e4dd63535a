"""What a stream is made of, item by item."""

from dataclasses import dataclass
from enum import IntEnum

from services.session.domain.session import Revision, Session
from services.session.usecases.reading import Snapshot


class Ending(IntEnum):
    """Why a stream ends. The numbers are the wire's."""

    SESSION_ENDED = 1
    GOING_AWAY = 2


@dataclass(frozen=True, slots=True)
class Told:
    """The next revision."""

    what: Revision

    @property
    def revision(self) -> int:
        """The reader has it now."""
        return self.what.record.revision


@dataclass(frozen=True, slots=True)
class FactsChanged:
    """What everybody may know of the session: first of all, and when that changes by something that is no revision."""

    session: Session
    revision: int
    """The last one that the reader has."""


@dataclass(frozen=True, slots=True)
class Heartbeat:
    """Nothing has happened for a heartbeat."""

    revision: int


@dataclass(frozen=True, slots=True)
class Woken:
    """A wait is over, and nothing was to be told."""


@dataclass(frozen=True, slots=True)
class Closed:
    """The last item: why the stream ends, and where to resume."""

    ending: Ending
    revision: int


Shown = FactsChanged | Snapshot | Told | Heartbeat | Closed
"""What a reader is shown."""
Item = Shown | Woken
