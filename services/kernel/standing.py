"""Whom a game waits for, or how it ended."""

from functools import lru_cache

from msgspec import Struct

Seat = int


class Outcome(Struct, frozen=True):
    """How a game ended. No winners: everybody lost. Several: they share the victory."""

    winners: tuple[Seat, ...]
    scores: tuple[int, ...]
    reason: str


class Standing(Struct, frozen=True):
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


@lru_cache(64)
def every_seat(seats: int) -> tuple[Seat, ...]:
    """The seats of a game for so many."""
    return tuple(range(seats))


def waiting_for(*seats: Seat, stage: int = 0) -> Standing:
    """The standing of a game that waits for these seats, and in which nobody else may act."""
    return Standing(seats, seats, None, stage)


def ended(outcome: Outcome) -> Standing:
    """The standing of a game that is over."""
    return Standing((), (), outcome)
