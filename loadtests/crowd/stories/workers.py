"""Whether every worker of a distributed run was there to the end: Locust itself goes on with the others."""

import logging

import gevent  # type: ignore[import-untyped]  # it ships no types
from locust.env import Environment
from locust.runners import MasterRunner

PATIENCE = 5.0
"""Seconds in which a worker has to be heard of: it sends a heartbeat each second."""
PAUSE = 0.1

log = logging.getLogger(__name__)


class Roll:
    """The workers that have come to a master. One that is lost counts as a failure: its users have stopped early."""

    def __init__(self, environment: Environment, runner: MasterRunner) -> None:
        self._environment = environment
        self._come = set(runner.clients)
        self._heard: set[str] = set()
        environment.events.worker_connect.add_listener(self._on_connect)
        environment.events.heartbeat_sent.add_listener(self._on_heartbeat)
        environment.events.test_stopping.add_listener(self._call)

    def _on_connect(self, client_id: str, **_: object) -> None:
        self._come.add(client_id)

    def _on_heartbeat(self, client_id: str, **_: object) -> None:
        """A heartbeat was answered: so one has come."""
        self._heard.add(client_id)

    def _call(self, **_: object) -> None:
        """Before anybody is told to stop: Locust misses a worker only after seconds, and forgets one that has left."""
        self._heard.clear()
        left = PATIENCE
        while left > 0 and not self._come <= self._heard:
            gevent.sleep(PAUSE)
            left -= PAUSE
        for worker in sorted(self._come - self._heard):
            log.error("worker %s was lost before the end", worker)
            self._environment.stats.log_error("worker", worker, "lost before the end, and its users with it")


def call_the_roll(environment: Environment) -> None:
    """Count every worker that is lost as a failure, where there are workers."""
    if isinstance(environment.runner, MasterRunner):
        Roll(environment, environment.runner)
