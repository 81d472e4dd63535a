"""clients/http, request by request, as an editor sends them."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from services.edge.protos import read_protos
from services.edge.strict_json import pattern
from tests.support.edge import Web, needs_envoy

pytestmark = needs_envoy
FILES = sorted((Path(__file__).parents[2] / "clients" / "http").glob("*.http"))
LAIR = "{{lair}}"
ANSWER = re.compile(r"\{\{(\w+)\.response\.body\.\$\.([^}]+)\}\}")
EXPECTED = re.compile(r"\((\d{3}), ([A-Z_]+)\)$")


@dataclass(frozen=True)
class Example:
    """One request of a file."""

    title: str
    name: str | None
    verb: str
    path: str
    headers: dict[str, str]
    body: str | None


def examples(file: Path) -> Iterator[Example]:
    """The requests of a file, in order."""
    for part in re.split(r"^### ", file.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]:
        head, _, body = part.strip().partition("\n\n")
        title, *lines = head.splitlines()
        name = next((line.removeprefix("# @name ") for line in lines if line.startswith("# @name ")), None)
        request, *headers = (line for line in lines if not line.startswith("#"))
        verb, path = request.split(" ")
        assert path.startswith(LAIR)
        pairs = dict(header.split(": ", 1) for header in headers)
        yield Example(title, name, verb, path.removeprefix(LAIR), pairs, body or None)


def filled(text: str, answers: dict[str, Any]) -> str:
    """With what earlier answers say in the places that name them."""

    def look(place: re.Match[str]) -> str:
        value = answers[place[1]]
        for key in re.findall(r"\w+", place[2]):
            value = value[int(key)] if key.isdecimal() else value[key]
        return value if isinstance(value, str) else json.dumps(value)

    return ANSWER.sub(look, text)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_every_example_answers_as_its_title_says(web: Web, file: Path) -> None:
    answers: dict[str, Any] = {}
    for example in examples(file):
        headers = {name.replace("-", "_"): filled(value, answers) for name, value in example.headers.items()}
        body = None if example.body is None else filled(example.body, answers).encode()
        answer = web.ask(example.verb, filled(example.path, answers), body, **headers)
        if expected := EXPECTED.search(example.title):
            status, _, _, reason = answer.reason
            assert (str(status), reason) == expected.groups(), example.title
        else:
            assert answer.status == 200, (example.title, answer.body)
        if example.name:
            answers[example.name] = answer.json


def test_every_method_is_among_them() -> None:
    """Of one game: the others' differ in nothing."""
    sent = {
        (example.verb, re.sub(r"\?.*", "", filled(example.path, NAMED))) for file in FILES for example in examples(file)
    }
    missing = {
        f"{method.token} {method.name}"
        for method in read_protos().methods
        for binding in method.bindings
        if not any(
            verb == binding.verb and re.search(pattern(binding.path).replace("%", "\\"), path) for verb, path in sent
        )
    }
    games = {name.split(" ")[0] for name in missing}
    assert "session" not in games
    assert "cabbages" not in games


NAMED = {"create": {"session": {"name": "sessions/7f3k"}}}
