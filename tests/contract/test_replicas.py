"""Two whole servers on one store: what is played on one is watched on the other, every revision once and in order."""

import threading
from collections.abc import Iterator
from contextlib import ExitStack, nullcontext
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.protobuf.duration_pb2 import Duration
from monsters.replicas.v1 import replicas_pb2
from monsters.session.v1 import session_pb2 as wire

from services import app
from services.runtime.settings import Settings
from tests.support.edge import edge, needs_envoy
from tests.support.processes import free_port
from tests.support.refusals import read_error, refusal_of
from tests.support.replicas import CountingStore
from tests.support.servers import PATIENCE, Stubs, hosting, running
from tests.support.sessions import (
    Player,
    abort,
    create,
    endless,
    join,
    new_id,
    open_lobby,
    submit,
    updates_of,
    watch,
    watch_from_the_first,
)

TELL = "/monsters.replicas.v1.HintsService/Tell"
HINTS = replicas_pb2.TellRequest(hints=[replicas_pb2.Hint(session_id="s", version=1)]).SerializeToString()
MOVES = 20
WATCHERS = 10
FAR = 3600.0
"""Seconds of a heartbeat, longer than a server may be told: nothing is found by one."""


class Replicas:
    """Two servers, and the store that they share. It can't be looked into where it is PostgreSQL."""

    def __init__(self, a: Stubs, b: Stubs, store: CountingStore | None) -> None:
        self.a, self.b, self.store = a, b, store


@pytest.fixture(params=["peers", "notify", "notify,peers", "postgresql", "postgresql and peers"])
def replicas(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[Replicas]:
    """Over one store in memory, which counts what it is asked; and over PostgreSQL, also with nothing else set."""
    store: CountingStore | None = None
    addresses = [f"127.0.0.1:{free_port()}" for _ in range(2)]
    chosen: dict[str, Any] = {"peers": ",".join(addresses), "grace": 0}
    if "postgresql" in request.param:
        chosen["database"] = request.getfixturevalue("postgresql_database")
        chosen |= {"hints": "peers"} if "peers" in request.param else {}
    else:
        store = CountingStore()
        monkeypatch.setattr(app, "_opened", lambda _: nullcontext(store))
        chosen["hints"] = request.param
        if "notify" in request.param:
            chosen["hints_database"] = request.getfixturevalue("postgresql_database")
    with ExitStack() as stack:
        for address in addresses:
            settings = Settings(address=address, **chosen).model_copy(update={"heartbeat": FAR})
            stack.enter_context(hosting(app.serving(settings)))
        a, b = (stack.enter_context(Stubs(address)) for address in addresses)
        yield Replicas(a, b, store)


def test_a_watcher_of_one_replica_sees_every_move_that_is_made_on_another(replicas: Replicas) -> None:
    created = create(replicas.b, **endless(100))
    streams = [watch(replicas.a, created) for _ in range(WATCHERS)]
    for stream in streams:
        while not next(stream).HasField("snapshot"):
            pass
    if replicas.store:
        replicas.store.loads = replicas.store.reads = 0
    told: list[list[wire.Update]] = [[] for _ in streams]
    reading = [
        threading.Thread(target=lambda number, stream: told[number].extend(updates_of(stream, MOVES)), args=each)
        for each in enumerate(streams)
    ]
    for thread in reading:
        thread.start()
    for move in range(MOVES):
        submit(replicas.b, created, move % 2, "feed", request_id=new_id())
    for thread in reading:
        thread.join(PATIENCE)
    for updates in told:
        assert [update.revision for update in updates] == list(range(1, MOVES + 1))
        assert updates == told[0]
        assert all(update.HasField("view") for update in updates)
    if replicas.store:
        assert replicas.store.loads <= MOVES + 2, "one look a move at most, however many watch"
        assert replicas.store.reads <= MOVES


def test_players_on_two_replicas_hear_of_each_other(replicas: Replicas) -> None:
    """A player waits for the other one's move on a stream, and not for a heartbeat."""
    created = create(replicas.a, **endless(100))
    streams = [watch(stubs, created) for stubs in (replicas.a, replicas.b)]
    for move in range(MOVES):
        stubs = (replicas.a, replicas.b)[move % 2]
        submit(stubs, created, move % 2, "feed", request_id=new_id())
        for stream in streams:
            (update,) = updates_of(stream, 1)
            assert update.revision == move + 1


def test_what_everybody_may_know_is_heard_of_too(replicas: Replicas) -> None:
    lobby = open_lobby(replicas.a)
    stream = watch(replicas.b, lobby)
    while not next(stream).HasField("snapshot"):
        pass
    join(replicas.a, lobby, display_name="Ann")
    assert next(message for message in stream if message.HasField("session")).session.seats[0].taken
    abort(replicas.a, lobby)
    assert next(message for message in stream if message.HasField("closing"))


@pytest.mark.parametrize("method", ["watch", "play"])
def test_the_deletion_of_a_session_is_heard_of_too(replicas: Replicas, method: str) -> None:
    """Whoever awaits a rematch is told that none will come, on whichever replica, and not by a heartbeat."""
    limits = wire.TimeLimits(keep=Duration(seconds=1))
    created = create(replicas.a, limits=limits)
    streams = [
        watch_from_the_first(stubs, created, await_rematch=True)
        if method == "watch"
        else Player(stubs, created, 0, await_rematch=True).received
        for stubs in (replicas.a, replicas.b)
    ]
    for stream in streams:
        while not next(stream).HasField("snapshot"):
            pass
    abort(replicas.a, created)
    for stream in streams:
        with pytest.raises(grpc.RpcError) as caught:
            list(stream)
        assert read_error(caught.value).reason == "SESSION_NOT_FOUND"


def test_hints_are_heard_from_trusted_networks_alone(tmp_path: Path) -> None:
    chosen = {"hints": "peers", "peers": "127.0.0.1:1"}
    with running(tmp_path / "lair.db", **chosen) as trusting:
        answer = replicas_pb2.TellResponse.FromString(trusting.raw(TELL, HINTS))
        assert answer.replica
        assert refusal_of(lambda: trusting.raw(TELL, b"\xff")).reason == "MALFORMED_REQUEST"
    with running(tmp_path / "lair.db", trusted="10.0.0.0/8", **chosen) as strict:
        refused = refusal_of(lambda: strict.raw(TELL, HINTS))
        assert refused.kind == ("PERMISSION_DENIED", "monsters.replicas.v1", "REPLICAS_ONLY")


def test_a_server_that_hears_no_peers_has_no_such_method(server: Stubs) -> None:
    with pytest.raises(grpc.RpcError) as caught:
        server.raw(TELL, HINTS)
    assert caught.value.code() is grpc.StatusCode.UNIMPLEMENTED


@needs_envoy
def test_no_edge_leads_to_hints(tmp_path: Path) -> None:
    """Not even for callers of this machine, whom the server would hear."""
    with running(tmp_path / "lair.db", hints="peers", peers="127.0.0.1:1") as server:
        assert server.raw(TELL, HINTS)
        with edge(server.address) as web:
            with Stubs(web.address) as through, pytest.raises(grpc.RpcError) as caught:
                through.raw(TELL, HINTS)
            assert read_error(caught.value).kind == ("NOT_FOUND", "lair.edge", "PATH_NOT_FOUND")
            for headers in ({}, {"content_type": "application/grpc-web+proto"}):
                assert web.ask("POST", TELL, {}, **headers).status != 200
