"""What a watch gives: beside snapshots and revisions, what else everybody may know of a session when it changes."""

from collections.abc import Iterator
from dataclasses import dataclass

from lair.types import SeatFacts, SessionFacts, Snapshot, State, Update, View


@dataclass(frozen=True, slots=True)
class FactsChanged:
    """Something public has changed that is no revision: who sits there, that it was aborted, that it has a rematch."""

    before: SessionFacts
    """What was known before."""
    facts: SessionFacts
    """What everybody may know now."""

    @property
    def joined(self) -> tuple[SeatFacts, ...]:
        """The seats that were taken."""
        return tuple(now for was, now in self._seats() if now.taken and not (was.taken and was.name == now.name))

    @property
    def left(self) -> tuple[SeatFacts, ...]:
        """The seats that were given up, as they were before: each with the name of who has left."""
        return tuple(
            was
            for was, now in self._seats()
            if was.taken and not was.left and (now.left or not now.taken or was.name != now.name)
        )

    @property
    def aborted(self) -> bool:
        """Whether the session was ended without a result."""
        return self.facts.state is State.ABORTED and self.before.state is not State.ABORTED

    @property
    def rematch(self) -> str:
        """The name of the rematch that the host has opened. Empty when this is not what has changed."""
        return self.facts.rematch if self.facts.rematch != self.before.rematch else ""

    def _seats(self) -> Iterator[tuple[SeatFacts, SeatFacts]]:
        return zip(self.before.seats, self.facts.seats, strict=True)


WatchItem = Snapshot[View] | Update[View] | FactsChanged
"""What a watch gives."""
