"""What the operator allows at most, whatever callers wish for."""

from msgspec import Struct

from services.session.domain.session import LONGEST

DAY = 86_400_000_000
"""In microseconds."""


class Bounds(Struct, frozen=True):
    """The largest clocks of a session, in microseconds, and its length."""

    idle: int = 365 * DAY
    """How long nobody may touch it."""
    keep: int = 3650 * DAY
    """How long it is kept once it has ended."""
    length: int = LONGEST
    """How many moves it may have: with the last of them it is ended without a result, unless the game is over."""
