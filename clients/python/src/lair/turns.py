"""A seat that a function plays: what it is asked, and what it may answer."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Generic

from google.protobuf.message import Message

from lair.types import LegalMove, Standing, View


@dataclass(frozen=True, slots=True)
class Turn(Generic[View]):
    """A moment in which a seat may act: what `Seat.run` asks its strategy about."""

    seat: int
    revision: int
    etag: str
    view: View
    """What the seat may know."""
    moves: tuple[LegalMove[Any], ...]
    """Its legal moves: at least one."""
    standing: Standing
    """Whom the game waits for. A seat that may act is not always awaited."""
    deadline: datetime | None = None
    """When the host's time-out is due, by the server's clock (UTC). None: never."""
    time_left: timedelta | None = None
    """How long it was until then when the server said it. None: there is no deadline."""

    @property
    def awaited(self) -> bool:
        """Whether the game waits for this seat: else others can move as well."""
        return self.seat in self.standing.awaited


Answer = str | Message | LegalMove[Any] | None
"""One of the turn's legal moves, its text, or the game's Move; None waits for what comes next."""
Strategy = Callable[[Turn[View]], Answer]
"""What `Seat.run` calls."""
AsyncStrategy = Callable[[Turn[View]], Awaitable[Answer] | Answer]
"""What `AsyncSeat.run` calls: a coroutine function, or a plain one that answers at once."""
