"""Rounds of two contenders by turns, so that a machine that slows down slows down both."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median

WARM_UP = 0.5
"""At most so many seconds before what counts: connections, caches, the first compilations."""


TICK = 0.01
"""Seconds: the kernel counts in these."""


@dataclass(frozen=True, slots=True)
class Sample:
    """One round of one contender."""

    calls: int
    seconds: float
    processor_seconds: float
    latencies: Sequence[float] = ()
    """Seconds that each call took, or in loads that are there for latencies those that they saw. In any order."""
    edge_seconds: float = 0.0
    """Of the processors, for the edge before the server. The figures of the server are without them."""
    database_seconds: float | None = None
    """Of the processors, for a database that is a server of its own. The figures of our server are without them."""

    @property
    def by_processor(self) -> float:
        """Calls for each second that the server was on a processor. A tick at least, so that nothing is infinite."""
        return self.calls / max(self.processor_seconds, TICK)

    @property
    def by_clock(self) -> float:
        """Calls a second."""
        return self.calls / self.seconds


Contender = Callable[[float], Sample]
"""Works for so many seconds."""


@dataclass(frozen=True, slots=True)
class Measured:
    """The rounds of a subject and of its baseline, in pairs."""

    subject: Sequence[Sample]
    baseline: Sequence[Sample]

    def medians(self, of: Callable[[Sample], float]) -> tuple[float, float]:
        """The subject's and the baseline's."""
        return median(map(of, self.subject)), median(map(of, self.baseline))

    def range(self) -> tuple[float, float]:
        """The lowest and the highest ratio of a pair, by the processors' time."""
        ratios = [
            subject.by_processor / baseline.by_processor
            for subject, baseline in zip(self.subject, self.baseline, strict=True)
        ]
        return min(ratios), max(ratios)


def edge_microseconds(samples: Sequence[Sample]) -> float:
    """What the edge took of the processors for each call, over all rounds."""
    return 1e6 * sum(sample.edge_seconds for sample in samples) / sum(sample.calls for sample in samples)


def database_microseconds(samples: Sequence[Sample]) -> float | None:
    """What a database with a server of its own took of the processors for each call: the median of the rounds.

    None where there was no such server.
    """
    taken = [(sample.database_seconds, sample.calls) for sample in samples]
    # A tick at least, so that nothing is nothing.
    figures = [1e6 * max(seconds, TICK) / calls for seconds, calls in taken if seconds is not None]
    return median(figures) if figures else None


def by_turns(subject: Contender, baseline: Contender, seconds: float, rounds: int) -> Measured:
    """A B A B ..., after a round of each that doesn't count."""
    return Measured(*in_turns((subject, baseline), seconds, rounds))


def in_turns(contenders: Sequence[Contender], seconds: float, rounds: int) -> Sequence[Sequence[Sample]]:
    """A B C A B C ..., after a round of each that doesn't count. Gives the samples of each contender."""
    for contender in contenders:
        contender(min(seconds, WARM_UP))
    turns = [[contender(seconds) for contender in contenders] for _ in range(rounds)]
    return list(zip(*turns, strict=True))
