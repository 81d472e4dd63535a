"""Several session servers behind one edge: a session has one of them, and another one when that is gone."""

import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import grpc
import pytest
from monsters.session.v1 import session_pb2 as wire
from monsters.session.v1 import session_pb2_grpc

import lair
from tests.support.counted import HEADER, Replica, replicas
from tests.support.edge import Web, edge, needs_envoy
from tests.support.servers import PATIENCE

SERVERS = 3
SESSIONS = 60
"""So many that by chance none of the servers has none."""
ROUNDS = 10
"""Of looks at every session by everybody, while a server goes."""
LOOKERS = 4

pytestmark = needs_envoy


@pytest.fixture
def servers() -> Iterator[list[Replica]]:
    with replicas(SERVERS) as made:
        yield made


@contextmanager
def before(servers: list[Replica]) -> Iterator[tuple[Web, lair.Client]]:
    """An edge before all of them, and a client of it."""
    with edge(",".join(each.address for each in servers)) as web, lair.connect(web.address) as client:
        wait_for_all(servers, client)
        yield web, client


def wait_for_all(servers: list[Replica], client: lair.Client) -> None:
    """Wait until the edge has found all of them well: calls about no session go to each of them by chance."""
    deadline = time.monotonic() + PATIENCE
    while not all(each.asked for each in servers):
        assert time.monotonic() < deadline
        client.games()
    for each in servers:
        each.asked.clear()


def created(client: lair.Client) -> list[str]:
    return [client.create("cabbages", seats=["Ann", "Ben"]).name for _ in range(SESSIONS)]


def test_a_session_has_one_server_whatever_way_its_calls_come(servers: list[Replica]) -> None:
    with before(servers) as (web, client), grpc.insecure_channel(web.address) as channel:
        stub = session_pb2_grpc.SessionServiceStub(channel)
        names = created(client)
        for each in servers:
            assert each.sessions == set(), "a call that creates a session is about none yet"
            assert each.asked, "and goes to any server"
        for name in names:
            assert web.ask("GET", f"/v1/{name}").status == 200
            assert web.ask("GET", f"/v1/{name}/events?pageSize=1").status == 200
            with web.stream(f"/v1/{name}:watch") as messages:
                next(messages)
            client.session(name).snapshot()
            next(iter(client.session(name).watch()))
            stub.GetSession(wire.GetSessionRequest(name=name), metadata=[(HEADER, name)])
    for name in names:
        assert [name in each.sessions for each in servers].count(True) == 1
    for each in servers:
        assert each.sessions
    methods = {method for each in servers for method, session in each.asked if session is not None}
    assert methods == {"GetSession", "GetView", "ListEvents", "WatchSession"}


def test_when_a_server_goes_only_its_sessions_get_another_and_no_call_fails(servers: list[Replica]) -> None:
    with before(servers) as (_, client):
        names = created(client)
        homes = homes_of(client, names, servers)
        gone, *others = servers
        going = threading.Event()

        def look() -> None:
            for number in range(ROUNDS):
                for name in names:
                    client.session(name).snapshot()
                if number == 1:
                    going.set()

        with ThreadPoolExecutor() as pool:
            lookers = [pool.submit(look) for _ in range(LOOKERS)]
            assert going.wait(PATIENCE)
            gone.end()
            for looker in lookers:
                looker.result(PATIENCE)
        after = homes_of(client, names, others)
    assert {home.address for home in homes.values()} == {each.address for each in servers}
    for name, home in homes.items():
        assert after[name] is home or home is gone
    orphans = {name for name, home in homes.items() if home is gone}
    assert all({name for name in orphans if after[name] is each} for each in others), "each of the others takes some"


def homes_of(client: lair.Client, names: list[str], servers: list[Replica]) -> dict[str, Replica]:
    """The server that has each session now."""
    for each in servers:
        each.asked.clear()
    for name in names:
        client.session(name).snapshot()
    homes = {}
    for name in names:
        (homes[name],) = (each for each in servers if name in each.sessions)
    return homes


def test_a_browser_of_another_origin_may_send_the_header(servers: list[Replica]) -> None:
    with before(servers) as (web, _):
        headers = {"origin": "http://localhost:5173", "access_control_request_method": "POST"}
        answer = web.ask("OPTIONS", "/v1/sessions", **headers)
    assert HEADER in answer.headers["access-control-allow-headers"]


def test_a_path_is_believed_before_a_header(servers: list[Replica]) -> None:
    with before(servers) as (web, client):
        name = client.create("cabbages", seats=["Ann", "Ben"]).name
        for other in range(SERVERS * 2):
            assert web.ask("GET", f"/v1/{name}", lair_session=f"sessions/{other}").status == 200
    (home,) = (each for each in servers if each.sessions)
    assert home.sessions == {name}


def test_what_no_session_is_called_is_no_header(servers: list[Replica]) -> None:
    """The servers take less of headers than a path may have."""
    with before(servers) as (web, client):
        long = "x" * 5000
        assert web.ask("GET", f"/v1/sessions/{long}").reason[3] == "MALFORMED_REQUEST"
        for name in (f"sessions/{long}", "sessions/\u00e4\n"):
            with pytest.raises(lair.InvalidRequest):
                client.session(name).snapshot()
    assert all(each.sessions == set() for each in servers)
