"""What all users have: a schedule of Poisson arrivals, a client of their own, games to play, and checks."""

import os
import random
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta

from locust import User, poisson, task
from locust.env import Environment
from locust.exception import RescheduleTask

import lair
from loadtests.crowd.stories.connection import RecordedConnection

SHORT: dict[str, dict[str, object]] = {
    "cabbages": {"max_turns": 40},
    "heads": {"statements": False},
    "sprinkleton": {"max_rounds": 5},
}
"""Options with which games of random moves end soon. A game that isn't named here is played as it is."""
IDLE = timedelta(minutes=10)
KEEP = timedelta(minutes=2)
"""Clocks of every session: what a run leaves behind goes by itself."""


class Wrong(Exception):
    """The server has done something that it must not do."""


class Story(User):
    """One user. Every call waits for the next arrival of a Poisson process: `--pace` of them a second."""

    abstract = True

    def __init__(self, environment: Environment) -> None:
        super().__init__(environment)
        assert environment.host
        assert environment.parsed_options
        self._target = environment.host
        self.chance = random.Random()
        self.connection = self.connect(self.pace)
        self.client = lair.Client(self.connection)
        self._interval = poisson(environment.parsed_options.pace)
        self._due = time.perf_counter()

    def connect(self, pace: Callable[[], None]) -> RecordedConnection:
        """A connection of its own."""
        return RecordedConnection(self._target, pace, self.tell)

    def on_start(self) -> None:
        """Ask what can be played."""
        self.games = self.client.games()

    def on_stop(self) -> None:
        """End every call and stream."""
        self.client.close()

    def play(self) -> None:
        """What this user does, once. Raises Wrong."""
        raise NotImplementedError

    @task
    def play_and_tell(self) -> None:
        """Do it, and record how it went. What was refused against expectation was recorded as a call, too."""
        started = time.perf_counter()
        try:
            self.play()
        except (lair.LairError, Wrong) as error:
            self.tell("story", type(self).__name__, started, error)
            raise RescheduleTask from error
        self.tell("story", type(self).__name__, started)

    # ---- the schedule ---------------------------------------------------------------------------------------------

    def pace(self, calls: int = 1) -> None:
        """Wait for the next arrival, or for so many at once, and record how late it is.

        The schedule doesn't wait for slow answers: who is late makes up for it, and the lag shows it.
        """
        for _ in range(calls):
            self._due += self._interval(self)
        self.wait()  # type: ignore[no-untyped-call]  # Locust has types in part
        self.tell("schedule", "lag", min(self._due, time.perf_counter()))

    def wait_time(self) -> float:
        """How long Locust lets the user wait: until the arrival. Between two stories there is none of its own."""
        return max(0.0, self._due - time.perf_counter())

    # ---- telling --------------------------------------------------------------------------------------------------

    def tell(self, kind: str, name: str, started: float, error: Exception | None = None) -> None:
        """Record what began at this moment, of time.perf_counter, and ends now."""
        self.tell_span(kind, name, time.perf_counter() - started, error)

    def tell_span(self, kind: str, name: str, seconds: float, error: Exception | None = None) -> None:
        """Record what took so long."""
        self.environment.events.request.fire(
            request_type=kind,
            name=name,
            response_time=seconds * 1000,
            response_length=0,
            exception=sentence(error) if error is not None else None,
            context={},
        )

    @contextmanager
    def checking(self, what: str) -> Iterator[None]:
        """Record whether a check holds: Wrong is raised inside when it does not."""
        started = time.perf_counter()
        try:
            yield
        except Wrong as wrong:
            self.tell("check", what, started, wrong)
            raise
        self.tell("check", what, started)

    @contextmanager
    def perhaps_refused(self, reason: str) -> Iterator[None]:
        """What is done inside may be refused by the server, for this reason."""
        self.connection.expected = {reason}
        try:
            yield
        except lair.LairError as error:
            if error.reason != reason or error.domain == "lair":  # the SDK itself has refused to send it
                raise
        finally:
            self.connection.expected = frozenset()

    @contextmanager
    def refused(self, reason: str) -> Iterator[None]:
        """What is done inside must be refused by the server, for this reason. Else it raises Wrong, or the error."""
        accepted = False
        with self.perhaps_refused(reason):
            yield
            accepted = True
        if accepted:
            raise Wrong(f"accepted, where {reason} was due")

    # ---- games ----------------------------------------------------------------------------------------------------

    def create(self, game: str | None = None) -> lair.Session:
        """A session of this game, or of any, with as many seats as chance wants."""
        description = self.chance.choice([each for each in self.games if game in (None, each.token)])
        seats = self.chance.randint(description.min_seats, description.max_seats)
        return self.client.create(
            description.token,
            seats=[f"Seat {number}" for number in range(seats)],
            options=SHORT.get(description.token),
            entropies=[os.urandom(16) for _ in range(seats)],
            idle_limit=IDLE,
            keep=KEEP,
        )

    def verify(self, session: lair.Session, outcome: lair.Outcome) -> None:
        """Check the finished game from its first die to its outcome."""
        with self.checking("game verified"):
            facts = session.facts()
            told = facts.standing and facts.standing.outcome
            if facts.state is not lair.State.OVER or told != outcome:
                raise Wrong(f"{session.name}: ended with {outcome}, and the facts say {facts.state}, {told}")
            verification = session.verify()
            if not verification.ok:
                raise Wrong(f"{session.name}: {verification}")


def sentence(error: Exception) -> str:
    """What is wrong, in one line."""
    if isinstance(error, lair.LairError):
        return f"{type(error).__name__}, {error.code.name} {error.reason}: {error}"
    return str(error)
