"""The clocks that a caller may ask for, as the domain has them."""

from google.protobuf.duration_pb2 import Duration
from monsters.session.v1 import session_pb2 as wire

from services.session.domain import failures
from services.session.domain.bounds import DAY, Bounds
from services.session.domain.session import Limits

SECOND = 1_000_000
TURN = (SECOND // 10, 30 * DAY)
STAND_IN = (0, 60 * SECOND)


def read_limits(message: wire.TimeLimits, defaults: Limits, bounds: Bounds) -> Limits:
    """The limits, with the server's where a field is absent.

    Raises Failure MALFORMED_REQUEST for an absurd one, and for one beyond the operator's bounds.
    """
    idle, keep = (SECOND, bounds.idle), (SECOND, bounds.keep)
    return Limits(
        idle=_read(message.idle, "idle", idle) if message.HasField("idle") else defaults.idle,
        keep=_read(message.keep, "keep", keep) if message.HasField("keep") else defaults.keep,
        turn=_read(message.turn, "turn", TURN) if message.HasField("turn") else defaults.turn,
        stand_in=_read(message.stand_in, "stand_in", STAND_IN) if message.HasField("stand_in") else defaults.stand_in,
    )


def write_limits(limits: Limits) -> wire.TimeLimits:
    """The limits that a session has."""
    return wire.TimeLimits(
        idle=_write(limits.idle),
        keep=_write(limits.keep),
        turn=None if limits.turn is None else _write(limits.turn),
        stand_in=_write(limits.stand_in),
    )


def _read(duration: Duration, name: str, bounds: tuple[int, int]) -> int:
    least, most = bounds
    microseconds = duration.seconds * SECOND + duration.nanos // 1000
    if not least <= microseconds <= most:
        raise failures.invalid_field(f"limits.{name}", f"must be {least / SECOND:g} to {most // SECOND} seconds")
    return microseconds


def _write(microseconds: int) -> Duration:
    seconds, rest = divmod(microseconds, SECOND)
    return Duration(seconds=seconds, nanos=rest * 1000)
