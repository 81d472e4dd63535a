"""Changes one thing in a message, by its descriptor: whatever a caller might send instead."""

from typing import Any

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message
from hypothesis import strategies as st

ABSURD = (-(2**31), -1, 0, 1, 2, 3, 6, 7, 9, 1000, 2**31 - 1)
MANY = 10_000


@st.composite
def damaged(draw: st.DrawFn, message: Message, most: int = 1) -> Message:
    """Copies of a message in which a field, or so many, are changed: value, length, or whether it is there."""
    copy = type(message).FromString(message.SerializeToString())
    for _ in range(draw(st.integers(1, most))):
        _damage(draw, copy)
    return copy


def _damage(draw: st.DrawFn, message: Message) -> None:
    fields: Any = message.DESCRIPTOR.fields
    field = draw(st.sampled_from(list(fields)))
    if field.is_repeated:
        _damage_list(draw, field, getattr(message, field.name))
    elif field.message_type is None:
        setattr(message, field.name, _value(draw, field, getattr(message, field.name)))
    elif draw(st.booleans()) and message.HasField(field.name):
        message.ClearField(field.name)
    elif field.message_type.fields:
        _damage(draw, getattr(message, field.name))
    else:
        getattr(message, field.name).SetInParent()


def _damage_list(draw: st.DrawFn, field: FieldDescriptor, items: Any) -> None:
    what = draw(st.sampled_from(("change", "add", "drop", "double", "clear", "fill")))
    if what == "add":
        if field.message_type is None:
            items.append(_value(draw, field, 0))
        else:
            items.add()
    elif what == "fill" and items:
        items.extend([items[0]] * MANY)
    elif what == "double":
        items.extend(list(items))
    elif what == "clear" or not items:
        del items[:]
    else:
        at = draw(st.integers(0, len(items) - 1))
        if what == "drop":
            del items[at]
        elif field.message_type is None:
            items[at] = _value(draw, field, items[at])
        else:
            _damage(draw, items[at])


def _value(draw: st.DrawFn, field: FieldDescriptor, value: Any) -> Any:
    match field.cpp_type:
        case FieldDescriptor.CPPTYPE_BOOL:
            return not value
        case FieldDescriptor.CPPTYPE_STRING:
            return draw(st.binary() if field.type == FieldDescriptor.TYPE_BYTES else st.text())
        case FieldDescriptor.CPPTYPE_ENUM:
            return draw(st.sampled_from((0, 1, 2, 3, 99, -1)))
    near = [value + step for step in (-2, -1, 1, 2)]
    unsigned = field.cpp_type in {FieldDescriptor.CPPTYPE_UINT32, FieldDescriptor.CPPTYPE_UINT64}
    return draw(st.sampled_from([number for number in (*near, *ABSURD) if _fits(number, unsigned=unsigned)]))


def _fits(number: int, *, unsigned: bool) -> bool:
    return (0 if unsigned else -(2**31)) <= number < 2**31
