"""The port for probes: two services, the truth about each, and nothing else."""

import asyncio
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc

from services.runtime.addresses import AddressUnusable
from services.runtime.health import PROBE_PATIENCE
from services.runtime.probes import LIVENESS, READINESS
from services.runtime.server import listening
from services.runtime.settings import Settings
from tests.support.processes import Server, free_port
from tests.support.servers import PATIENCE, hosting, running

SERVING = health_pb2.HealthCheckResponse.SERVING
NOT_SERVING = health_pb2.HealthCheckResponse.NOT_SERVING
CREATE = "/monsters.session.v1.SessionService/CreateSession"


@contextmanager
def asking(port: int) -> Iterator[health_pb2_grpc.HealthStub]:
    with grpc.insecure_channel(f"127.0.0.1:{port}") as channel:
        yield health_pb2_grpc.HealthStub(channel)


def said(stub: health_pb2_grpc.HealthStub, service: str) -> int:
    status: int = stub.Check(health_pb2.HealthCheckRequest(service=service), timeout=PATIENCE).status
    return status


def until(stub: health_pb2_grpc.HealthStub, service: str, status: int) -> None:
    deadline = time.monotonic() + PATIENCE
    while said(stub, service) != status:
        assert time.monotonic() < deadline
        time.sleep(0.02)


def code_of(stub: health_pb2_grpc.HealthStub, service: str) -> grpc.StatusCode:
    with pytest.raises(grpc.RpcError) as refused:
        said(stub, service)
    return refused.value.code()


def test_a_server_that_is_well_says_so_and_nothing_else(tmp_path: Path) -> None:
    port = free_port()
    with running(tmp_path / "lair.db", health_address=f"127.0.0.1:{port}"), asking(port) as stub:
        assert said(stub, LIVENESS) == SERVING
        until(stub, READINESS, SERVING)
        for other in ("", "startup", "monsters.session.v1.SessionService"):
            assert code_of(stub, other) is grpc.StatusCode.NOT_FOUND
        with pytest.raises(grpc.RpcError) as refused:
            next(stub.Watch(health_pb2.HealthCheckRequest(), timeout=PATIENCE))
        assert refused.value.code() is grpc.StatusCode.UNIMPLEMENTED


def test_no_call_comes_in_where_probes_do(tmp_path: Path) -> None:
    port = free_port()
    with running(tmp_path / "lair.db", health_address=f"127.0.0.1:{port}"):
        for path in (CREATE, "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo"):
            with grpc.insecure_channel(f"127.0.0.1:{port}") as channel:
                call: grpc.UnaryUnaryMultiCallable[bytes, bytes] = channel.unary_unary(path)
                with pytest.raises(grpc.RpcError) as refused:
                    call(b"", timeout=PATIENCE)
            assert refused.value.code() is grpc.StatusCode.UNIMPLEMENTED


def test_a_server_that_lacks_something_lives_and_is_not_ready() -> None:
    port, there = free_port(), asyncio.Event()

    async def probe() -> bool:
        return there.is_set()

    settings = Settings(address="127.0.0.1:0", health_address=f"127.0.0.1:{port}")
    with hosting(listening(settings, {}, lambda: None, [probe])), asking(port) as stub:
        until(stub, READINESS, NOT_SERVING)
        assert said(stub, LIVENESS) == SERVING
        there.set()
        until(stub, READINESS, SERVING)


def test_what_answers_late_or_never_hides_nothing_else() -> None:
    port, there = free_port(), asyncio.Event()

    async def probe() -> bool:
        return there.is_set()

    async def late() -> bool:
        while not there.is_set():  # noqa: ASYNC110  set by another thread
            await asyncio.sleep(0.01)
        return True

    async def broken() -> bool:
        if there.is_set():
            return True
        raise KeyError("a defect")

    settings = Settings(address="127.0.0.1:0", health_address=f"127.0.0.1:{port}")
    with hosting(listening(settings, {}, lambda: None, [late, probe, broken])), asking(port) as stub:
        begun = time.monotonic()
        until(stub, READINESS, NOT_SERVING)
        assert time.monotonic() - begun < PROBE_PATIENCE, "the late one is given longer"
        there.set()
        until(stub, READINESS, SERVING)


def test_a_port_for_probes_that_is_taken_ends_the_start() -> None:
    port = free_port()
    with running(health_address=f"127.0.0.1:{port}"):
        settings = Settings(address="127.0.0.1:0", health_address=f"127.0.0.1:{port}")
        with pytest.raises(AddressUnusable, match=str(port)), hosting(listening(settings, {}, lambda: None)):
            pytest.fail("it listens")


@pytest.mark.slow
def test_a_server_that_drains_lives_and_is_not_ready(tmp_path: Path) -> None:
    port = free_port()
    with Server(tmp_path / "lair.db", LAIR_DRAIN="4.0", LAIR_HEALTH_ADDRESS=f"127.0.0.1:{port}") as server:
        with asking(port) as stub:
            until(stub, READINESS, SERVING)
            assert server.process is not None
            server.process.send_signal(signal.SIGTERM)
            until(stub, READINESS, NOT_SERVING)
            assert said(stub, LIVENESS) == SERVING, "nobody should end a server that is about to end"
        assert server.process.wait(PATIENCE) == 0
