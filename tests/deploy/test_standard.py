"""The standard shape as processes, started as its manifests say: a rollout under load fails no call."""

import json
import random
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from importlib.util import find_spec
from typing import Self

import pytest

import lair
from services.games import find_games
from tests.support.edge import Web, needs_envoy
from tests.support.pods import Cluster, Pod, cluster

GAMES = tuple(find_games())
MOVES = 5
"""Of each game, before and after."""
PACE = 0.02
"""Seconds between two calls of a player: who doesn't pause keeps the pods from starting, and proves no more."""
ENTRIES = {"session": 50051, "edge": 8080}
"""How callers come in: by gRPC to the sessions, or through Envoy."""
AS_BEHIND_A_CLUSTER_IP = [("grpc.dns_min_time_between_resolutions_ms", 100)]
"""There each new connection goes to a server that is ready; here a client finds one by looking the name up again."""

pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(300),
    pytest.mark.skipif(sys.platform != "linux", reason="elsewhere 127.0.0.0/8 has one address"),
]


@pytest.fixture(scope="module")
def standard(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """A pod of every workload; of the edge only where Envoy has a wheel."""
    with cluster("standard", tmp_path_factory.mktemp("standard")) as made:
        made.start("session", *(f"rules-{game}" for game in GAMES), *(["edge"] if find_spec("envoy") else []))
        yield made


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


@needs_envoy
def test_the_edge_has_a_page(standard: Cluster) -> None:
    (pod,) = standard.pods["edge"]
    answer = Web(f"{pod.host}:{ENTRIES['edge']}").ask("GET", "/")
    assert (answer.status, answer.headers["content-type"]) == (200, "text/html; charset=utf-8")


def test_servers_are_replaced_under_load_and_no_call_fails(standard: Cluster) -> None:
    """As rollouts do it: one more, then one less; the rules of a game and the edge at once.

    Callers come in by gRPC, and through the edge where there is one. Not even the sessions, which retry, see a call
    fail.
    """
    replaced = [f"rules-{GAMES[0]}", *({"edge"} & set(standard.pods))]
    old = [pod for name in replaced for pod in standard.pods[name]]
    assert len(old) == len(replaced)
    entries = [entry for entry in ENTRIES if entry in standard.pods]
    with ExitStack() as stack:
        loads = [
            stack.enter_context(Load(standard.target(entry, ENTRIES[entry]), rules=entry == "edge"))
            for entry in entries
        ]
        for load in loads:
            load.wait(MOVES)
        new = standard.start(*replaced)
        with ThreadPoolExecutor() as pool:
            assert [code for code in pool.map(standard.end, old) if code] == []
        for load in loads:
            load.wait(MOVES)
    assert [load.failures for load in loads] == [[] for _ in loads]
    pods = [*old, *(pod for pods in standard.pods.values() for pod in pods)]
    assert "incident" not in "".join(pod.log for pod in pods)
    servers = [pod for pod in pods if pod.workload.name != "edge"]
    assert all(calls(pod) for pod in (*servers, old[0], new[0]))
    assert went_wrong(servers) == []
