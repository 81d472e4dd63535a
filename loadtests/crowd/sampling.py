"""Processes looked at from outside while they work: memory and time of the processors."""

import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import Self

import psutil  # type: ignore[import-untyped]  # it ships no types

MEBIBYTE = 2**20
WINDOW = 0.05
"""A figure at some moment is the median of what was seen this share of the run before and after it."""
MOMENTS = {"start": 0.1, "middle": 0.5, "end": 0.95}
"""Shares of the run. What is before the start warms up; what is after the end cleans up."""


@dataclass(frozen=True, slots=True)
class Sample:
    """What was seen at one moment."""

    seconds: float
    """Since the first."""
    memory: float
    """Resident, in MiB."""


@dataclass(slots=True)
class Sampler:
    """Looks at a process and those that it has started, until the context is left."""

    pid: int
    interval: float = 0.5
    """Seconds."""
    samples: list[Sample] = field(default_factory=list)
    processor_share: float = 0.0
    """Seconds of the processors for each second, over the whole time."""
    died: bool = False
    _stop: threading.Event = field(default_factory=threading.Event)
    _thread: threading.Thread | None = None

    def __enter__(self) -> Self:
        self._thread = threading.Thread(target=self._sample, daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        if self._thread:
            self._thread.join()

    def _sample(self) -> None:
        began, before, used = time.monotonic(), _look(self.pid), 0.0
        while before and not self._stop.wait(self.interval):
            now = _look(self.pid)
            if now is None:
                break
            seconds = time.monotonic() - began
            self.samples.append(Sample(seconds, now[0]))
            used = max(used, now[1] - before[1])  # what a child has used is not seen any more when it has ended
            self.processor_share = used / seconds
        self.died = not self._stop.is_set()

    @property
    def memory(self) -> dict[str, float]:
        """MiB at the start, in the middle and at the end."""
        return {moment: around(self.samples, share) for moment, share in MOMENTS.items()}


def around(samples: Sequence[Sample], share: float) -> float:
    """The memory at this share of the run. With few samples it is the nearest one; without any, 0."""
    if not samples:
        return 0.0
    moment, window = samples[-1].seconds * share, samples[-1].seconds * WINDOW
    near = [sample.memory for sample in samples if abs(sample.seconds - moment) <= window]
    return median(near) if near else min(samples, key=lambda sample: abs(sample.seconds - moment)).memory


def _look(pid: int) -> tuple[float, float] | None:
    """Memory in MiB, and seconds of the processors so far. None when the process has ended."""
    try:
        process = psutil.Process(pid)
        if process.status() == psutil.STATUS_ZOMBIE:
            return None
        memory = seconds = 0.0
        for each in (process, *process.children(recursive=True)):
            times = each.cpu_times()
            memory += each.memory_info().rss / MEBIBYTE
            seconds += times.user + times.system
    except psutil.NoSuchProcess:
        return None
    return memory, seconds
