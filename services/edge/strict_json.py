"""The Lua filter before the transcoder, with its tables: what paths there are, and which fields their messages have.

Envoy's transcoder drops a field that it doesn't know, so that a misspelt option would be a default in silence; it takes
text that is no JSON, reads the last of two values, and names no field whose value is of the wrong kind.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from importlib.resources import files
from typing import Any

from google.protobuf.descriptor_pb2 import DescriptorProto, FieldDescriptorProto

from services.edge.protos import OURS, Method, Protos
from services.edge.replies import BARE

HEADER_BYTES = 12 * 1024
"""Of all headers of a call, each with 32 bytes more, as HTTP/2 and the servers count them. The servers take 16 kB."""
SESSIONS = "{name=sessions/*}"
"""How a path names the session that a call is about."""
PARTS = ("json", "kinds", "queries", "calls")
"""The files of the filter: each uses what stands before it."""
VARIABLE = re.compile(r"\{(?P<name>\w+)(?:=(?P<segments>[^}]*))?\}")
Field = FieldDescriptorProto
SCALARS = {
    Field.TYPE_BOOL: "bool",
    Field.TYPE_BYTES: "bytes",
    Field.TYPE_DOUBLE: "double",
    Field.TYPE_FIXED32: "uint32",
    Field.TYPE_FIXED64: "uint64",
    Field.TYPE_FLOAT: "float",
    Field.TYPE_INT32: "int32",
    Field.TYPE_INT64: "int64",
    Field.TYPE_SFIXED32: "int32",
    Field.TYPE_SFIXED64: "int64",
    Field.TYPE_SINT32: "int32",
    Field.TYPE_SINT64: "int64",
    Field.TYPE_STRING: "string",
    Field.TYPE_UINT32: "uint32",
    Field.TYPE_UINT64: "uint64",
}
KNOWN = {
    "google.protobuf.Any": "?",
    "google.protobuf.Duration": "duration",
    "google.protobuf.FieldMask": "mask",
    "google.protobuf.Timestamp": "timestamp",
}
"""What has a form of its own in JSON. Others of Google's go on to the transcoder as they are."""


def render_strict_json(protos: Protos, pages: Iterable[str] = ()) -> str:
    """The source of the filter. It leaves these paths alone."""
    tables: dict[str, Any] = {
        "MOST_HEADER_BYTES": HEADER_BYTES,
        "METHODS": _methods(protos),
        "PAGES": dict.fromkeys(pages, True),
        "TYPES": {name: _fields(protos, message) for name, message in _ours(protos)},
        "ONE_OF": {name: choices for name, message in _ours(protos) if (choices := _choices(message))},
        "ENUMS": {
            name: {value.name: True for value in place.element.value}
            for name, place in protos.enums.items()
            if name.startswith(OURS)
        },
        "BARE": {code: [str(reply.status), reply.body] for code, reply in BARE.items()},
    }
    code = [(files("services.edge") / "lua" / f"{part}.lua").read_text(encoding="utf-8") for part in PARTS]
    return "\n".join((*(f"local {name} = {_lua(table)}" for name, table in tables.items()), *code))


def pattern(path: str) -> str:
    """A template of google.api.http as a pattern of Lua, with each variable captured.

    A star is one segment, without what has a meaning in paths.
    """
    parts = []
    last = 0
    for variable in VARIABLE.finditer(path):
        segments = _escape(variable["segments"] or "*").replace("%*", "[^/:]+")
        parts += [_escape(path[last : variable.start()]), f"({segments})"]
        last = variable.end()
    return f"^{''.join(parts)}{_escape(path[last:])}$"


def _escape(text: str) -> str:
    return re.sub(r"([^\w/])", r"%\1", text)


def _methods(protos: Protos) -> list[Any]:
    verbs: dict[str, dict[str, Any]] = {}
    for method in protos.methods:
        for binding in method.bindings:
            calls = verbs.setdefault(pattern(binding.path), {})
            calls[binding.verb] = _call(method, binding.path, takes_body=bool(binding.body))
    return [[path, calls] for path, calls in verbs.items()]


def _call(method: Method, path: str, *, takes_body: bool) -> Mapping[str, Any]:
    in_path = {variable["name"]: place for place, variable in enumerate(VARIABLE.finditer(path), start=1)}
    session = in_path.get("name", 0) if SESSIONS in path else 0
    return {
        "request": method.request,
        "takes_body": takes_body,
        "streams": method.streams,
        "in_path": in_path,
        "session": session,
    }


def _ours(protos: Protos) -> Iterator[tuple[str, DescriptorProto]]:
    for name, place in protos.messages.items():
        if name.startswith(OURS) and not place.element.options.map_entry:
            yield name, place.element


def _fields(protos: Protos, message: DescriptorProto) -> Mapping[str, str]:
    """The kind of each field, by its name in JSON; and the proto's own name, which leads there."""
    kinds = {_json_name(field): _kind(protos, field) for field in message.field}
    others = {field.name: f"={_json_name(field)}" for field in message.field if field.name != _json_name(field)}
    return kinds | others


def _json_name(field: FieldDescriptorProto) -> str:
    """As protoc says it, or where no protoc was, as it would (json_name in descriptor.proto)."""
    return field.json_name or re.sub(r"_+(\w?)", lambda found: found[1].upper(), field.name)


def _kind(protos: Protos, field: FieldDescriptorProto) -> str:
    name = field.type_name.lstrip(".")
    if field.type == Field.TYPE_MESSAGE and protos.messages[name].element.options.map_entry:
        return f"%{_kind(protos, protos.messages[name].element.field[1])}"
    return f"*{_one(field, name)}" if field.label == Field.LABEL_REPEATED else _one(field, name)


def _one(field: FieldDescriptorProto, name: str) -> str:
    if field.type == Field.TYPE_ENUM:
        return f"#{name}" if name.startswith(OURS) else ""
    if field.type == Field.TYPE_MESSAGE:
        return KNOWN.get(name) or (name if name.startswith(OURS) else "")
    return SCALARS[field.type]


def _choices(message: DescriptorProto) -> Mapping[str, str]:
    """Which fields exclude each other, by the oneof that they are of."""
    return {
        _json_name(field): message.oneof_decl[field.oneof_index].name
        for field in message.field
        if field.HasField("oneof_index") and not field.proto3_optional
    }


def _lua(value: Any) -> str:
    """A value as Lua writes it."""
    match value:
        case bool():
            return str(value).lower()
        case int():
            return str(value)
        case str():
            return json.dumps(value, ensure_ascii=False)
        case list():
            return f"{{{', '.join(map(_lua, value))}}}"
        case _:
            return f"{{{', '.join(f'[{_lua(key)}] = {_lua(each)}' for key, each in value.items())}}}"
