"""Real errors beside the examples that the OpenAPI document has of them: status, code, and the same details."""

from typing import Any

import pytest

from tests.support.edge import Answer, Web, needs_envoy
from tests.support.openapi import Judge
from tests.support.servers import Stubs
from tests.support.sessions import create, open_lobby

pytestmark = needs_envoy
MOVING = "/v1/games/cabbages:applyMove"
START = {"cabbages": [0, 0], "feedings": [0, 0], "cupGap": 1, "turn": 1}
REFUSED: dict[str, tuple[str, str, Any]] = {
    "monsters.rules.v1.MALFORMED_REQUEST": ("POST", "/v1/sessions", {"seats": 2}),
    "monsters.rules.v1.IMPOSSIBLE_POSITION": (
        "POST",
        "/v1/games/cabbages:formatPosition",
        {"position": {**START, "cupDice": 99, "turn": 2}},
    ),
    "monsters.session.v1.SESSION_NOT_FOUND": ("GET", "/v1/sessions/7f3k", None),
    "monsters.session.v1.GAME_NOT_FOUND": ("POST", "/v1/sessions", {"game": "chess", "seats": [{}, {}]}),
    "monsters.cabbages.v1.CUP_EMPTY": ("POST", MOVING, {"position": START, "moveText": "feed", "seat": 0}),
    "monsters.cabbages.v1.NOT_YOUR_TURN": ("POST", MOVING, {"position": START, "moveText": "feed", "seat": 1}),
    "lair.edge.PATH_NOT_FOUND.404": ("GET", "/v1/nothing", None),
    "lair.edge.VERB_NOT_ALLOWED.405": ("PUT", "/v1/sessions", {}),
}


@pytest.fixture(scope="module")
def judge(web: Web) -> Judge:
    return Judge(web.ask("GET", "/openapi.json").json)


def told(judge: Judge, name: str, answer: Answer) -> None:
    """Fail unless an error is like the example of its reason."""
    judge.holds({"$ref": "#/components/schemas/Status"}, answer.json)
    example = judge.document["components"]["examples"][name]
    said, shown = answer.json, example["value"]
    status, code, domain, reason = answer.reason
    assert example["summary"].startswith(f"{status}, ")
    assert code == shown["code"]
    assert name.startswith(f"{domain}.{reason}")
    assert [set(detail) for detail in said["details"]] == [set(detail) for detail in shown["details"]]
    assert [detail["@type"] for detail in said["details"]] == [detail["@type"] for detail in shown["details"]]


@pytest.mark.parametrize("name", REFUSED)
def test_an_error_is_like_its_example(web: Web, judge: Judge, name: str) -> None:
    told(judge, name, web.ask(*REFUSED[name]))


def test_a_session_refuses_like_the_examples(web: Web, server: Stubs, judge: Judge) -> None:
    created, lobby = create(server), open_lobby(server)
    path, token = f"/v1/{created.session.name}", created.seat_tokens[0]
    asked: dict[str, tuple[Any, ...]] = {
        "BAD_TOKEN": ("POST", f"{path}:submitMove", {"text": "harvest"}, "nonsense"),
        "NOT_YOUR_SEAT": ("POST", f"{path}:submitMove", {"text": "harvest", "seat": 1}, token),
        "STALE_SESSION": ("POST", f"{path}:submitMove", {"text": "harvest", "etag": "old"}, token),
        "HOST_ONLY": ("POST", f"{path}:abort", {}, token),
        "SESSION_NOT_OVER": ("GET", f"{path}:reveal", None),
        "REVISION_NOT_FOUND": ("GET", f"{path}/view?revision=7", None),
        "JOIN_CODE_REQUIRED": ("POST", "/v1/sessions:join", {"name": lobby.session.name}),
        "JOIN_CODE_NOT_FOUND": ("POST", "/v1/sessions:join", {"joinCode": "AAAA-AAAA"}),
        "REMATCH_NOT_FOUND": ("POST", f"{path}:joinRematch", {}, token),
    }
    for reason, call in asked.items():
        told(judge, f"monsters.session.v1.{reason}", web.ask(*call))


def test_what_is_no_json_is_refused_like_its_example(web: Web, judge: Judge) -> None:
    answer = web.ask("POST", "/v1/sessions", b"{}", content_type="text/plain")
    told(judge, "lair.edge.UNSUPPORTED_MEDIA.415", answer)
