"""The contract as the edge serves it: an OpenAPI document that keeps its word, and the same to be read by people."""

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from openapi_spec_validator import validate

from services.edge.protos import read_protos
from services.games import find_games
from tests.support.edge import Web, needs_envoy
from tests.support.openapi import Judge
from tests.support.refusals import EDGE, documented
from tests.support.transcoded import CODES, Transcoded

pytestmark = needs_envoy
MOST_LETTERS = 40
ERRORS = Path(__file__).parents[2] / "docs" / "errors.md"


@pytest.fixture(scope="module")
def stubs(web: Web) -> Iterator[Transcoded]:
    with Transcoded(web.address) as transcoded:
        yield transcoded


@pytest.fixture(scope="module")
def document(stubs: Transcoded) -> Any:
    return Web(stubs.address).ask("GET", "/openapi.json").json


@pytest.fixture(scope="module")
def judge(document: Any) -> Judge:
    return Judge(document)


def test_it_is_openapi(document: Any) -> None:
    validate(document)


def test_it_has_every_path_and_no_other(document: Any) -> None:
    bound = {f"{method.token}_{method.name}" for method in read_protos().methods if method.bindings}
    operations = [operation for path in document["paths"].values() for operation in path.values()]
    assert {operation["operationId"] for operation in operations} == bound
    assert "/v1/sessions/{session}:submitMove" in document["paths"]
    assert {f"/v1/games/{token}:applyMove" for token in find_games()} <= set(document["paths"])


def test_everything_in_it_is_described(document: Any) -> None:
    for path, operations in document["paths"].items():
        assert all(operation["summary"] and operation["description"] for operation in operations.values()), path
    for name, schema in document["components"]["schemas"].items():
        assert schema["description"], name
        for field, of in schema.get("properties", {}).items():
            assert of.get("description") or name == "Status", (name, field)


def test_operations_have_short_names_of_their_own(judge: Judge) -> None:
    names = [operation["operationId"] for operation in judge.operations()]
    assert len(set(names)) == len(names)
    assert all(re.fullmatch(r"[a-z]+_[A-Z][A-Za-z]+", name) and len(name) < MOST_LETTERS for name in names)


def test_messages_of_games_are_told_apart_by_their_type(document: Any) -> None:
    schemas = document["components"]["schemas"]
    for family in ("Position", "Move", "View", "Event", "Options"):
        told = schemas[f"games.{family}"]["discriminator"]
        types = [f"type.googleapis.com/monsters.{game}.v1.{family}" for game in sorted(find_games())]
        assert (told["propertyName"], sorted(told["mapping"])) == ("@type", types)
        assert [{"$ref": reference} for reference in told["mapping"].values()] == schemas[f"games.{family}"]["oneOf"]


def test_of_fields_that_exclude_each_other_there_is_exactly_one(document: Any) -> None:
    schemas = document["components"]["schemas"]
    kinds = [schemas[each["$ref"].rpartition("/")[2]] for each in schemas["cabbages.Event"]["oneOf"]]
    assert len(kinds) == 9
    for kind in kinds:
        assert set(kind["required"]) == set(kind["properties"])
        assert {"audience", "text"} < set(kind["properties"])
        assert len(kind["properties"]) == 3


def test_what_may_be_left_out_of_a_request_is_not_required_there(document: Any) -> None:
    schemas = document["components"]["schemas"]
    assert schemas["maidens.UseChip"]["required"] == ["die", "face"]
    assert "required" not in schemas["maidens.UseChipInput"]
    assert schemas["session.SubmitMoveRequestText"]["required"] == ["text"]
    assert "name" not in schemas["session.SubmitMoveRequestText"]["properties"], "it comes in the path"
    assert schemas["session.CreateSessionRequest"]["required"] == ["game", "seats"]
    assert schemas["session.CreateSessionRequest"]["additionalProperties"] is False


def test_every_operation_has_an_example_of_what_it_takes_and_answers(judge: Judge) -> None:
    for operation in judge.operations():
        for part in (operation.get("requestBody"), operation["responses"]["200"]):
            for content in part["content"].values() if part else ():
                judge.holds(content["schema"], content["example"])


def test_every_reason_is_there_with_an_error_that_has_it(document: Any, judge: Judge) -> None:
    examples = {name: each["value"] for name, each in document["components"]["examples"].items()}
    infos = {}
    for name, status in examples.items():
        judge.holds({"$ref": "#/components/schemas/Status"}, status)
        (info, *_) = status["details"]
        assert name.startswith(f"{info['domain']}.{info['reason']}")
        infos[info["domain"], info["reason"]] = CODES[status["code"]].name, frozenset(info["metadata"])
    of_the_edge = {reason for domain, reason in infos if domain == EDGE}
    assert of_the_edge == set(
        re.findall(r"^\| `([A-Z_]+)`", ERRORS.read_text().partition(f"## Of the edge: `{EDGE}`")[2], re.MULTILINE)
    )
    told = {kind: said for kind, said in documented().items() if not kind[0].startswith("monsters.replicas.")}
    assert {kind: said for kind, said in infos.items() if kind[0] != EDGE} == told


def test_every_call_may_end_with_each_of_them(document: Any, judge: Judge) -> None:
    responses = document["components"]["responses"]
    for operation in judge.operations():
        (token,) = operation["tags"]
        assert operation["responses"]["default"] == {"$ref": f"#/components/responses/{token}.Error"}
    shown = {token: set(each["content"]["application/json"]["examples"]) for token, each in responses.items()}
    assert shown["session.Error"] == set(document["components"]["examples"])
    assert "monsters.cabbages.v1.CUP_EMPTY" in shown["cabbages.Error"]
    assert not {name for name in shown["cabbages.Error"] if name.startswith(("monsters.session.", "monsters.heads."))}


class Reader(HTMLParser):
    """What a reader finds on a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.ids: set[str] = set()
        self.links: set[str] = set()
        self.words = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        for name, value in attrs:
            if value and name in ("id", "href"):
                (self.ids if name == "id" else self.links).add(value)

    def handle_data(self, data: str) -> None:
        self.words += data


def test_the_page_shows_all_of_it_and_loads_nothing(stubs: Transcoded, document: Any) -> None:
    answer = Web(stubs.address).ask("GET", "/docs")
    assert (answer.status, answer.headers["content-type"]) == (200, "text/html; charset=utf-8")
    assert answer.headers["content-security-policy"].startswith("default-src 'none'")
    page = Reader(answer.body.decode())
    assert all(path in page.words for path in document["paths"])
    assert set(document["components"]["schemas"]) <= page.ids
    assert page.links <= {"/openapi.json", *(f"#{name}" for name in page.ids)}
    assert not page.tags & {"script", "img", "link", "iframe"}


def test_whoever_opens_the_edge_is_led_to_the_page(stubs: Transcoded) -> None:
    answer = Web(stubs.address).ask("GET", "/")
    assert (answer.status, answer.headers["location"].endswith("/docs")) == (302, True)
