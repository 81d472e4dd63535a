"""How often a caller may do what costs others something: so many times at once, and then at an even pace.

The generic cell rate algorithm (ITU-T I.371): of each caller only the time is kept at which it will have paid for all
that it has taken.
"""

import math
from collections.abc import Callable
from time import monotonic

from services.runtime.failure import rate_limited
from services.runtime.origins import Origin

MINUTE = 60.0
MOST_CALLERS = 10_000
"""Of whom something is kept before those are forgotten who owe nothing."""
EVERYBODY = ""


class Rate:
    """So many times a minute for each caller, and for all together. 0 is as often as one likes."""

    def __init__(self, of_a_caller: int, in_all: int, now: Callable[[], float] = monotonic) -> None:
        self._of_a_caller = of_a_caller
        self._in_all = in_all
        self._now = now
        self._paid_at: dict[str, float] = {}

    def take(self, origin: Origin) -> None:
        """Count one more. Raises Failure RATE_LIMITED, which says when to come again; that one does not count.

        The operator's own programs are not limited one by one: a single one may serve everybody.
        """
        now = self._now()
        if len(self._paid_at) > MOST_CALLERS:
            self._paid_at = {caller: at for caller, at in self._paid_at.items() if at > now}
        shares = (
            [(EVERYBODY, self._in_all)]
            if origin.trusted
            else [(origin.key, self._of_a_caller), (EVERYBODY, self._in_all)]
        )
        owed = {caller: self._after_one_more(caller, limit, now) for caller, limit in shares if limit}
        self._paid_at |= owed

    def _after_one_more(self, caller: str, limit: int, now: float) -> float:
        paid_at = max(self._paid_at.get(caller, now), now) + MINUTE / limit
        if paid_at > now + MINUTE + 1e-6:
            raise rate_limited(limit, max(math.ceil((paid_at - now - MINUTE) * 10) / 10, 0.1), "a minute")
        return paid_at
