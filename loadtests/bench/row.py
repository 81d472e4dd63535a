"""A row of the table: what is measured against what, how long, and what is to be held."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Literal

from loadtests.measuring.rounds import Contender, Measured, by_turns


@dataclass(frozen=True, slots=True)
class Size:
    """How long and how much to measure."""

    seconds: float
    rounds: int
    stored: int
    """Sessions in a full store."""
    moves: int
    """Moves in an old session."""
    through_edge: bool = False
    """Whether calls come through an edge."""


Table = Literal["rows", "hops", "postgresql", "crosscheck"]
Contenders = Callable[[Size], AbstractContextManager[tuple[Contender, Contender]]]
"""Starts the subject and the baseline."""


@dataclass(frozen=True, slots=True)
class Row:
    """A subject, its baseline, and the goal for their ratio."""

    name: str
    title: str
    against: str
    contenders: Contenders
    at_least: float | None = None
    """Goal for the calls that one second of the servers' processors is good for, against the baseline's."""
    at_most: float | None = None
    """Goal for the time that one call takes of the servers' processors, against the baseline's."""
    of_latencies: bool = False
    """Whether the figures are percentiles of latencies. Such a row has no goal for a ratio."""
    p99_at_most: float | None = None
    """Goal for the last of them, in milliseconds."""
    database_at_most: float | None = None
    """Goal for the time that one call takes of the processors for its database's server, in microseconds."""
    table: Table = "rows"
    """Where it is shown."""
    as_time: bool = False
    """Whether the figures are times of a call also where no goal says so."""
    needs: Callable[[], bool] = lambda: True
    """Whether what it needs is there."""
    missing: str = ""
    """What is said where it isn't."""

    @property
    def is_time(self) -> bool:
        """Whether the figures are times of a call, and less is better. Else they are calls a second."""
        return self.as_time or self.at_most is not None

    def measure(self, size: Size) -> Measured:
        """Start, measure by turns, stop."""
        with self.contenders(size) as (subject, baseline):
            return by_turns(subject, baseline, size.seconds, size.rounds)
