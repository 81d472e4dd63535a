"""Calls that gRPC has read, and not handed over: those of a method that is apart wait for one another alone."""

import threading
import time
from collections.abc import Callable

import grpc
import pytest

from services.runtime.server import listening
from services.runtime.settings import Settings
from tests.support.servers import PATIENCE, Stubs, hosting

SERVICE = "lair.test.Queues"
MANY = 60


@pytest.mark.parametrize("apart", [True, False])
def test_a_method_that_is_apart_waits_for_no_calls_of_others(*, apart: bool) -> None:
    begun, sent = list[str](), threading.Event()

    def method(name: str) -> "grpc.RpcMethodHandler[bytes, bytes]":
        async def answer(_: bytes, context: grpc.aio.ServicerContext[bytes, bytes]) -> bytes:
            begun.append(name)
            if name == "Hold":  # and with it the event loop: gRPC goes on to read meanwhile
                sent.wait(PATIENCE)
                time.sleep(0.5)  # noqa: ASYNC251
            return b""

        return grpc.unary_unary_rpc_method_handler(answer)

    handler = grpc.method_handlers_generic_handler(SERVICE, {name: method(name) for name in ("Hold", "List", "Move")})
    settings = Settings(address="127.0.0.1:0", reflection=False)
    paths = [f"/{SERVICE}/Move"] if apart else []
    server = listening(settings, {SERVICE: handler}, lambda: None, apart=paths)
    with hosting(server) as address, Stubs(address) as stubs:

        def call(name: str) -> "grpc.Future[bytes]":
            asked: Callable[..., grpc.Future[bytes]] = stubs.channel.unary_unary(f"/{SERVICE}/{name}").future
            return asked(b"", timeout=PATIENCE)

        calls = [call("Hold"), *(call("List") for _ in range(MANY)), call("Move")]
        sent.set()
        for each in calls:
            assert each.result() == b""
    assert begun.index("Move") < MANY // 2 if apart else begun.index("Move") > MANY // 2
    assert len(begun) == MANY + 2
