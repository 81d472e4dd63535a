"""Clocks as callers give them: in seconds, or as a timedelta."""

from datetime import timedelta

from google.protobuf.duration_pb2 import Duration
from monsters.session.v1 import session_pb2 as wire

from lair._translation import invalid

Seconds = float | timedelta
"""A span of time."""


def time_limits(
    turn_limit: Seconds | None, idle_limit: Seconds | None, keep: Seconds | None, stand_in: Seconds | None
) -> wire.TimeLimits:
    """The clocks of a new session. Raises InvalidRequest, whose violation names the argument."""
    return wire.TimeLimits(
        turn=_duration("turn_limit", turn_limit),
        idle=_duration("idle_limit", idle_limit),
        keep=_duration("keep", keep),
        stand_in=_duration("stand_in", stand_in),
    )


def _duration(name: str, span: Seconds | None) -> Duration | None:
    if span is None:
        return None
    duration = Duration()
    try:
        duration.FromTimedelta(span if isinstance(span, timedelta) else timedelta(seconds=span))
    except (TypeError, ValueError, OverflowError) as error:  # not a number at all; not a finite one; too large
        raise invalid(name, f"must be a number of seconds or a timedelta, is {span!r}") from error
    return duration
