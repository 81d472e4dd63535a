"""Finding the peak: users are added until the server, or the users' own process, no longer keeps up with them.

A shape for Locust, beside locustfile.py. Each user has a fixed rate, so users are offered load. A schedule doesn't wait
for slow answers: what is achieved falls behind what is offered when something is at its limit.
"""

from locust import LoadTestShape
from locust.runners import MasterRunner

FIRST = 20
"""Users of the first step."""
GROWTH = 1.3
MOST = 500
STEP = 6.0
"""Seconds of a step. The first half is for the new users to arrive."""
STEP_OF_WORKERS = 12.0
"""They report every 3 seconds, so half of it holds two reports of each."""
KEPT_UP = 0.9
"""The share of what is offered that must be achieved. After two steps without, the ramp ends."""


class Ramp(LoadTestShape):
    """Steps of ever more users."""

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]  # Locust has types in part
        self.steps: list[tuple[int, float, float]] = []
        """Users, and calls a second: offered and achieved."""
        self._users = FIRST
        self._behind = 0
        self._started = 0.0
        self._counted: tuple[float, int] | None = None

    def tick(self) -> tuple[int, float] | None:
        """Called by Locust every second."""
        now: float = self.get_run_time()  # type: ignore[no-untyped-call]  # Locust has types in part
        step = STEP_OF_WORKERS if isinstance(self.runner, MasterRunner) else STEP
        if self._counted is None and now - self._started >= step / 2:
            self._counted = (now, self._arrivals())
        if self._counted is not None and now - self._started >= step:
            self._end_step(now, *self._counted)
            self._started, self._counted = now, None
        return None if self._behind > 1 or self._users > MOST else (self._users, self._users)

    def _end_step(self, now: float, since: float, counted: int) -> None:
        assert self.runner
        assert self.runner.environment.parsed_options
        offered = self._users * self.runner.environment.parsed_options.pace
        achieved = (self._arrivals() - counted) / (now - since)
        self.steps.append((self._users, offered, achieved))
        self._behind = 0 if achieved >= KEPT_UP * offered else self._behind + 1
        self._users = round(self._users * GROWTH)

    def _arrivals(self) -> int:
        assert self.runner
        return self.runner.stats.get("lag", "schedule").num_requests
