"""How laws are tried: a number of examples, and no deadline, since a busy machine breaks no law.

LAIR_EXAMPLES sets which share of them is tried: 1 tries all, 10 ten times as many.
"""

import os

from hypothesis import HealthCheck, settings

SHARE = float(os.environ.get("LAIR_EXAMPLES", "0.3"))
FEWEST = 10
"""Examples of a law that are tried in any case, if it has so many."""


def examples(count: int) -> settings:
    """So many examples of a law, or the share of them that is tried."""
    return exactly(max(round(count * SHARE), min(count, FEWEST)))


def exactly(count: int) -> settings:
    """So many examples of a law, however long each takes."""
    return settings(max_examples=count, deadline=None, suppress_health_check=[HealthCheck.too_slow])
