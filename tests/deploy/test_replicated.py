"""The shape with replicas as processes, on a real PostgreSQL: any of them may go, and no call fails."""

import signal
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

import lair
from services.replicas.database import postgresql
from tests.support.edge import needs_envoy
from tests.support.manifests import DATABASE
from tests.support.pods import Cluster, Pod, cluster
from tests.support.rollouts import GAMES, Load, calls, went_wrong
from tests.support.servers import PATIENCE, hosting

REPLICAS = 3
MOVES = 5
"""Of each game, before and after each replacement."""
SESSIONS = 40
"""So many that by chance none of the servers has none."""
LOOKS = 3
VIEW = "/monsters.session.v1.SessionService/GetView"
ENTRIES = {"session": 50051, "edge": 8080}
"""How callers come in: by gRPC to any of the sessions' servers, or through Envoy."""

pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(300),
    pytest.mark.skipif(sys.platform != "linux", reason="elsewhere 127.0.0.0/8 has one address"),
    needs_envoy,
]


@pytest.fixture(scope="module")
def replicated(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """What the overlay has, with all of its replicas."""
    folder = tmp_path_factory.mktemp("replicated")
    with ExitStack() as stack:
        # PostgreSQL is another user's where we are root, for whom pytest closes its own folders.
        database = Path(stack.enter_context(TemporaryDirectory(prefix="lair-"))) / "postgresql"
        url = stack.enter_context(hosting(postgresql(database)))
        made = stack.enter_context(cluster("replicated", folder, secrets={DATABASE: url}))
        made.complete("migration")
        made.start(*["session"] * REPLICAS, *(f"rules-{game}" for game in GAMES), "edge")
        yield made


def test_a_session_has_one_of_them(replicated: Cluster) -> None:
    with lair.connect(replicated.target("edge", ENTRIES["edge"])) as client:
        wait_for_all(client, pods(replicated))
        sessions = [client.create(GAMES[0], seats=["Ann", "Ben"]) for _ in range(SESSIONS)]
        for session in sessions * LOOKS:
            session.snapshot()
    names = {session.name.removeprefix("sessions/") for session in sessions}
    deadline = time.monotonic() + PATIENCE
    while sum(map(len, looked := looks(replicated, names))) < len(names) * LOOKS:  # a log is written after the answer
        assert time.monotonic() < deadline, looked
        time.sleep(0.1)
    assert all(looked)
    assert sorted(name for each in looked for name in each) == sorted([*names] * LOOKS)
    # A server that answers the edge too late once is passed over for a moment. By chance there would be twice as many.
    assert sum(len(set(each)) for each in looked) < 1.5 * len(names), "hardly any of them was with two servers"


def looks(replicated: Cluster, names: set[str]) -> list[list[str]]:
    """Which of these sessions each server was asked for a view of."""
    return [
        [str(call["session"]) for call in calls(pod) if call["method"] == VIEW and call["session"] in names]
        for pod in pods(replicated)
    ]


def wait_for_all(client: lair.Client, servers: list[Pod]) -> None:
    """Wait until the edge has found all of them well: calls about no session go to each of them by chance."""
    deadline = time.monotonic() + PATIENCE
    while not all("/ListGames" in pod.log for pod in servers):
        assert time.monotonic() < deadline
        client.games()


def test_the_job_may_run_again(replicated: Cluster) -> None:
    replicated.complete("migration")


def test_all_servers_are_replaced_under_load_and_no_call_fails(replicated: Cluster) -> None:
    """As a rollout does it, one more and then one less; callers come in by gRPC, and through the edge."""
    old = pods(replicated)
    before = went_wrong(old)
    with ExitStack() as stack:
        loads = [
            stack.enter_context(Load(replicated.target(entry, port), rules=entry == "edge"))
            for entry, port in ENTRIES.items()
        ]
        for each in old:
            wait(loads)
            replicated.start("session")
            assert replicated.end(each) == 0
        wait(loads)
    new = pods(replicated)
    assert [load.failures for load in loads] == [[] for _ in loads]
    assert not {*old} & {*new}
    assert "incident" not in "".join(pod.log for pod in (*old, *new))
    assert all(calls(pod) for pod in (*old, *new))
    assert [call for call in went_wrong([*old, *new]) if call not in before] == []


def test_one_that_is_killed_takes_no_call_with_it(replicated: Cluster) -> None:
    """The SDK makes again what was under way. A move that was made twice has one effect."""
    with Load(replicated.target("edge", ENTRIES["edge"]), rules=True) as load:
        wait([load])
        killed = pods(replicated)[0]
        killed.kill()
        wait([load])
        replicated.start("session")
        assert replicated.end(killed) == -signal.SIGKILL
        wait([load])
    assert load.failures == []


def pods(cluster: Cluster) -> list[Pod]:
    """Those of the sessions that are there now."""
    return list(cluster.pods["session"])


def wait(loads: list[Load]) -> None:
    for load in loads:
        load.wait(MOVES)
