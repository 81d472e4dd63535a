"""Which fields of a message are always there, in answers and in requests.

The transcoder writes every scalar, enum, list and map of an answer, also when it is empty: services/edge/listener.py
tells it to (always_print_primitive_fields). What is `optional` in a proto is left out when it is absent, and so is a
message. So a message is always there, unless its comment says when it is not: "Absent: ...", "Absent before the start."
"""

import re
from collections.abc import Sequence

from google.api.field_behavior_pb2 import FieldBehavior, field_behavior
from google.protobuf.descriptor_pb2 import DescriptorProto, FieldDescriptorProto

from services.edge.protos import Place

ABSENT = re.compile(r"\bAbsent(?::| (?:at|before|for|in(?! a request)|otherwise|until|when|while|without)\b)")


def in_answers(place: Place[DescriptorProto], number: int) -> bool:
    """Whether an answer always has this field, which is in no oneof."""
    field = place.element.field[number]
    if field.proto3_optional:
        return False
    single = field.type == FieldDescriptorProto.TYPE_MESSAGE and field.label != FieldDescriptorProto.LABEL_REPEATED
    return not (single and ABSENT.search(place.comment(2, number)))


def in_requests(place: Place[DescriptorProto], number: int) -> bool:
    """Whether a request has to have this field (AIP-203)."""
    return FieldBehavior.REQUIRED in place.element.field[number].options.Extensions[field_behavior]


def choices(message: DescriptorProto) -> Sequence[Sequence[FieldDescriptorProto]]:
    """The fields of each oneof."""
    found: dict[int, list[FieldDescriptorProto]] = {}
    for field in message.field:
        if field.HasField("oneof_index") and not field.proto3_optional:
            found.setdefault(field.oneof_index, []).append(field)
    return tuple(found.values())
