"""Whom a game waits for, or how it ended."""

from dataclasses import dataclass
from functools import lru_cache

from services.kernel.values import maker

Seat = int


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended. No winners: everybody lost. Several: they share the victory."""

    winners: tuple[Seat, ...]
    scores: tuple[int, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class Standing:
    """The seats that the game waits for, those that may act (a superset), and the outcome once it is over."""

    awaited: tuple[Seat, ...]
    may_act: tuple[Seat, ...]
    outcome: Outcome | None = None
    stage: int = 0
    """Counts what a clock runs for, a turn or a round: when it changes, the clock starts anew."""

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.outcome is not None


make_standing = maker(Standing)


@lru_cache(64)
def every_seat(seats: int) -> tuple[Seat, ...]:
    """The seats of a game for so many."""
    return tuple(range(seats))


def waiting_for(*seats: Seat, stage: int = 0) -> Standing:
    """The standing of a game that waits for these seats, and in which nobody else may act."""
    return make_standing(seats, seats, None, stage)


def ended(outcome: Outcome) -> Standing:
    """The standing of a game that is over."""
    return Standing((), (), outcome)
