"""The standard shape as processes, started as its manifests say: a rollout under load fails no call."""

import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from importlib.util import find_spec

import pytest

from tests.support.edge import Web, needs_envoy
from tests.support.pods import Cluster, cluster
from tests.support.rollouts import GAMES, Load, calls, went_wrong

MOVES = 5
"""Of each game, before and after."""
ENTRIES = {"session": 50051, "edge": 8080}
"""How callers come in: by gRPC to the sessions, or through Envoy."""

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
