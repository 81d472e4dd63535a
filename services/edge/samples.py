"""An example of whatever a schema describes: made of the schema, so that it is right when the schema is."""

from collections.abc import Mapping
from typing import Any

from services.edge.values import REFERENCE
from services.edge.words import Json

FORMATS = {"date-time": "2026-11-30T01:21:48.732815Z", "int64": "1"}
TEXTS = {
    "displayName": "Ann",
    "etag": '"1"',
    "hostToken": "the token of the host",
    "joinCode": "7F3K-9Q2M",
    "name": "sessions/7f3k",
    "requestId": "0c7f1a52-5b0e-4b8e-9c36-0f6f3a1d2e4b",
    "rulesVersion": "1",
    "seatToken": "the token of the seat",
}
"""By the name of a field."""
BYTES = "AAECAwQFBgc="
PLAIN: Mapping[str, Any] = {"integer": 1, "number": 0.5, "boolean": True}
UNSPECIFIED = "_UNSPECIFIED"


def sample(schema: Json, schemas: Mapping[str, Json], name: str = "") -> Any:
    """A value that a schema takes, with what is required alone; `name` is the field that it is for."""
    if reference := schema.get("$ref"):
        return sample(schemas[reference.removeprefix(REFERENCE)], schemas, name)
    if several := schema.get("oneOf") or schema.get("anyOf"):
        return sample(several[0], schemas, name)
    match schema["type"]:
        case "object":
            properties = schema.get("properties", {})
            return {field: sample(properties[field], schemas, field) for field in schema.get("required", ())}
        case "array":
            return [sample(schema["items"], schemas, name.removesuffix("s"))]
        case "string":
            return _text(schema, name)
        case kind:
            return PLAIN[kind]


def _text(schema: Json, name: str) -> str:
    if among := schema.get("enum", ()):
        return next(str(value) for value in among if not value.endswith(UNSPECIFIED))
    if "const" in schema:
        return str(schema["const"])
    if "contentEncoding" in schema:
        return BYTES
    known = FORMATS.get(schema.get("format", "")) or TEXTS.get(name)
    return known or next(iter(schema.get("examples", ())), name or "text")
