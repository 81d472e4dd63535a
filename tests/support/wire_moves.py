"""Moves as messages, by their descriptors: whatever a client in any language may send, and other orders of it."""

from collections.abc import Iterator
from typing import Any

from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from hypothesis import strategies as st

NUMBERS = st.integers(0, 6) | st.integers(0, 60)
"""Seats, dice, cards, faces."""


def wire_moves(move: Descriptor) -> st.SearchStrategy[Any]:
    """Messages with one kind of move each, and any fields in it."""
    (kinds,) = move.oneofs
    made = GetMessageClass(move)
    return st.one_of([_value(kind).map(lambda value, name=kind.name: made(**{name: value})) for kind in kinds.fields])


def turned_round(message: Message) -> Iterator[Message]:
    """Copies with one list in it, however deep, the other way round."""
    for field, value in message.ListFields():
        copy = type(message)()
        copy.CopyFrom(message)
        if field.is_repeated:
            copy.ClearField(field.name)
            getattr(copy, field.name).extend(list(value)[::-1])
            yield copy
        elif isinstance(value, Message):
            for turned in turned_round(value):
                getattr(copy, field.name).CopyFrom(turned)
                yield type(message).FromString(copy.SerializeToString())


def _value(field: FieldDescriptor) -> st.SearchStrategy[Any]:
    one = _one(field)
    return st.lists(one, max_size=3) if field.is_repeated else one


def _one(field: FieldDescriptor) -> st.SearchStrategy[Any]:
    if field.message_type is not None:
        return _message(field.message_type)
    if field.cpp_type == FieldDescriptor.CPPTYPE_BOOL:
        return st.booleans()
    return NUMBERS


def _message(descriptor: Descriptor) -> st.SearchStrategy[Any]:
    """At most one field of each choice."""
    made = GetMessageClass(descriptor)
    plain: dict[Any, Any] = {
        field.name: _value(field)
        for field in descriptor.fields
        if field.containing_oneof is None or _is_optional(field.containing_oneof)
    }
    choices = [oneof for oneof in descriptor.oneofs if not _is_optional(oneof)]
    chosen = [
        st.one_of([_value(field).map(lambda value, name=field.name: {name: value}) for field in oneof.fields])
        for oneof in choices
    ]
    return st.tuples(st.fixed_dictionaries({}, optional=plain), *chosen).map(
        lambda parts: made(**{name: value for part in parts for name, value in part.items()})
    )


def _is_optional(oneof: Any) -> bool:
    """Whether a choice is only how proto3 says that a field is optional."""
    return len(oneof.fields) == 1 and oneof.name == f"_{oneof.fields[0].name}"
