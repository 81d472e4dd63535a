"""Requests in JSON: from messages, and then changed in their text."""

import json
import random
import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote, urlencode

from google.protobuf import json_format
from google.protobuf.message import DecodeError, Message

from loadtests.price.requests import Request, Target
from loadtests.price.structure import MOST_BYTES

VARIABLE = re.compile(r"\{(\w+)=[^}]*\}|\{(\w+)\}")
ODD = (
    "null",
    "1e999",
    "{}",
    "[]",
    '"',
    "{",
    "[",
    "]",
    ",",
    ":",
    "\\ud800",
    "\\u0000",
    "'",
    "//",
    "NaN",
    "true",
    '"\\"',
    "\t",
)
TIMES = (1, 2, 10, 300, 5000)
MOST_PATH = 4000
NESTED = ('{"a":', "[", '{"position":{"rounds":[')


def written(target: Target, message: Message, token: str | None, chance: random.Random) -> Request:
    """A message as somebody would send it in JSON (google.api.http)."""
    assert target.binding
    try:
        fields: dict[str, Any] = json_format.MessageToDict(message)
    except (
        json_format.Error,
        DecodeError,
        TypeError,
        ValueError,
    ):  # an Any of a type that there is not, or a clock without sense
        fields = {"name": "sessions/000000000000"}
    path = VARIABLE.sub(lambda variable: _segment(fields.pop(variable[1] or variable[2], "")), target.binding.path)
    if target.binding.body:
        return Request(target, (json.dumps(fields).encode(),), token, target.binding.verb, path)
    query = urlencode([(key, str(value)[:200]) for key, value in fields.items()])
    path = f"{path}?{query}"[:MOST_PATH] if query and chance.random() < 0.9 else path
    return Request(target, (b"",), token, target.binding.verb, path)


def _segment(value: Any) -> str:
    return quote(str(value)[:200], safe="/:") or "sessions/000000000000"


def changed(request: Request, chance: random.Random) -> Request:
    """The same with something else in its body, or in its path."""
    (body,) = request.messages
    headers: Mapping[str, str] | None = request.headers
    if not body or chance.random() < 0.2:
        path = _spoiled(request.path, chance)[:MOST_PATH]
        return Request(request.target, (body,), request.token, request.verb, quote(path, safe="/:?=&%.*{}"), headers)
    text = body.decode("utf-8", "replace")
    if chance.random() < 0.1:
        nested = chance.choice(NESTED)
        text = nested * chance.choice((10, 100, 20_000))
    else:
        text = _spoiled(text, chance)
    raw = text[:MOST_BYTES].encode("utf-8", "replace")[:MOST_BYTES]
    if chance.random() < 0.05:
        raw = chance.randbytes(20) + raw
    return Request(request.target, (raw,), request.token, request.verb, request.path, headers)


def _spoiled(text: str, chance: random.Random) -> str:
    start, end = sorted((chance.randint(0, len(text)), chance.randint(0, len(text))))
    match chance.randrange(4):
        case 0:
            return text[:start] + _many(chance.choice(ODD), chance) + text[start:]
        case 1:
            return text[:start] + text[end:]
        case 2:
            return text[:start] + _many(text[start:end], chance) + text[end:]
    return text[:start] + chance.choice(ODD) + text[start + 1 :]


def _many(part: str, chance: random.Random) -> str:
    return part * min(chance.choice(TIMES), MOST_BYTES // (len(part) or 1) + 1)
