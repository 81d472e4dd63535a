"""What gRPC itself says of a call, without any code of ours, is told with a reason and in HTTP's own terms."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import grpc
import pytest

from tests.support.edge import Web, edge, needs_envoy

pytestmark = needs_envoy
AWAY = (503, 14, "lair.edge", "SERVER_UNAVAILABLE")
FAILED = (500, 13, "lair.edge", "SERVER_FAILED")
EXPECTED = {
    "CANCELLED": AWAY,
    "UNKNOWN": FAILED,
    "DEADLINE_EXCEEDED": (504, 4, "lair.edge", "TOO_SLOW"),
    "RESOURCE_EXHAUSTED": (413, 8, "lair.edge", "TOO_LARGE"),
    "UNIMPLEMENTED": (501, 12, "lair.edge", "NOT_SERVED"),
    "INTERNAL": FAILED,
    "UNAVAILABLE": AWAY,
    "DATA_LOSS": FAILED,
}
RETRIED = {503, 504}


class Curt(grpc.GenericRpcHandler):
    """Answers every call with the status that it is told, and with nothing else."""

    code = grpc.StatusCode.OK

    def service(self, _: grpc.HandlerCallDetails) -> "grpc.RpcMethodHandler[Any, Any]":
        def end(request: bytes, context: grpc.ServicerContext) -> bytes:
            context.abort(self.code, 'it says "so"')

        return grpc.unary_unary_rpc_method_handler(end)


@pytest.fixture(scope="module")
def curt() -> Curt:
    return Curt()


@pytest.fixture(scope="module")
def before(curt: Curt) -> Iterator[Web]:
    server = grpc.server(ThreadPoolExecutor(2), handlers=[curt])
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    try:
        with edge(f"127.0.0.1:{port}") as web:
            yield web
    finally:
        server.stop(None)


@pytest.mark.parametrize("code", EXPECTED)
@pytest.mark.parametrize(
    ("verb", "path"),
    [("GET", "/v1/sessions"), ("POST", "/v1/sessions"), ("GET", "/v1/sessions/7f3k:watch")],
    ids=["read", "write", "stream"],
)
def test_a_status_without_details_gets_a_reason(before: Web, curt: Curt, code: str, verb: str, path: str) -> None:
    curt.code = grpc.StatusCode[code]
    answer = before.ask(verb, path, {} if verb == "POST" else None)
    assert answer.reason == EXPECTED[code]
    retry = [detail["retryDelay"] for detail in answer.json["details"] if detail["@type"].endswith(".RetryInfo")]
    assert retry == (["1s"] if answer.status in RETRIED else [])
    if verb == "GET" and not path.endswith(":watch"):
        head = before.ask("HEAD", path)
        assert (head.status, int(head.headers["content-length"])) == (answer.status, len(answer.body))
