"""What each caller may take of what costs others something: new sessions, joins, places for spectators."""

from dataclasses import dataclass, field

from services.runtime.admission import Gate
from services.runtime.rates import Rate

NO_RATE = 0
NO_LIMIT = 2**31


def _no_rate() -> Rate:
    return Rate(NO_RATE, NO_RATE)


@dataclass(slots=True)
class Allowances:
    """The operator's, for callers from elsewhere and for all together."""

    creations: Rate = field(default_factory=_no_rate)
    joins: Rate = field(default_factory=_no_rate)
    spectators: Gate = field(default_factory=lambda: Gate(NO_LIMIT))
    """Streams of spectators: fewer than there are in all, so that those who play always get one."""
