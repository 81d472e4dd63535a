"""The contract as the edge serves it: an OpenAPI document that keeps its word, and the same to be read by people."""

from collections.abc import Iterator
from html.parser import HTMLParser
from typing import Any

import jsonschema
import pytest
from google.protobuf import json_format
from monsters.rules.v1 import rules_pb2 as words
from openapi_spec_validator import validate

from services.edge.protos import read_protos
from services.edge.schemas import REFERENCE, short
from services.games import Entry, find_games
from tests.support.edge import Web, needs_envoy
from tests.support.games import every_game
from tests.support.servers import service_of
from tests.support.sessions import create, history_of, open_lobby, play_out, view_of, watch
from tests.support.transcoded import Transcoded

pytestmark = needs_envoy


@pytest.fixture(scope="module")
def stubs(web: Web) -> Iterator[Transcoded]:
    with Transcoded(web.address) as transcoded:
        yield transcoded


@pytest.fixture(scope="module")
def document(stubs: Transcoded) -> Any:
    return Web(stubs.address).ask("GET", "/openapi.json").json


def keeps_to(document: Any, name: str, value: Any) -> None:
    """Fail unless a value is what the document says, and has no field that it doesn't know."""
    schema = {"$ref": f"{REFERENCE}{short(name)}", "components": document["components"]}
    jsonschema.Draft202012Validator(schema).validate(value)
    known = document["components"]["schemas"][short(name)]["properties"]
    assert set(value) <= set(known)


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


@every_game
def test_answers_are_what_it_says(stubs: Transcoded, document: Any, entry: Entry) -> None:
    token, seats = entry.game.token, entry.game.seats[0]
    stubs.answers.clear()
    created = create(stubs, seats, game=token, options=None)
    watching = watch(stubs, created)
    next(watching)
    play_out(stubs, created, most=2)
    next(watching)
    watching.cancel()
    history_of(stubs, created)
    open_lobby(stubs, seats, game=token, options=None)
    messages, rules = service_of(token), stubs.rules(token)
    rules.DescribeGame(messages.DescribeGameRequest())
    wanted = words.ViewFor(seats=[0], spectator=True, moves=True)
    start = rules.StartGame(messages.StartGameRequest(seats=seats, view_for=wanted))
    (seat, *_) = start.standing.may_act
    rules.EnumerateMoves(messages.EnumerateMovesRequest(position=start.position, seat=seat))
    assert len(stubs.answers) > 8
    for method, answer in stubs.answers:
        keeps_to(document, method.response, answer)


def test_requests_are_what_it_says(stubs: Transcoded, document: Any) -> None:
    """A view's legal move, sent back as it came, and the position of a start."""
    created = create(stubs)
    (move, *_) = view_of(stubs, created, 0).moves
    sent = {"move": json_format.MessageToDict(move.move), "requestId": "x"}
    keeps_to(document, "monsters.session.v1.SubmitMoveRequest", sent)
    schema = document["components"]["schemas"]["session.SubmitMoveRequest"]
    assert "name" not in schema["properties"], "it comes in the path"
    assert "At most one of: move, text." in schema["description"]


def test_an_error_is_what_it_says(stubs: Transcoded, document: Any) -> None:
    keeps_to(document, "Status", Web(stubs.address).ask("GET", "/v1/sessions/7f3k").json)


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
