"""The messages of the contract as JSON Schema, as protobuf writes them in JSON."""

from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from typing import Any

from google.api.field_behavior_pb2 import FieldBehavior, field_behavior
from google.protobuf.descriptor_pb2 import DescriptorProto, EnumDescriptorProto, FieldDescriptorProto

from services.edge.protos import OURS, Place, Protos
from services.edge.words import Json

REFERENCE = "#/components/schemas/"
Field = FieldDescriptorProto
INTEGER: Json = {"type": "integer", "format": "int32"}
COUNT: Json = {"type": "integer", "minimum": 0}
LONG: Json = {"type": "string", "format": "int64", "pattern": "^-?[0-9]+$"}
"""Numbers of 64 bits are strings: JavaScript has no room for them."""
SCALARS: Mapping[int, Json] = {
    Field.TYPE_STRING: {"type": "string"},
    Field.TYPE_BYTES: {"type": "string", "format": "byte"},
    Field.TYPE_BOOL: {"type": "boolean"},
    Field.TYPE_DOUBLE: {"type": "number"},
    Field.TYPE_FLOAT: {"type": "number"},
    **dict.fromkeys((Field.TYPE_INT32, Field.TYPE_SINT32, Field.TYPE_SFIXED32), INTEGER),
    **dict.fromkeys((Field.TYPE_UINT32, Field.TYPE_FIXED32), COUNT),
    **dict.fromkeys((Field.TYPE_INT64, Field.TYPE_SINT64, Field.TYPE_SFIXED64), LONG),
    **dict.fromkeys((Field.TYPE_UINT64, Field.TYPE_FIXED64), LONG),
}
KNOWN: Mapping[str, Json] = {
    "google.protobuf.Any": {
        "type": "object",
        "properties": {"@type": {"type": "string", "example": "type.googleapis.com/monsters.<game>.v1.Move"}},
        "required": ["@type"],
        "additionalProperties": True,
    },
    "google.rpc.Status": {"$ref": f"{REFERENCE}Status"},
    "google.protobuf.Timestamp": {"type": "string", "format": "date-time"},
    "google.protobuf.Duration": {"type": "string", "pattern": r"^-?[0-9]+(\.[0-9]{1,9})?s$", "example": "1.5s"},
}
STATUS: Json = {
    "type": "object",
    "description": "google.rpc.Status. One detail is an ErrorInfo: decide by its domain and reason.",
    "properties": {
        "code": {"type": "integer", "description": "google.rpc.Code"},
        "message": {"type": "string", "description": "For people."},
        "details": {"type": "array", "items": KNOWN["google.protobuf.Any"]},
    },
}


def short(name: str) -> str:
    """monsters.session.v1.Seat as session.Seat."""
    return name.removeprefix(OURS).replace(".v1.", ".")


def schemas(protos: Protos, roots: AbstractSet[str], elsewhere: Mapping[str, AbstractSet[str]]) -> Mapping[str, Json]:
    """The messages that the roots lead to, and their enums. `elsewhere` are fields that come in the path."""
    found: dict[str, Json] = {}
    waiting = sorted(roots)
    while waiting:
        name = waiting.pop()
        if short(name) in found or not name.startswith(OURS):
            continue
        if (place := protos.enums.get(name)) is not None:
            found[short(name)] = _enum(place)
            continue
        message = protos.messages[name]
        found[short(name)] = _message(protos, message, elsewhere.get(name, frozenset()))
        waiting += [field.type_name.lstrip(".") for field in message.element.field if field.type_name]
        waiting += [of.type_name.lstrip(".") for of in _values(protos, message.element) if of.type_name]
    return {name: found[name] for name in sorted(found)} | {"Status": STATUS}


def _values(protos: Protos, message: DescriptorProto) -> Iterator[FieldDescriptorProto]:
    """What the maps of a message are of."""
    for field in message.field:
        inner = protos.messages.get(field.type_name.lstrip("."))
        if inner is not None and inner.element.options.map_entry:
            yield inner.element.field[1]


def _message(protos: Protos, place: Place[DescriptorProto], elsewhere: AbstractSet[str]) -> Json:
    message = place.element
    fields = [(number, each) for number, each in enumerate(message.field) if each.name not in elsewhere]
    required = [
        each.json_name for _, each in fields if FieldBehavior.REQUIRED in each.options.Extensions[field_behavior]
    ]
    schema: dict[str, Any] = {
        "type": "object",
        "description": _with_choices(place),
        "properties": {
            each.json_name: {**field(protos, each), "description": place.comment(2, number)} for number, each in fields
        },
    }
    return {**schema, "required": required} if required else schema


def _with_choices(place: Place[DescriptorProto]) -> str:
    """What the message is, and of which fields it has at most one."""
    choices: dict[int, list[str]] = {}
    for each in place.element.field:
        if each.HasField("oneof_index") and not each.proto3_optional:
            choices.setdefault(each.oneof_index, []).append(each.json_name)
    return " ".join([place.comment(), *(f"At most one of: {', '.join(names)}." for names in choices.values())])


def field(protos: Protos, each: FieldDescriptorProto) -> Json:
    """The schema of one field."""
    name = each.type_name.lstrip(".")
    if (inner := protos.messages.get(name)) is not None and inner.element.options.map_entry:
        return {"type": "object", "additionalProperties": field(protos, inner.element.field[1])}
    one = KNOWN.get(name) or SCALARS.get(each.type) or {"$ref": f"{REFERENCE}{short(name)}"}
    return {"type": "array", "items": one} if each.label == Field.LABEL_REPEATED else one


def _enum(place: Place[EnumDescriptorProto]) -> Json:
    values = place.element.value
    said = "\n".join(f"- `{value.name}`: {place.comment(2, number)}" for number, value in enumerate(values))
    return {"type": "string", "enum": [value.name for value in values], "description": f"{place.comment()}\n\n{said}"}
