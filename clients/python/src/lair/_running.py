"""Playing a seat by a function: when it is asked, and what its answers become. Pure, once for both shells.

The stream of the seat tells what happens; its end is not the end of the game. Each revision is a turn once at most. A
move is bound to the turn that it was chosen for by its etag, so that one that comes late is not played, and it has a
request_id, so that it is played once however often it is sent.
"""

from typing import Any, Generic

from lair import _calls as calls
from lair._calls import Call
from lair._known import KnownFacts
from lair._translation import cut_off
from lair.changes import WatchItem
from lair.errors import LairError
from lair.playing import after, outcome_of
from lair.turns import Answer, Turn
from lair.types import Outcome, Snapshot, Update, View
from lair.watching import FROM_THE_START, wait_after


class Run(Generic[View]):
    """A seat that is being played."""

    def __init__(self, known: KnownFacts, token: str, seat: int) -> None:
        self._known = known
        self._name = known.latest.name
        self._token = token
        self._seat = seat
        self._seen = FROM_THE_START
        """The last revision that was looked at."""

    def brings(self, item: WatchItem[View]) -> bool:
        """Whether this is a revision that was not looked at yet: then what was asked before is out of date."""
        return isinstance(item, Snapshot | Update) and item.revision > self._seen

    def take(self, item: WatchItem[View]) -> Turn[View] | None:
        """The turn that a revision is for the seat, if it may act then and was not asked yet."""
        if not self.brings(item) or not isinstance(item, Snapshot | Update):
            return None
        if isinstance(item, Update):
            self._known.follow(item)
        now = after(item, self._seat) if isinstance(item, Update) else item
        if now.view is None or now.standing is None:  # it has not started
            return None
        self._seen = now.revision
        if not now.moves:
            return None
        return Turn(
            seat=self._seat,
            revision=now.revision,
            etag=now.etag,
            view=now.view,
            moves=now.moves,
            standing=now.standing,
            deadline=now.deadline,
            time_left=now.time_left,
        )

    def submit(self, turn: Turn[View], answer: Answer) -> Call[Update[View]] | None:
        """The call that plays what was answered, on this turn or not at all. Raises InvalidRequest for no move."""
        if answer is None:
            return None
        return calls.submit(self._name, self._token, self._seat, answer, etag=turn.etag)

    def look(self) -> Call[Snapshot[Any]]:
        """How things stand by now, when a move came too late."""
        return calls.look(self._name, self._token, self._seat)

    def outcome(self) -> Outcome:
        """How the game ended, once its stream has said that it has. Raises WrongState when it was aborted."""
        outcome = outcome_of(self._known.latest)
        if outcome is None:
            raise cut_off("the server says that the session has ended, and not how")
        return outcome


class Insistence:
    """How often a call of a run is made: as patiently as its stream is read."""

    def __init__(self) -> None:
        self._attempts = 0

    def failed(self, error: LairError) -> float:
        """The seconds to wait before the next attempt. Raises the error when another makes no sense."""
        self._attempts += 1
        return wait_after(error, self._attempts)
