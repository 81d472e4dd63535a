"""People who play on a cluster of pods while its servers are replaced, and what went wrong for them."""

import json
import random
import threading
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from typing import Self

import lair
from services.games import find_games
from tests.support.pods import Pod

GAMES = tuple(find_games())
PACE = 0.1
"""Seconds between two calls of a player: who doesn't pause keeps the pods from starting, and proves no more."""
AS_BEHIND_A_CLUSTER_IP = [("grpc.dns_min_time_between_resolutions_ms", 100)]
"""There each new connection goes to a server that is ready; here a client finds one by looking the name up again."""


class Load:
    """People who play every game, a call after the other, and what went wrong for them."""

    def __init__(self, target: str, *, rules: bool) -> None:
        """Where they come in, and whether the rules are there, too."""
        self.failures: list[lair.LairError] = []
        self.moves: Counter[str] = Counter()
        self._target = target
        self._rules = rules
        self._stop = threading.Event()
        self._threads = [threading.Thread(target=self._play, args=(game,)) for game in GAMES]

    def __enter__(self) -> Self:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        for thread in self._threads:
            thread.join()

    def wait(self, more: int) -> None:
        """Wait until every game has had so many moves more."""
        before = self.moves.copy()
        deadline = time.monotonic() + 60
        while any(self.moves[game] < before[game] + more for game in GAMES):
            assert time.monotonic() < deadline, (before, self.moves, self.failures)
            assert all(thread.is_alive() for thread in self._threads)
            time.sleep(0.05)

    def _play(self, game: str) -> None:
        with lair.connect(self._target, options=AS_BEHIND_A_CLUSTER_IP) as client:
            while not self._stop.is_set():
                try:
                    self._play_one(client, game)
                except lair.LairError as failure:
                    self.failures.append(failure)

    def _play_one(self, client: lair.Client, game: str) -> None:
        session = client.create(game, seats=["Ann", "Ben", "Cleo"])
        while legal := {seat: moves for seat in session.seats if (moves := seat.moves())}:
            self._stop.wait(PACE)
            if self._rules:
                client.rules(game).start(seats=3)
            for seat, moves in legal.items():
                if self._stop.wait(PACE):
                    return
                with suppress(lair.IllegalMove):  # another seat's move came between
                    seat.play(random.choice(moves))
                    self.moves[game] += 1


def calls(pod: Pod) -> list[dict[str, object]]:
    """What a pod's log says of calls."""
    events = (json.loads(line) for line in pod.log.splitlines() if line.startswith("{"))
    return [event for event in events if event["event"] == "call"]


def went_wrong(pods: Sequence[Pod]) -> list[dict[str, object]]:
    """The calls that did not end well. A refusal of the rules did."""
    return [call for pod in pods for call in calls(pod) if call["code"] not in ("OK", "FAILED_PRECONDITION")]
