"""A reader that goes away while a write waits for its window is nobody's defect."""

import json
import time
from collections.abc import Callable, Iterator
from typing import Any

import grpc
import pytest
from monsters.session.v1 import session_pb2_grpc

from tests.support.processes import Server
from tests.support.servers import PATIENCE, Stubs
from tests.support.sessions import Created, Player, create, endless, feed_on, watch_from_the_first

READERS = 10
MOVES = 700
"""All of them are more than fits into the window of HTTP/2 (64 KiB) and what gRPC takes in advance."""
NARROW = [("grpc.http2.lookahead_bytes", 1024), ("grpc.http2.bdp_probe", 0), ("grpc.use_local_subchannel_pool", 1)]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(tmp_path_factory.mktemp("server") / "lair.db") as process:
        yield process


@pytest.fixture(scope="module")
def played(server: Server) -> Created:
    """A session with a long history, which goes on."""
    with Stubs(server.address) as stubs:
        created = create(stubs, **endless(1000))
        feed_on(stubs, created, MOVES)
        return created


class Narrow(Stubs):
    """Whoever takes in as little as may be in advance."""

    def __init__(self, address: str) -> None:
        super().__init__(address)
        self.channel = grpc.insecure_channel(address, options=NARROW)
        self.sessions = session_pb2_grpc.SessionServiceStub(self.channel)


def watching(stubs: Stubs, created: Created) -> Any:
    return watch_from_the_first(stubs, created, after_revision=0)


def playing(stubs: Stubs, created: Created) -> Any:
    return Player(stubs, created, 0, after_revision=0).received


def cancel(_: grpc.Channel, streams: list[Any]) -> None:
    for stream in streams:
        stream.cancel()


def close(channel: grpc.Channel, _: list[Any]) -> None:
    channel.close()


@pytest.mark.parametrize("leave", [cancel, close])
@pytest.mark.parametrize("read", [watching, playing])
def test_a_reader_that_goes_while_a_write_waits_is_no_incident(
    server: Server,
    played: Created,
    read: Callable[[Stubs, Created], Any],
    leave: Callable[[grpc.Channel, list[Any]], None],
) -> None:
    before = len(told(server))
    stubs = Narrow(server.address)
    streams = [read(stubs, played) for _ in range(READERS)]
    for stream in streams:
        assert next(stream).HasField("session"), "it is open, and nobody reads on"
    time.sleep(0.5)
    leave(stubs.channel, streams)
    deadline = time.monotonic() + PATIENCE
    while len(told(server)) < before + READERS:
        assert time.monotonic() < deadline
        time.sleep(0.05)
    stubs.channel.close()
    assert {(line["event"], line["level"], line.get("code")) for line in told(server)[before:]} == {
        ("call", "info", "CANCELLED")
    }


def told(server: Server) -> list[dict[str, Any]]:
    """What the log says of streams and of trouble."""
    lines = [json.loads(line) for line in server.log.read_text("utf-8").splitlines() if line.startswith("{")]
    streams = ("WatchSession", "PlaySeat")
    return [line for line in lines if line["level"] != "info" or line.get("method", "").endswith(streams)]
