"""nginx before the edge, as it comes: HTTP/1.0 behind it, a connection for each request, answers held back in pages."""

import gzip
from collections.abc import Iterator
from http.client import HTTPConnection
from pathlib import Path

import pytest
from monsters.session.v1 import session_pb2 as wire

from services.edge.limits import Rates
from tests.support.edge import Web, edge, needs_envoy, read
from tests.support.nginx import needs_nginx, nginx
from tests.support.servers import PATIENCE, Stubs
from tests.support.sessions import create, play_out, submit, watch
from tests.support.transcoded import Transcoded

pytestmark = [needs_envoy, needs_nginx]
SCRIPT = b"'use strict';\n" * 1000
FEW = 3
MOVES = 4


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("nginx")


@pytest.fixture(scope="module")
def behind(server: Stubs, folder: Path) -> Iterator[Web]:
    """The edge, which knows that one proxy is before it."""
    site = folder / "site"
    site.mkdir()
    (site / "index.html").write_text("<!doctype html>")
    (site / "page.js").write_bytes(SCRIPT)
    with edge(server.address, site=site, rates=Rates(joins=FEW), proxies=1) as web:
        yield web


@pytest.fixture(scope="module")
def front(behind: Web, folder: Path) -> Iterator[Web]:
    with nginx(behind.address, folder) as web:
        yield web


def test_a_game_is_played_through_it_and_watched_as_it_happens(server: Stubs, front: Web) -> None:
    """Each message of a stream is there before anything else happens: nginx would wait for a page of them."""
    with Transcoded(front.address) as stubs:
        created = create(stubs)
        watching = watch(stubs, created)
        assert next(watching).snapshot.revision == 0
        for revision in range(1, MOVES + 1):
            (update,) = play_out(stubs, created, most=1)
            assert update.revision == next(watching).update.revision == revision
        watching.cancel()


def test_grpc_web_comes_through_it_as_it_happens(server: Stubs, front: Web) -> None:
    """That is what the page speaks."""
    created = create(server)
    request = wire.WatchSessionRequest(name=created.session.name).SerializeToString()
    body = b"\0" + len(request).to_bytes(4, "big") + request
    path = "/monsters.session.v1.SessionService/WatchSession"
    connection, response = front.send("POST", path, body, content_type="application/grpc-web+proto")
    try:
        said = wire.WatchSessionResponse()
        while not said.HasField("snapshot"):
            _, *length = response.read(5)
            said = wire.WatchSessionResponse.FromString(response.read(int.from_bytes(length, "big")))
        submit(server, created, created.session.standing.may_act[0])
        _, *length = response.read(5)
        update = wire.WatchSessionResponse.FromString(response.read(int.from_bytes(length, "big"))).update
        assert update.revision == 1
    finally:
        connection.close()


@pytest.mark.parametrize(
    ("verb", "path", "more", "expected"),
    [
        ("GET", "/v1/sessions/7f3k", {}, (404, 5, "monsters.session.v1", "SESSION_NOT_FOUND")),
        ("GET", "/v1/nothing", {}, (404, 5, "lair.edge", "PATH_NOT_FOUND")),
        ("DELETE", "/v1/sessions", {}, (405, 12, "lair.edge", "VERB_NOT_ALLOWED")),
        ("POST", "/v1/sessions", {"content_type": "text/plain"}, (415, 3, "lair.edge", "UNSUPPORTED_MEDIA")),
        ("POST", "/v1/sessions", {}, (400, 3, "monsters.rules.v1", "MALFORMED_REQUEST")),
    ],
)
def test_errors_come_through_it(
    front: Web, verb: str, path: str, more: dict[str, str], expected: tuple[int, int, str, str]
) -> None:
    assert front.ask(verb, path, {} if verb == "POST" else None, **more).reason == expected


@pytest.mark.parametrize("path", ["/", "/page.js", "/docs", "/v1/sessions", "/v1/sessions/7f3k"])
def test_head_comes_through_it(front: Web, path: str) -> None:
    got, head = front.ask("GET", path), front.ask("HEAD", path)
    assert (head.status, head.body, head.headers["content-type"]) == (got.status, b"", got.headers["content-type"])


def test_files_come_through_it_packed_and_once(front: Web) -> None:
    answer = front.ask("GET", "/page.js", accept_encoding="gzip")
    assert gzip.decompress(answer.body) == SCRIPT
    assert front.ask("GET", "/page.js", if_none_match=answer.headers["etag"]).status == 304


def test_each_caller_behind_it_is_told_apart(behind: Web, tmp_path: Path) -> None:
    """With the one line of nginx that says who asks, which is believed where the edge was told of the proxy."""
    line = "proxy_set_header x-forwarded-for $proxy_add_x_forwarded_for;"
    with nginx(behind.address, tmp_path, line) as front:

        def join(source: str) -> int:
            connection = HTTPConnection(front.address, timeout=PATIENCE, source_address=(source, 0))
            # What a caller says by itself stands before what nginx has seen, and is not believed.
            headers = {"content-type": "application/json", "x-forwarded-for": "192.0.2.1"}
            connection.request("POST", "/v1/sessions:join", b"{}", headers)
            try:
                return read(connection.getresponse()).status
            finally:
                connection.close()

        assert [join("127.0.0.1") for _ in range(FEW + 1)] == [400] * FEW + [429]
        assert join("127.0.0.2") == 400
