"""The Lua filter before the transcoder, with its tables: what paths there are, and which fields their messages have.

Envoy's transcoder drops a field that it doesn't know, and so a misspelt option would be a default in silence.
"""

import json
import re
from collections.abc import Iterator, Mapping
from importlib.resources import files

from google.protobuf.descriptor_pb2 import DescriptorProto, FieldDescriptorProto

from services.edge.protos import OURS, Protos

ANY = "google.protobuf.Any"
VARIABLE = re.compile(r"\{\w+=([^}]*)\}|\{\w+\}")


def render_strict_json(protos: Protos) -> str:
    """The source of the filter."""
    code = (files("services.edge") / "strict_json.lua").read_text(encoding="utf-8")
    return "\n".join((*_methods(protos), *_types(protos), code))


def pattern(path: str) -> str:
    """A template of google.api.http as a pattern of Lua: a star is one segment, without what has a meaning in paths."""
    parts = []
    last = 0
    for variable in VARIABLE.finditer(path):
        parts += [_escape(path[last : variable.start()]), _escape(variable[1] or "*").replace("%*", "[^/:]+")]
        last = variable.end()
    return f"^{''.join(parts)}{_escape(path[last:])}$"


def _escape(text: str) -> str:
    return re.sub(r"([^\w/])", r"%\1", text)


def _methods(protos: Protos) -> Iterator[str]:
    verbs: dict[str, dict[str, str]] = {}
    for method in protos.methods:
        for binding in method.bindings:
            verbs.setdefault(pattern(binding.path), {})[binding.verb] = method.request
    yield "local METHODS = {"
    for path, requests in verbs.items():
        yield f"  {{{_text(path)}, {_table(requests)}}},"
    yield "}"


def _types(protos: Protos) -> Iterator[str]:
    yield "local TYPES = {"
    for name, place in protos.messages.items():
        if name.startswith(OURS) and not place.element.options.map_entry:
            yield f"  [{_text(name)}] = {_table(_fields(protos, place.element))},"
    yield "}"


def _fields(protos: Protos, message: DescriptorProto) -> Mapping[str, str]:
    """The kind of each field, under both names that JSON may use."""
    return {
        name: _kind(protos, field) for field in message.field for name in dict.fromkeys((field.name, field.json_name))
    }


def _kind(protos: Protos, field: FieldDescriptorProto) -> str:
    name = field.type_name.lstrip(".")
    if field.type != FieldDescriptorProto.TYPE_MESSAGE:
        return ""
    message = protos.messages[name].element
    if message.options.map_entry:
        inner = _kind(protos, message.field[1])
        return f"%{inner}" if inner else ""
    if name == ANY:
        return "?"
    return name if name.startswith(OURS) else ""


def _table(entries: Mapping[str, str]) -> str:
    return "{" + ", ".join(f"[{_text(key)}] = {_text(value)}" for key, value in entries.items()) + "}"


def _text(text: str) -> str:
    return json.dumps(text)
