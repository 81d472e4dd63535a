"""The values of protobuf's JSON that are no messages of ours, as JSON Schema."""

from collections.abc import Mapping

from google.protobuf.descriptor_pb2 import FieldDescriptorProto

from services.edge.words import Json

REFERENCE = "#/components/schemas/"
URL = "type.googleapis.com/"
"""What stands before the full name of a message in the @type of an Any."""
Field = FieldDescriptorProto
INTEGER: Json = {"type": "integer", "format": "int32"}
COUNT: Json = {"type": "integer", "minimum": 0}
LONG: Json = {"type": "string", "format": "int64", "pattern": "^-?[0-9]+$"}
"""Numbers of 64 bits are strings: JavaScript has no room for them."""
SCALARS: Mapping[int, Json] = {
    Field.TYPE_STRING: {"type": "string"},
    Field.TYPE_BYTES: {"type": "string", "contentEncoding": "base64"},
    Field.TYPE_BOOL: {"type": "boolean"},
    Field.TYPE_DOUBLE: {"type": "number"},
    Field.TYPE_FLOAT: {"type": "number"},
    **dict.fromkeys((Field.TYPE_INT32, Field.TYPE_SINT32, Field.TYPE_SFIXED32), INTEGER),
    **dict.fromkeys((Field.TYPE_UINT32, Field.TYPE_FIXED32), COUNT),
    **dict.fromkeys((Field.TYPE_INT64, Field.TYPE_SINT64, Field.TYPE_SFIXED64), LONG),
    **dict.fromkeys((Field.TYPE_UINT64, Field.TYPE_FIXED64), LONG),
}
ANY = "google.protobuf.Any"
KNOWN: Mapping[str, Json] = {
    ANY: {
        "type": "object",
        "properties": {"@type": {"type": "string"}},
        "required": ["@type"],
        "additionalProperties": True,
    },
    "google.rpc.Status": {"$ref": f"{REFERENCE}Status"},
    "google.protobuf.Timestamp": {"type": "string", "format": "date-time"},
    "google.protobuf.Duration": {"type": "string", "pattern": r"^-?[0-9]+(\.[0-9]{1,9})?s$", "examples": ["1.5s"]},
}


def constant(name: str) -> Json:
    """The @type of a message, by its full name."""
    return {"type": "string", "const": f"{URL}{name}", "description": "Tells the message."}
