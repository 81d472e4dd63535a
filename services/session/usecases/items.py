"""What a stream is made of, item by item."""

from enum import IntEnum

from msgspec import Struct

from services.session.domain.session import Revision, Session
from services.session.usecases.reading import Snapshot


class Ending(IntEnum):
    """Why a stream ends. The numbers are the wire's."""

    SESSION_ENDED = 1
    GOING_AWAY = 2


class Told(Struct, frozen=True):
    """The next revision."""

    what: Revision

    @property
    def revision(self) -> int:
        """The reader has it now."""
        return self.what.record.revision


class FactsChanged(Struct, frozen=True):
    """What everybody may know of the session: first of all, and when that changes by something that is no revision."""

    session: Session
    revision: int
    """The last one that the reader has."""


class Heartbeat(Struct, frozen=True):
    """Nothing has happened for a heartbeat."""

    revision: int


class Woken(Struct, frozen=True):
    """A wait is over, and nothing was to be told."""


class Closed(Struct, frozen=True):
    """The last item: why the stream ends, and where to resume."""

    ending: Ending
    revision: int


Shown = FactsChanged | Snapshot | Told | Heartbeat | Closed
"""What a reader is shown."""
Item = Shown | Woken
