"""HTTP as it comes: old proxies, HEAD, bytes that are no HTTP, headers without end, writes from foreign pages."""

import gzip
import json
import select
import socket
import time
from collections.abc import Iterator

import pytest
from monsters.cabbages.v1 import rules_service_pb2 as service
from monsters.session.v1 import session_pb2 as wire

from services.edge.strict_json import HEADER_BYTES
from tests.support.edge import Answer, Web, edge, needs_envoy
from tests.support.refusals import refusal_of
from tests.support.servers import PATIENCE, Stubs
from tests.support.sessions import Created, create

pytestmark = needs_envoy
UNREADABLE = (400, 3, "monsters.rules.v1", "MALFORMED_REQUEST")
LARGE = (431, 8, "lair.edge", "TOO_LARGE")
PARTS, BETWEEN_PARTS = 150, 0.1
"""How often something trickles, and after how many seconds: for a good while longer than a request may take."""
NEW = {"game": "cabbages", "seats": [{}, {}]}


@pytest.fixture(scope="module")
def created(server: Stubs) -> Created:
    return create(server)


@pytest.fixture(scope="module")
def hasty(server: Stubs) -> Iterator[Web]:
    """An edge that waits for nobody."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("services.edge.listener.ARRIVING_SECONDS", 1)
        with edge(server.address) as opened:
            yield opened


def raw(web: Web, request: bytes, trickle: bytes = b"") -> tuple[str, Answer]:
    """What bytes are answered: the version of HTTP, and the answer. What trickles comes until there is an answer."""
    host, _, port = web.address.rpartition(":")
    with socket.create_connection((host, int(port)), PATIENCE) as connection:
        connection.sendall(request)
        for _ in range(PARTS if trickle else 0):
            if select.select([connection], [], [], BETWEEN_PARTS)[0]:
                break
            connection.sendall(trickle)
        else:
            assert not trickle, "nobody loses patience"
        said = b""
        while b"\r\n\r\n" not in said or len(body_of(said)) < length_of(said):
            part = connection.recv(65536)
            if not part:
                break
            said += part
    head, _, body = said.partition(b"\r\n\r\n")
    first, *lines = head.decode().splitlines()
    version, status, *_ = first.split(" ")
    headers = {name.lower(): value for name, value in (line.split(": ", 1) for line in lines)}
    return version, Answer(int(status), headers, body)


def body_of(said: bytes) -> bytes:
    return said.partition(b"\r\n\r\n")[2]


def length_of(said: bytes) -> float:
    for line in said.partition(b"\r\n\r\n")[0].splitlines():
        name, _, value = line.partition(b": ")
        if name.lower() == b"content-length":
            return int(value)
    return float("inf")


def test_http_1_0_is_answered_in_kind(web: Web, created: Created) -> None:
    """Also without a host, which it does not know."""
    version, answer = raw(web, f"GET /v1/{created.session.name} HTTP/1.0\r\n\r\n".encode())
    assert (version, answer.status) == ("HTTP/1.0", 200)
    assert answer.json["session"]["name"] == created.session.name
    assert answer.headers["connection"] == "close"
    body = json.dumps(NEW).encode()
    head = f"POST /v1/sessions HTTP/1.0\r\ncontent-type: application/json\r\ncontent-length: {len(body)}\r\n\r\n"
    assert raw(web, head.encode() + body)[1].json["session"]["game"] == "cabbages"
    assert raw(web, b"GET /v1/sessions/7f3k HTTP/1.0\r\n\r\n")[1].reason[3] == "SESSION_NOT_FOUND"


@pytest.mark.parametrize(
    "path", ["/docs", "/openapi.json", "/", "/v1/sessions", "/v1/games/cabbages", "/v1/sessions/7f3k", "/v1/nothing"]
)
def test_head_is_get_without_a_body(web: Web, path: str) -> None:
    """The connection is fit for the next request: nothing of a body was left on it."""
    got, head = web.ask("GET", path), web.ask("HEAD", path)
    changing = {"date", "x-envoy-upstream-service-time", "transfer-encoding"}
    assert (head.status, head.body) == (got.status, b"")
    for name in set(got.headers) - changing - ({"content-length"} if not got.body else set()):
        assert head.headers[name] == got.headers[name], name
    twice = f"HEAD {path} HTTP/1.1\r\nhost: x\r\n\r\nGET /healthz HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n"
    _, answer = raw(web, twice.encode())
    assert answer.status == got.status
    assert answer.body.startswith(b"HTTP/1.1 200")


def test_head_of_a_stream_ends(web: Web, created: Created) -> None:
    answer = web.ask("HEAD", f"/v1/{created.session.name}:watch")
    assert (answer.status, answer.headers["content-type"]) == (200, "text/event-stream")


HOST = b" HTTP/1.1\r\nhost: x\r\n"
JSON = b"content-type: application/json\r\n"
CHUNKED = b"transfer-encoding: chunked\r\n"
NO_HTTP = {
    "a header without a colon": b"GET / HTTP/1.1\r\nnonsense\r\n\r\n",
    "nonsense": b"nonsense\r\n\r\n",
    "no host": b"GET /v1/sessions HTTP/1.1\r\n\r\n",
    "a path with a slash that is escaped": b"GET /v1/sessions%2f7f3k" + HOST + b"\r\n",
    "a path with a nought": b"GET /v1/sessions%00" + HOST + b"\r\n",
    "a path with a fragment": b"GET /v1/sessions#x" + HOST + b"\r\n",
    "a header with an underscore": b"GET /v1/sessions" + HOST + b"a_b: 1\r\n\r\n",
    "a nought in a header": b"GET /v1/sessions" + HOST + b"a: \0\r\n\r\n",
    "two lengths": b"POST /v1/sessions" + HOST + JSON + CHUNKED + b"content-length: 1\r\n\r\n0\r\n\r\n",
    "a length below nought": b"POST /v1/sessions" + HOST + JSON + b"content-length: -1\r\n\r\n",
    "a chunk without a length": b"POST /v1/sessions" + HOST + JSON + CHUNKED + b"\r\nzz\r\n",
}


@pytest.mark.parametrize("case", NO_HTTP)
def test_what_is_no_http_is_told_in_json(web: Web, case: str) -> None:
    _, answer = raw(web, NO_HTTP[case])
    assert answer.reason == UNREADABLE
    assert answer.json["message"].startswith("the request can't be read: ")


@pytest.mark.parametrize(
    ("request_line", "header", "expected"),
    [
        ("GET /v1/sessions", "connection: upgrade\r\nupgrade: websocket", (403, 12, "lair.edge", "NOT_SERVED")),
        ("POST /v1/sessions", "transfer-encoding: gzip", (501, 12, "lair.edge", "NOT_SERVED")),
        ("CONNECT a:1", "x: y", (404, 5, "lair.edge", "PATH_NOT_FOUND")),
        ("OPTIONS *", "x: y", (404, 5, "lair.edge", "PATH_NOT_FOUND")),
        ("TRACE /v1/sessions", "x: y", (405, 12, "lair.edge", "VERB_NOT_ALLOWED")),
    ],
)
def test_what_the_edge_does_not_speak_is_told_in_json(
    web: Web, request_line: str, header: str, expected: tuple[int, int, str, str]
) -> None:
    _, answer = raw(web, f"{request_line} HTTP/1.1\r\nhost: x\r\n{header}\r\n\r\n".encode())
    assert answer.reason == expected


@pytest.mark.parametrize("size", [HEADER_BYTES, 16_000, 20_000, 40_000, 60_000, 70_000])
def test_headers_that_are_too_large_are_told_in_json(web: Web, size: int) -> None:
    """Wherever in them it is."""
    assert web.ask("GET", "/v1/sessions", token="a" * size).reason == LARGE
    assert web.ask("GET", f"/v1/sessions?page_token={'a' * size}").reason == LARGE
    assert (
        web.ask("GET", "/v1/sessions", **{f"x{number}": "a" * 200 for number in range(size // 200 + 1)}).reason == LARGE
    )


def test_headers_that_are_nearly_too_large_come_through(web: Web) -> None:
    """To the server, which has a limit of its own: at no size is that the one which is met."""
    for size in range(6_000, HEADER_BYTES + 1_000, 500):
        room = size - 300
        many = {f"x{number}": "a" * (room // 80) for number in range(80)}
        for headers in ({"authorization": f"Bearer {'a' * room}"}, many):
            for _ in range(3):  # gRPC drops those that are nearly too large by lot
                answer = web.ask("GET", "/v1/sessions", **headers)
                assert answer.status == 200 or answer.reason in (LARGE, (401, 16, "monsters.session.v1", "BAD_TOKEN"))


FOREIGN = [
    "text/plain",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "text/plain;application/json",
    "",
]
"""What a page may send to anybody without asking (WHATWG Fetch, CORS-safelisted request-header)."""


@pytest.mark.parametrize("sort", FOREIGN)
def test_a_foreign_page_cannot_write(web: Web, server: Stubs, created: Created, sort: str) -> None:
    refused = (415, 3, "lair.edge", "UNSUPPORTED_MEDIA")
    for path, body in (
        ("/v1/sessions", NEW),
        (f"/v1/{created.session.name}:submitMove", {}),
        ("/v1/sessions:join", None),
    ):
        answer = web.ask("POST", path, body, origin="https://evil.example", content_type=sort)
        assert answer.reason == refused
        assert "content-type: application/json" in answer.json["message"]
    listed = json.dumps({**NEW, "listed": True}).encode()
    before = server.sessions.ListSessions(wire.ListSessionsRequest(page_size=100)).sessions
    assert web.ask("POST", "/v1/sessions", listed, origin="https://evil.example", content_type=sort).status == 415
    assert server.sessions.ListSessions(wire.ListSessionsRequest(page_size=100)).sessions == before


@pytest.mark.parametrize("sort", ["application/json", "Application/JSON; charset=utf-8", "application/json ;x=y"])
def test_json_may_be_announced_in_many_ways(web: Web, sort: str) -> None:
    assert web.ask("POST", "/v1/sessions", NEW, content_type=sort).status == 200


def test_a_body_that_is_compressed_is_not_read(web: Web) -> None:
    body = gzip.compress(json.dumps(NEW).encode())
    for encoding in ("gzip", "deflate", "br", "zstd", "GZIP", "gzip, identity"):
        answer = web.ask("POST", "/v1/sessions", body, content_encoding=encoding)
        assert answer.reason == (415, 3, "lair.edge", "UNSUPPORTED_MEDIA"), encoding
    assert web.ask("POST", "/v1/sessions", NEW, content_encoding="identity").status == 200


@pytest.mark.parametrize("announced", [True, False], ids=["with its length", "in chunks"])
def test_a_body_that_trickles_is_too_slow(hasty: Web, *, announced: bool) -> None:
    """Each byte is in time, and all of them are not."""
    framing = b"content-length: 1000" if announced else b"transfer-encoding: chunked"
    part = b" " if announced else b"1\r\n \r\n"
    head = b"POST /v1/sessions HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n" + framing + b"\r\n\r\n"
    _, answer = raw(hasty, head, part)
    assert answer.reason == (408, 4, "lair.edge", "TOO_SLOW")


def test_a_stream_may_last_longer_than_a_request(hasty: Web, server: Stubs, created: Created) -> None:
    """By HTTP, and by gRPC where requests go on coming."""
    token = created.seat_tokens[0]
    with Stubs(hasty.address) as stubs, hasty.stream(f"/v1/{created.session.name}:watch") as events:

        def asking() -> Iterator[wire.PlaySeatRequest]:
            yield wire.PlaySeatRequest(open=wire.PlaySeatOpen(name=created.session.name))
            time.sleep(2.0)

        messages = stubs.sessions.PlaySeat(asking(), metadata=(("authorization", f"Bearer {token}"),))
        seen = [message.HasField("snapshot") for message in messages]
        assert any(seen)
        assert "session" in next(events)
        assert "snapshot" in next(events)


def test_a_bot_may_think_before_its_first_move(hasty: Web) -> None:
    """It has opened a stream of moves, and says nothing yet."""
    with Stubs(hasty.address) as stubs:

        def thinking() -> Iterator[service.ApplyMovesRequest]:
            time.sleep(2.0)
            yield service.ApplyMovesRequest()

        refused = refusal_of(lambda: stubs.rules().ApplyMoves(thinking()))
        assert refused.kind == ("INVALID_ARGUMENT", "monsters.rules.v1", "MALFORMED_REQUEST"), "by the rules, at last"


def test_what_a_browser_is_told_of_every_answer(web: Web) -> None:
    for path in ("/docs", "/", "/v1/sessions", "/v1/sessions/7f3k", "/v1/nothing", "/v1/sessions%2f"):
        answer = web.ask("GET", path)
        assert answer.headers["x-content-type-options"] == "nosniff", path
        assert answer.headers["referrer-policy"] == "no-referrer", path
        assert "strict-transport-security" not in answer.headers, "it is not asked over TLS (RFC 6797, section 7.2)"
    assert "strict-transport-security" not in web.ask("GET", "/docs", x_forwarded_proto="https").headers


def test_behind_a_proxy_with_tls_browsers_are_told_to_keep_to_it(server: Stubs) -> None:
    with edge(server.address, proxies=1) as web:
        for path in ("/docs", "/", "/v1/sessions", "/v1/nothing"):
            answer = web.ask("GET", path, x_forwarded_proto="https", x_forwarded_for="192.0.2.1")
            assert answer.headers["strict-transport-security"] == "max-age=31536000"
            assert "strict-transport-security" not in web.ask("GET", path, x_forwarded_proto="http").headers
