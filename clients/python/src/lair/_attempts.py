"""How often a call is made, and how long each time is waited: pure, once for both shells.

Every call can safely be made again (see _calls.py), so it is, as long as its timeout lets it: when the server can't be
reached (UNAVAILABLE), goes away (CANCELLED), or says nothing for half of the timeout. Silence counts as a broken
connection, so the next attempt has a new one, and more time, should only the server be slow. An address where nobody
has ever answered is told of soon. gRPC's own retries are not used: they are five at most, and know of no silence.
"""

import random
import time

import grpc

from lair._translation import FOREIGN, LOCAL_ENDS
from lair.errors import LairError, Unavailable

FIRST_WAIT = 0.2
LONGEST_WAIT = 1.0
"""Seconds: a server that is back is found within a second."""
STRANGER_PATIENCE = 5.0
"""Seconds in which somebody must have answered for the first time: so a server that was just started is waited for."""


class Attempts:
    """The attempts of one call, the first of which begins now."""

    def __init__(self, timeout: float, silence: float, *, again: bool = True) -> None:
        self._began = time.monotonic()
        self._ends = self._began + timeout
        self._again = again
        self._length = min(silence, timeout / 2) if again else timeout
        self._due = self._began + self._length
        self._wait = FIRST_WAIT

    @property
    def left(self) -> float:
        """The seconds that are left of this attempt."""
        return max(self._due - time.monotonic(), 0.0)

    @property
    def over(self) -> bool:
        """Whether the time of all attempts is over."""
        return time.monotonic() >= self._ends

    def failed(self, failure: LairError, *, met: bool) -> float:
        """The seconds to wait before the next attempt. Raises the failure when another one makes no sense."""
        now = time.monotonic()
        stranger = not met and failure.code is grpc.StatusCode.UNAVAILABLE
        ends = min(self._ends, self._began + STRANGER_PATIENCE) if stranger else self._ends
        wait = max(self._wait * random.uniform(0.8, 1.2), failure.retry_after or 0.0)  # noqa: S311  it hides nothing
        if not self._again or not passes(failure) or now + wait >= ends:
            raise failure
        self._wait = min(self._wait * 2, LONGEST_WAIT)
        self.next(wait)
        return wait

    def next(self, wait: float) -> None:
        """Let the next attempt begin after so many seconds. It has twice the time of this one, while there is time."""
        self._length *= 2
        self._due = min(time.monotonic() + wait + self._length, self._ends)


def passes(failure: LairError) -> bool:
    """Whether the same call may go better a little later."""
    return isinstance(failure, Unavailable) and failure.reason not in LOCAL_ENDS | FOREIGN
