"""What the edge says by itself: in the one body that every error has, with the field or the path that is wrong."""

import json
import socket
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from monsters.session.v1 import session_pb2 as wire

from services.edge.listener import REQUEST_BYTES
from tests.support.edge import Web, edge, needs_envoy
from tests.support.refusals import refusal_of
from tests.support.servers import Stubs
from tests.support.sessions import Created, create, session_of

pytestmark = needs_envoy
MALFORMED = (400, 3, "monsters.rules.v1", "MALFORMED_REQUEST")
SEATS = [{"name": "Ann"}, {"name": "Ben"}]
OPTIONS = {"@type": "type.googleapis.com/monsters.cabbages.v1.Options"}


@pytest.fixture(scope="module")
def created(server: Stubs) -> Created:
    return create(server)


UNKNOWN_FIELDS: dict[str, tuple[Any, set[str]]] = {
    "at the top": ({"game": "cabbages", "seats": SEATS, "alltokens": True}, {"alltokens"}),
    "in a list": ({"game": "cabbages", "seats": [SEATS[0], {"nmae": "Ben"}]}, {"seats[1].nmae"}),
    "in a message": ({"game": "cabbages", "seats": SEATS, "limits": {"trun": "3s"}}, {"limits.trun"}),
    "in an option": ({"game": "cabbages", "seats": SEATS, "options": {**OPTIONS, "cupMxa": 6}}, {"options.cupMxa"}),
    "in several places": ({"gmae": 1, "seats": [{"x": {"y": 1}}, {"z": []}]}, {"gmae", "seats[0].x", "seats[1].z"}),
    "in an endless name": ({"x" * 1000: 1}, {"x" * 200 + "..."}),
    "with a long name of long characters": (
        {"\N{GREEK SMALL LETTER ALPHA}" * 300: 1},
        {"\N{GREEK SMALL LETTER ALPHA}" * 99 + "..."},
    ),
    "in another script": ({"\u062e\u0631\u06af\u0648\u0634": 1}, {"\u062e\u0631\u06af\u0648\u0634"}),
    "with quotes in its name": ({'a"b': 1}, {'a"b'}),
}


@pytest.mark.parametrize("case", UNKNOWN_FIELDS)
def test_a_field_that_there_isnt_is_named(web: Web, case: str) -> None:
    body, fields = UNKNOWN_FIELDS[case]
    answer = web.ask("POST", "/v1/sessions", body)
    assert answer.reason == MALFORMED
    assert set(answer.fields) == fields
    assert all("is no field of monsters." in said for said in answer.fields.values())


def test_an_unknown_field_of_a_move_is_named_and_nothing_is_played(web: Web, server: Stubs, created: Created) -> None:
    move = {"@type": "type.googleapis.com/monsters.cabbages.v1.Move", "harvset": {}}
    path = f"/v1/{created.session.name}:submitMove"
    answer = web.ask("POST", path, {"move": move}, created.seat_tokens[0])
    assert (answer.reason, set(answer.fields)) == (MALFORMED, {"move.harvset"})
    assert answer.fields["move.harvset"] == "is no field of monsters.cabbages.v1.Move"
    assert session_of(server, created).revision == 0


def test_both_names_of_a_field_and_escaped_ones_are_known(web: Web) -> None:
    for name in ("allTokens", "all_tokens", r"all\u0054okens"):
        body = f'{{"game": "cabbages", "seats": [{{}}, {{}}], "{name}": true}}'.encode()
        assert len(web.ask("POST", "/v1/sessions", body).json["seatTokens"]) == 2, name


@given(text=st.text(), escaped=st.booleans())
@settings(max_examples=100)
def test_whatever_a_string_says_no_field_is_seen_in_it(web: Web, text: str, *, escaped: bool) -> None:
    body = {"seats": [{"name": text}], "game": "no game", "options": {"@type": OPTIONS["@type"]}}
    answer = web.ask("POST", "/v1/sessions", json.dumps(body, ensure_ascii=escaped).encode())
    assert answer.reason == (404, 5, "monsters.session.v1", "GAME_NOT_FOUND")


@given(name=st.text(min_size=1), escaped=st.booleans())
@settings(max_examples=100)
def test_whatever_a_field_is_called_it_is_not_overlooked(web: Web, name: str, *, escaped: bool) -> None:
    assume(name not in ("name", "kind", "entropy"))
    body = {"game": "no game", "seats": [{}, {name: [{}], "name": ""}]}
    answer = web.ask("POST", "/v1/sessions", json.dumps(body, ensure_ascii=escaped).encode())
    assert (answer.reason, len(answer.fields)) == (MALFORMED, 1)


@pytest.mark.parametrize("query", ["pagesize=1", "page_size=1&x=2", "page_size.x=1"])
def test_a_field_of_a_query_that_there_isnt_is_named(web: Web, query: str) -> None:
    answer = web.ask("GET", f"/v1/sessions?{query}")
    assert (answer.reason, len(answer.fields)) == (MALFORMED, 1)


@pytest.mark.parametrize(
    "body",
    [
        b"{",
        b"nonsense",
        b"[1, 2]",
        b'"text"',
        b'{"game": }',
        b'{"game": "cabbages"',
        b'{"game": "\xff"}',
        b'{"seats": {"name": 1}',
        b'{"seats": 7}',
        b'{"allTokens": "perhaps"}',
        b'{"options": {"@type": "type.googleapis.com/monsters.chess.v1.Options"}}',
        b'{"seats": [{"entropy": "not base64!"}]}',
        b"[" * 10_000,
        b'{"options":' * 10_000,
    ],
    ids=lambda body: body[:30].decode(errors="replace"),
)
def test_a_body_that_is_no_request_is_told_in_json(web: Web, body: bytes) -> None:
    assert web.ask("POST", "/v1/sessions", body).reason == MALFORMED


def test_a_path_and_a_body_that_disagree_are_told_in_json(web: Web, server: Stubs, created: Created) -> None:
    body = {"name": "sessions/7f3k", "text": "harvest"}
    answer = web.ask("POST", f"/v1/{created.session.name}:submitMove", body, created.seat_tokens[0])
    assert answer.reason == MALFORMED
    assert session_of(server, created).revision == 0


@pytest.mark.parametrize(
    "path",
    [
        "/v1",
        "/v1/nothing",
        "/v1/sessions/a/b/c",
        "/v1/games/chess",
        "/v2/sessions",
        "/v1/sessions/7f3k:nothing",
        "/v1/games/cabbages:nothing",
        "/docs/",
    ],
)
def test_a_path_that_there_isnt_is_told_in_json(web: Web, path: str) -> None:
    assert web.ask("GET", path).reason == (404, 5, "lair.edge", "PATH_NOT_FOUND")


@pytest.mark.parametrize(
    ("verb", "path", "allowed"),
    [
        ("DELETE", "/v1/sessions", "GET, HEAD, POST"),
        ("GET", "/v1/sessions:join", "POST"),
        ("POST", "/v1/sessions/7f3k", "GET, HEAD"),
        ("PUT", "/v1/sessions/7f3k:submitMove", "POST"),
        ("PATCH", "/v1/games/cabbages", "GET, HEAD"),
        ("POST", "/docs", "GET, HEAD"),
    ],
)
def test_a_verb_that_a_path_does_not_take_is_told_in_json(web: Web, verb: str, path: str, allowed: str) -> None:
    answer = web.ask(verb, path)
    assert answer.reason == (405, 12, "lair.edge", "VERB_NOT_ALLOWED")
    assert answer.headers["allow"] == allowed
    assert allowed in answer.json["message"]


def test_a_body_that_is_too_large_is_told_in_json(web: Web) -> None:
    # Hardly more than is taken: it is all sent before the answer comes, and the connection ends.
    body = {"game": "cabbages", "seats": SEATS, "requestId": "x" * REQUEST_BYTES}
    assert web.ask("POST", "/v1/sessions", body).reason == (413, 8, "lair.edge", "TOO_LARGE")


def test_an_answer_that_is_too_large_is_told_in_json(server: Stubs, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("services.edge.listener.REQUEST_BYTES", 1024)
    monkeypatch.setattr("services.edge.listener.ANSWER_BYTES", 1024)
    with edge(server.address) as web:
        assert web.ask("GET", "/v1/games/cabbages").reason == (500, 8, "lair.edge", "TOO_LARGE")


def test_grpc_is_told_the_same_by_its_own_means(web: Web) -> None:
    """Headers that are too large, and a path that is none."""
    with Stubs(web.address) as stubs:
        for size in (12_000, 16_000, 50_000):
            metadata = (("authorization", "Bearer " + "a" * size),)
            large = refusal_of(lambda: stubs.sessions.ListSessions(wire.ListSessionsRequest(), metadata=metadata))  # noqa: B023  called here
            assert large.kind == ("RESOURCE_EXHAUSTED", "lair.edge", "TOO_LARGE")
        unreadable = refusal_of(lambda: stubs.raw("/monsters.session.v1.SessionService/%00", b""))
        assert unreadable.kind == ("INVALID_ARGUMENT", "monsters.rules.v1", "MALFORMED_REQUEST")
        assert "%" not in unreadable.message


def test_a_server_that_is_away_is_told_in_json_and_by_grpc() -> None:
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))
        with edge(f"127.0.0.1:{nobody.getsockname()[1]}") as web:
            for verb, path in (("GET", "/v1/sessions"), ("POST", "/v1/sessions"), ("GET", "/v1/sessions/7f3k:watch")):
                answer = web.ask(verb, path, {} if verb == "POST" else None)
                assert answer.reason == (503, 14, "lair.edge", "SERVER_UNAVAILABLE")
                assert answer.json["details"][1]["retryDelay"] == "1s"
            with Stubs(web.address) as stubs:
                refused = refusal_of(lambda: stubs.sessions.ListSessions(wire.ListSessionsRequest()))
            assert refused.kind == ("UNAVAILABLE", "lair.edge", "SERVER_UNAVAILABLE")
            assert refused.retry_after == 1.0


def test_a_server_that_does_not_answer_costs_its_time_and_is_told_in_json(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("services.edge.routes.CALL_SECONDS", 0.3)
    with socket.create_server(("127.0.0.1", 0)) as deaf, edge(f"127.0.0.1:{deaf.getsockname()[1]}") as web:
        assert web.ask("GET", "/v1/sessions").reason == (504, 4, "lair.edge", "TOO_SLOW")


def test_a_request_that_does_not_come_to_its_end_is_told_in_json(
    server: Stubs, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("services.edge.listener.SILENT_SECONDS", 0.3)
    with edge(server.address) as web:
        answer = web.ask("POST", "/v1/sessions", b"{", content_length="100")
        assert answer.reason == (408, 4, "lair.edge", "TOO_SLOW")


def test_nobody_steers_the_edge_by_headers(web: Web) -> None:
    """At the mercy of such a header each call would end in 504."""
    for _ in range(20):
        assert web.ask("GET", "/v1/sessions", x_envoy_upstream_rq_timeout_ms="1").status == 200


def asked_first(web: Web, origin: str) -> str | None:
    """Whose pages may call, as a browser is told before it does."""
    answer = web.ask("OPTIONS", "/v1/sessions", origin=origin, access_control_request_method="POST")
    return answer.headers.get("access-control-allow-origin")


@pytest.mark.parametrize("origin", ["http://localhost:5173", "http://127.0.0.1:8000", "https://play.example"])
def test_pages_of_this_machine_and_those_that_are_named_may_call(web: Web, origin: str) -> None:
    assert asked_first(web, origin) == origin
    answer = web.ask("GET", "/v1/sessions", origin=origin)
    assert answer.headers["access-control-allow-origin"] == origin
    assert "grpc-status" in answer.headers["access-control-expose-headers"]


@pytest.mark.parametrize("origin", ["https://evil.example", "http://localhost.evil.example", "null"])
def test_pages_of_others_may_not(web: Web, origin: str) -> None:
    assert asked_first(web, origin) is None
    assert "access-control-allow-origin" not in web.ask("GET", "/v1/sessions", origin=origin).headers


def test_the_edge_is_healthy(web: Web) -> None:
    assert web.ask("GET", "/healthz").status == 200


def test_grpc_web_is_spoken(web: Web, created: Created) -> None:
    """A message, then the trailers as a frame: a flag, four bytes of length, and what is told (gRPC-Web protocol)."""
    request = wire.GetSessionRequest(name=created.session.name).SerializeToString()
    body = b"\0" + len(request).to_bytes(4, "big") + request
    path = "/monsters.session.v1.SessionService/GetSession"
    answer = web.ask("POST", path, body, content_type="application/grpc-web+proto")
    size = int.from_bytes(answer.body[1:5], "big")
    session = wire.GetSessionResponse.FromString(answer.body[5 : 5 + size]).session
    assert session.name == created.session.name
    assert answer.body[5 + size] == 0x80
    assert b"grpc-status:0" in answer.body[10 + size :]
