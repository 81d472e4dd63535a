"""Errors in the document: google.rpc.Status with typed details, and an example of every reason there is."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from google.rpc.code_pb2 import Code

from services.edge.protos import OURS, Protos
from services.edge.replies import BARE, DOMAIN, REPLIES, Reply
from services.edge.values import KNOWN, REFERENCE, URL, constant
from services.edge.words import Json

DETAILS = ("ErrorInfo", "BadRequest", "PreconditionFailure", "RetryInfo")
HTTP: Mapping[int, int] = {3: 400, 4: 504, 5: 404, 7: 403, 8: 429, 9: 400, 10: 409, 12: 501, 13: 500, 14: 503, 16: 401}
"""The HTTP status of each google.rpc.Code that a server answers with."""
SHARED = ("rules", "session")
DOCUMENTED = re.compile(r"(?P<code>[A-Z_]+)\. (?P<text>.*?) *(?P<info>\{.*\})$")
"""The comment of a reason (proto/README.md)."""
OF_LUA = (
    Reply(405, 12, "VERB_NOT_ALLOWED", "the path takes other verbs"),
    Reply(415, 3, "UNSUPPORTED_MEDIA", "send content-type: application/json"),
)
"""What the filter of strict JSON alone says: lua/calls.lua."""
STRING: Json = {"type": "string"}


def _object(required: Mapping[str, Json], **optional: Json) -> dict[str, Any]:
    return {"type": "object", "properties": {**required, **optional}, "required": list(required)}


def _list(of: Json) -> Json:
    return {"type": "array", "items": of}


def _detail(name: str, description: str, **fields: Json) -> Json:
    return {"description": description, **_object({"@type": constant(f"google.rpc.{name}"), **fields})}


STATUS: Mapping[str, Json] = {
    "Status": {
        "description": "google.rpc.Status. One detail is an ErrorInfo: decide by its domain and reason.",
        **_object(
            {
                "code": {"type": "integer", "format": "int32", "description": "google.rpc.Code."},
                "message": {**STRING, "description": "For people."},
                "details": {**_list({"$ref": f"{REFERENCE}Detail"}), "description": "Each @type comes once at most."},
            }
        ),
    },
    "Detail": {
        "description": "One detail of an error, told by its @type.",
        "oneOf": [{"$ref": f"{REFERENCE}{name}"} for name in DETAILS],
        "discriminator": {
            "propertyName": "@type",
            "mapping": {f"{URL}google.rpc.{name}": f"{REFERENCE}{name}" for name in DETAILS},
        },
    },
    "ErrorInfo": _detail(
        "ErrorInfo",
        "google.rpc.ErrorInfo: why, for programs.",
        reason={**STRING, "description": "Why, within its domain. There may be more of them one day."},
        domain={**STRING, "description": "The proto package that documents the reason, or lair.edge."},
        metadata={"type": "object", "additionalProperties": STRING, "description": "What is dynamic in the message."},
    ),
    "BadRequest": _detail(
        "BadRequest",
        "google.rpc.BadRequest: which fields are wrong.",
        fieldViolations={**_list({"$ref": f"{REFERENCE}FieldViolation"}), "description": "At most 16."},
    ),
    "FieldViolation": {
        "description": "A field that is wrong.",
        **_object(
            {
                "field": {**STRING, "description": "Its path, such as seats[1].name. Empty: the whole body."},
                "description": {**STRING, "description": "What is wrong with it."},
            },
            reason={**STRING, "description": "Empty, or absent."},
        ),
    },
    "PreconditionFailure": _detail(
        "PreconditionFailure",
        "google.rpc.PreconditionFailure: the rule that forbids a move.",
        violations={**_list({"$ref": f"{REFERENCE}PreconditionViolation"}), "description": "One."},
    ),
    "PreconditionViolation": {
        "description": "A rule that forbids a move.",
        **_object(
            {
                "type": {**STRING, "description": "The reason."},
                "subject": {**STRING, "description": "The rule, such as C-R10."},
                "description": {**STRING, "description": "For people."},
            }
        ),
    },
    "RetryInfo": _detail(
        "RetryInfo",
        "google.rpc.RetryInfo: when to come again.",
        retryDelay={**KNOWN["google.protobuf.Duration"], "description": "After how long the same request may work."},
    ),
}
"""The schemas of errors, by name."""


def examples(protos: Protos) -> Mapping[str, Json]:
    """An error of every reason, by domain and reason. What has more than one status comes once for each."""
    return dict((*_of_protos(protos), *_of_edge()))


def answers(protos: Protos) -> Mapping[str, Json]:
    """What calls end with that fail, by the token of a service: its own reasons, and those of every service."""
    found = examples(protos)
    tokens = {name.split(".")[1] for name in protos.services}
    return {
        token: _answer({name: each for name, each in found.items() if _says(token, name)}) for token in sorted(tokens)
    }


def _says(token: str, name: str) -> bool:
    """Whether a service may give this reason. A session passes on what any game says."""
    shared = (f"{DOMAIN}.", f"{OURS}rules.v1.")
    return token in SHARED or name.startswith((*shared, f"{OURS}{token}.v1."))


def _answer(found: Mapping[str, Json]) -> Json:
    return {
        "description": "What is wrong, and why. Decide by domain and reason.",
        "content": {
            "application/json": {
                "schema": {"$ref": f"{REFERENCE}Status"},
                "examples": {name: {"$ref": f"#/components/examples/{name}"} for name in found},
            }
        },
    }


def _of_protos(protos: Protos) -> Iterator[tuple[str, Json]]:
    """The reasons that the protos document where they define them."""
    for name, place in protos.enums.items():
        token = name.split(".")[1]
        known = token in SHARED or f"{OURS}{token}.v1.RulesService" in protos.services
        if not (known and name.endswith((".ErrorReason", ".RefusalReason"))):
            continue
        for number in range(len(place.element.value)):
            if documented := DOCUMENTED.match(place.comment(2, number)):
                info = json.loads(documented["info"])
                code = Code.Value(documented["code"])
                status = {"code": code, "message": documented["text"], "details": _details(info, documented["text"])}
                title = f"{HTTP[code]}, {documented['code']}"
                yield f"{info['domain']}.{info['reason']}", {"summary": title, "value": status}


def _details(info: Mapping[str, Any], text: str) -> list[Json]:
    """What comes with a reason, as its comment says."""
    metadata = info.get("metadata", {})
    found: list[Json] = [{"@type": f"{URL}google.rpc.ErrorInfo", **info, "metadata": metadata}]
    if rule := metadata.get("rule"):
        violation = {"type": info["reason"], "subject": rule, "description": text}
        found.append({"@type": f"{URL}google.rpc.PreconditionFailure", "violations": [violation]})
    if "BadRequest" in text:
        violation = {"field": "position", "description": text}
        found.append({"@type": f"{URL}google.rpc.BadRequest", "fieldViolations": [violation]})
    if "RetryInfo" in text:
        found.append({"@type": f"{URL}google.rpc.RetryInfo", "retryDelay": "1s"})
    return found


def _of_edge() -> Iterator[tuple[str, Json]]:
    """What the edge says by itself."""
    known = {(reply.reason, reply.status): reply for reply in (*OF_LUA, *REPLIES, *BARE.values())}
    for (reason, status), reply in known.items():
        if reply.domain == DOMAIN:
            said = {"summary": f"{status}, {Code.Name(reply.code)}", "value": reply.json}
            yield f"{DOMAIN}.{reason}.{status}", said
