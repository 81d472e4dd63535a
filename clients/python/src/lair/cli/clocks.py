"""How long a game still waits, in a few words. Both times are the server's, so that no clock here has to be right."""

from datetime import timedelta
from math import ceil
from typing import Any

from lair import Snapshot, Update

UNITS = (("d", timedelta(days=1)), ("h", timedelta(hours=1)), ("min", timedelta(minutes=1)))


def time_left(now: Snapshot[Any] | Update[Any]) -> str:
    """How long it was until the time-out: "12 s left". Empty where there is none."""
    since = now.server_time if isinstance(now, Snapshot) else now.commit_time
    return "" if now.deadline is None or since is None else f"{in_words(now.deadline - since)} left"


def in_words(span: timedelta) -> str:
    """A span in the largest unit of which there are at least two; what has begun counts."""
    span = max(span, timedelta())
    for name, unit in UNITS:
        if span >= 2 * unit:
            return f"{ceil(span / unit)} {name}"
    return f"{ceil(span.total_seconds())} s"
