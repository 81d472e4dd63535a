"""A server that is asked to go goes in good order; one that can't begin says why in one sentence."""

import signal
import time
from collections.abc import Iterator
from pathlib import Path

import grpc
import pytest
from grpc_health.v1 import health_pb2
from monsters.session.v1 import session_pb2 as wire

from tests.support.processes import Server
from tests.support.servers import PATIENCE, Stubs
from tests.support.sessions import Player, create, session_of, submit, watch

DRAIN = 4.0
"""Seconds for a few calls, also on a busy machine."""
SERVICES = ("", "monsters.session.v1.SessionService", "monsters.cabbages.v1.RulesService")


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    with Server(tmp_path / "lair.db", anew=True, LAIR_DRAIN=str(DRAIN)) as process:
        yield process


@pytest.fixture(scope="module")
def lasting(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One that has a port and a file."""
    with Server(tmp_path_factory.mktemp("lasting") / "lair.db") as process:
        yield process


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_server_goes_in_good_order(server: Server, number: signal.Signals) -> None:
    """Health first; calls are served while load balancers notice; streams are told in-band; then exit 0."""
    assert server.process is not None
    with Stubs(server.address) as stubs:
        created = create(stubs)
        healthy = stubs.health.Watch(health_pb2.HealthCheckRequest(service=SERVICES[1]))
        assert next(healthy).status == health_pb2.HealthCheckResponse.SERVING
        assert all(stubs.serving(service) for service in SERVICES)
        watching = watch(stubs, created)
        assert next(watching).HasField("snapshot")
        with Player(stubs, created, 0) as player:
            player.take()
            server.process.send_signal(number)
            asked = time.monotonic()
            assert next(healthy).status == health_pb2.HealthCheckResponse.NOT_SERVING
            assert not any(stubs.serving(service) for service in SERVICES)
            assert submit(stubs, created, 0).revision == 1, "calls are served during the drain"
            assert create(stubs).session.state == wire.STATE_PLAYING, "new ones, too"
            assert next(watching).update.revision == 1
            assert player.take().update.revision == 1
            told = [message for message in watching if not message.HasField("heartbeat")]
            assert [message.closing for message in told] == [
                wire.Closing(reason=wire.CLOSING_REASON_GOING_AWAY, revision=1)
            ]
            assert player.take().closing == wire.Closing(reason=wire.CLOSING_REASON_GOING_AWAY, revision=1)
            for stream in (watching, player.received):
                assert stream.code() is grpc.StatusCode.OK
    assert server.process.wait(PATIENCE) == 0
    assert time.monotonic() - asked >= DRAIN
    log = server.log.read_text()
    assert "incident" not in log
    assert "Traceback" not in log


@pytest.mark.slow
def test_whoever_was_sent_away_goes_on_with_the_next_server(tmp_path: Path) -> None:
    with Server(tmp_path / "lair.db") as server:
        with Stubs(server.address) as stubs:
            created = create(stubs)
            watching = watch(stubs, created)
            next(watching)
            submit(stubs, created, 0)
            assert server.stop() == 0
            *_, closing = watching
        server.start()
        with Stubs(server.address) as stubs:
            resumed = watch(stubs, created, after_revision=closing.closing.revision)
            submit(stubs, created, 1)
            told = [next(resumed).update.revision for _ in range(2 - closing.closing.revision)]
            assert told == list(range(closing.closing.revision + 1, 3))
            resumed.cancel()
            assert session_of(stubs, created).revision == 2
