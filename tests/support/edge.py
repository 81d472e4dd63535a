"""A real Envoy before a server, and what asks it as a browser or curl would."""

import json
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPResponse
from typing import Any

import pytest

from services.edge.bootstrap import Edge
from services.edge.envoy import Envoy
from services.edge.process import find_envoy
from services.edge.protos import Protos, read_protos
from tests.support.servers import PATIENCE, hosting

READS = ("GET", "HEAD", "OPTIONS")
"""Whatever else is asked is a write, and is JSON."""
needs_envoy = pytest.mark.skipif(find_envoy() is None, reason="Envoy has no wheel for this machine")


@contextmanager
def edge(server: str, protos: Protos | None = None, **more: Any) -> Iterator["Web"]:
    """An Envoy before one server, on a free port. It knows the contract, unless it is given others."""
    chosen = Edge(**{"listen": "127.0.0.1:0", "sessions": server, "rules": server, **more})
    with hosting(_edging(chosen, protos or read_protos())) as address:
        yield Web(address)


@asynccontextmanager
async def _edging(edge: Edge, protos: Protos) -> AsyncIterator[str]:
    program = find_envoy()
    assert program is not None
    envoy = Envoy(program)
    try:
        yield await envoy.start(edge, protos)
    finally:
        await envoy.stop()


@dataclass(frozen=True)
class Answer:
    """What came back."""

    status: int
    headers: Mapping[str, str]
    """By their names in lower case."""
    body: bytes

    @property
    def json(self) -> Any:
        """The body, which says that it is JSON."""
        assert self.headers["content-type"] == "application/json"
        return json.loads(self.body)

    @property
    def reason(self) -> tuple[int, int, str, str]:
        """HTTP status, code, domain and reason of an error in the one body that errors have."""
        assert set(self.json) == {"code", "message", "details"}
        assert self.json["message"]
        (info,) = (detail for detail in self.json["details"] if detail["@type"].endswith(".ErrorInfo"))
        assert set(info) == {"@type", "reason", "domain", "metadata"}
        return self.status, self.json["code"], info["domain"], info["reason"]

    @property
    def fields(self) -> dict[str, str]:
        """What a BadRequest says of each field."""
        (details,) = (detail for detail in self.json["details"] if detail["@type"].endswith(".BadRequest"))
        return {violation["field"]: violation["description"] for violation in details["fieldViolations"]}


class Web:
    """Whoever speaks HTTP with an edge."""

    def __init__(self, address: str) -> None:
        self.address = address

    def ask(self, verb: str, path: str, body: Any = None, token: str | None = None, **headers: str) -> Answer:
        """Ask once. A body that is not bytes is written as JSON."""
        connection, response = self.send(verb, path, body, token, **headers)
        try:
            return read(response)
        finally:
            connection.close()

    @contextmanager
    def stream(self, path: str, token: str | None = None) -> Iterator[Iterator[Any]]:
        """The messages of a stream of server-sent events, as they come."""
        connection, response = self.send("GET", path, token=token)
        try:
            assert response.status == 200, response.read()
            assert response.headers["content-type"] == "text/event-stream"
            yield events(response)
        finally:
            connection.close()

    def send(
        self, verb: str, path: str, body: Any = None, token: str | None = None, **headers: str
    ) -> tuple[HTTPConnection, HTTPResponse]:
        """Send a request, and give the connection, to be closed, and the response before its body."""
        connection = HTTPConnection(self.address, timeout=PATIENCE)
        sent = {} if verb in READS else {"content-type": "application/json"}
        sent |= {name.replace("_", "-"): value for name, value in headers.items()}
        if token is not None:
            sent["authorization"] = f"Bearer {token}"
        raw = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
        connection.request(verb, path, raw, sent)
        return connection, connection.getresponse()


def read(response: HTTPResponse) -> Answer:
    """A whole response."""
    return Answer(response.status, {name.lower(): value for name, value in response.getheaders()}, response.read())


def events(response: HTTPResponse) -> Iterator[Any]:
    """The JSON of each event, as it comes (WHATWG HTML, server-sent events)."""
    for line in response:
        if line.startswith(b"data: "):
            yield json.loads(line[len(b"data: ") :])
        else:
            assert not line.strip(), line
