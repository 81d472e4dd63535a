"""The contract as an OpenAPI 3.1 document."""

import re
from collections.abc import Mapping
from importlib.metadata import version
from typing import Any

from services.edge.kinds import Kinds
from services.edge.protos import Binding, Method, Protos
from services.edge.reasons import STATUS, answers, examples
from services.edge.samples import sample
from services.edge.schemas import Schemas, Way
from services.edge.words import Json

VARIABLE = re.compile(r"\{(?P<field>\w+)=(?P<pattern>[^}]*)\}")
INTRODUCTION = """Rules and sessions of monster tabletop games, as JSON over HTTP.

A caller is known by its token: `authorization: Bearer <token>`; without one it is a spectator. Every error is a
`google.rpc.Status` with one `ErrorInfo`, and a field that there isn't is one. Numbers of 64 bits are strings. A move of
a list of legal moves can be sent back as it came. Streams are server-sent events, one message each."""


def openapi(protos: Protos) -> Json:
    """The document, ready for JSON. Methods that stream in both directions are gRPC's alone, and not in it."""
    bound = [(method, binding) for method in protos.methods for binding in method.bindings]
    kinds = Kinds(
        protos,
        answers={method.response for method, _ in bound},
        requests={method.request for method, _ in bound},
        elsewhere={method.request: frozenset(_variables(binding)) for method, binding in bound},
    )
    schemas = Schemas(kinds)
    paths: dict[str, dict[str, Json]] = {}
    for method, binding in bound:
        operations = paths.setdefault(VARIABLE.sub(_segments, binding.path), {})
        operations[binding.verb.lower()] = _operation(schemas, protos, method, binding)
    known = {**schemas.all(), **STATUS}
    for operation in (operation for operations in paths.values() for operation in operations.values()):
        _show(operation, known)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Lair",
            "version": version("lair-services"),
            "description": INTRODUCTION,
            "license": {"name": "Apache 2.0", "identifier": "Apache-2.0"},
        },
        "tags": [
            {"name": name.split(".")[1], "description": place.comment()}
            # Those that everybody uses come before the games.
            for name, place in sorted(protos.services.items(), key=lambda each: each[0].endswith(".RulesService"))
        ],
        "paths": paths,
        "components": {
            "schemas": known,
            "responses": {f"{token}.Error": answer for token, answer in answers(protos).items()},
            "examples": examples(protos),
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
    }


def _variables(binding: Binding) -> Mapping[str, str]:
    """The fields that come in the path, and what they look like."""
    return {variable["field"]: variable["pattern"] for variable in VARIABLE.finditer(binding.path)}


def _segments(variable: "re.Match[str]") -> str:
    """name=sessions/* as sessions/{session}."""
    parts = variable["pattern"].split("/")
    return "/".join(
        f"{{{parts[place - 1].removesuffix('s')}}}" if part == "*" else part for place, part in enumerate(parts)
    )


def _operation(schemas: Schemas, protos: Protos, method: Method, binding: Binding) -> Json:
    path = VARIABLE.sub(_segments, binding.path)
    operation: dict[str, Any] = {
        "operationId": f"{method.token}_{method.name}",
        "tags": [method.token],
        "summary": method.comment.partition(". ")[0].removesuffix("."),
        "description": method.comment,
        "parameters": [
            *({"name": name, "in": "path", "required": True, "schema": {"type": "string"}} for name in _names(path)),
            *([] if binding.body else _query(schemas, protos, method, binding)),
        ],
        "responses": {
            "200": _answer(schemas, method),
            "default": {"$ref": f"#/components/responses/{method.token}.Error"},
        },
    }
    if not method.service.endswith(".RulesService"):
        operation["security"] = [{}, {"token": []}]
    if binding.body:
        operation["requestBody"] = {"required": True, "content": _json(schemas.message(method.request, Way.REQUEST))}
    return operation


def _names(path: str) -> list[str]:
    return re.findall(r"\{(\w+)\}", path)


def _query(schemas: Schemas, protos: Protos, method: Method, binding: Binding) -> list[Json]:
    place = protos.messages[method.request]
    return [
        {
            "name": each.json_name,
            "in": "query",
            "description": place.comment(2, number),
            "schema": schemas.field(each, Way.REQUEST),
        }
        for number, each in enumerate(place.element.field)
        if each.name not in _variables(binding)
    ]


def _answer(schemas: Schemas, method: Method) -> Json:
    schema = schemas.message(method.response, Way.ANSWER)
    if method.streams:
        said = "Server-sent events: the JSON of one message after each `data: `."
        return {"description": said, "content": {"text/event-stream": {"schema": schema}}}
    return {"description": "The answer.", "content": _json(schema)}


def _show(operation: Json, known: Mapping[str, Json]) -> None:
    """Put an example beside what an operation takes, and beside what it answers."""
    for part in (operation.get("requestBody"), operation["responses"]["200"]):
        for content in part["content"].values() if part else ():
            content["example"] = sample(content["schema"], known)


def _json(schema: Json) -> Json:
    return {"application/json": {"schema": schema}}
