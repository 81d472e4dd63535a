"""Requests that nobody sends on purpose: hypothesis strategies that are built from descriptors."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from google.protobuf.any_pb2 import Any as Packed
from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from hypothesis import strategies as st

DEEP = 4
MANY = 3000
INT32 = st.sampled_from([0, 1, -1, 2, 5, 7, 255, 2**31 - 1, -(2**31)]) | st.integers(-(2**31), 2**31 - 1)
INT64 = st.sampled_from([0, 1, -1, 2**31, 2**53 + 1, 2**63 - 1, -(2**63)]) | st.integers(-(2**63), 2**63 - 1)
TEXTS = ["", "x", "\0", "é\U0001f47e" * 30, "harvest", "feed", "timeout", "../..", "-" * 5000, '"0"', "%s{0}", "1e999"]
RAW = [b"", b"\xff", b"\0" * 70, b"\x0b" * 500, b"\x0a\x02\xff\xfe", b"\x0a" + b"\x7f" * 20]
TYPES = ["", "x", "type.googleapis.com/", "type.googleapis.com/google.protobuf.Any", "http://example.com/monsters.x"]
# Values that upset parsers: groups without an end, lengths that lie, varints without an end, invalid UTF-8, field 0.
JUNK = [
    b"",
    b"\xff",
    b"\x00",
    b"\x0b" * 5000,
    b"\x0a" * 5000,
    b"\x0a\xff\xff\xff\xff\x07",
    b"\xff" * 11,
    b"\x0a\x02\xc3\x28",
    b"\x0a\x04\xed\xa0\x80\xed",
    b"\x02\x00",
    b"\x07\x00",
    b"\x0c",
    bytes(range(256)),
]


Hints = Mapping[str, Sequence[Any]]
"""Values that mean something to the server, by the name of the field: they get a request past the first checks."""


def packed(types: Sequence[str]) -> st.SearchStrategy[Packed]:
    """An Any with a type that it hasn't, or with something absurd in it; sometimes Any in Any in Any."""
    flat = st.builds(
        Packed,
        type_url=st.sampled_from([*TYPES, *(f"type.googleapis.com/{name}" for name in types)]) | st.text(max_size=8),
        value=st.sampled_from(RAW) | st.binary(max_size=20),
    )
    return flat | st.recursive(flat, lambda inner: inner.map(_wrapped), max_leaves=DEEP)


def _wrapped(inner: Packed) -> Packed:
    return Packed(type_url="type.googleapis.com/google.protobuf.Any", value=inner.SerializeToString())


def messages(descriptor: Descriptor, hints: Hints = MappingProxyType({}), depth: int = DEEP) -> st.SearchStrategy[Any]:
    """Messages of a type with any fields missing, and absurd values or hints in the others."""
    if descriptor.full_name == Packed.DESCRIPTOR.full_name:
        return packed(hints.get("type", ()))
    always, sometimes = {}, {}
    for field in descriptor.fields:
        if depth or field.message_type is None:
            absurd = _values(field, hints, depth - 1)
            known = [hint for hint in hints.get(field.name, ()) if _fits(field, hint)]
            if known:
                good = st.sampled_from([[hint, hint] for hint in known] if field.is_repeated else known)
                always[field.name] = good | good | good | absurd
            else:
                sometimes[field.name] = absurd
    return st.fixed_dictionaries(always, optional=sometimes).map(lambda values: GetMessageClass(descriptor)(**values))


def _fits(field: FieldDescriptor, hint: Any) -> bool:
    """Whether a hint is of the field's type: different messages have fields of one name."""
    if field.message_type is not None:
        return isinstance(hint, Message) and hint.DESCRIPTOR.full_name == field.message_type.full_name
    return isinstance(hint, str if field.type == FieldDescriptor.TYPE_STRING else int)


def _values(field: FieldDescriptor, hints: Hints, depth: int) -> st.SearchStrategy[Any]:
    one = _value(field, hints, depth)
    if not field.is_repeated:
        return one
    some = st.lists(one, max_size=4)
    # Many of something that may itself hold many would be more than there is room for.
    return some if field.message_type else some | one.map(lambda value: [value] * MANY)


def _value(field: FieldDescriptor, hints: Hints, depth: int) -> st.SearchStrategy[Any]:
    match field.type:
        case FieldDescriptor.TYPE_MESSAGE:
            assert field.message_type is not None
            return messages(field.message_type, hints, depth)
        case FieldDescriptor.TYPE_STRING:
            return st.sampled_from(TEXTS) | st.text(max_size=12)
        case FieldDescriptor.TYPE_BYTES:
            return st.sampled_from(RAW) | st.binary(max_size=70)
        case FieldDescriptor.TYPE_BOOL:
            return st.booleans()
        case FieldDescriptor.TYPE_INT64:
            return INT64
        case FieldDescriptor.TYPE_INT32 | FieldDescriptor.TYPE_ENUM:
            return INT32
    raise NotImplementedError(f"{field.full_name}: no values for a field of this type yet")


@st.composite
def spoiled(draw: st.DrawFn, whole: st.SearchStrategy[bytes]) -> bytes:
    """Bytes that were right before one of them was changed, left out, doubled, or everything after it was lost."""
    raw = draw(whole)
    at = draw(st.integers(0, max(len(raw) - 1, 0)))
    byte = draw(st.binary(min_size=1, max_size=1))
    return draw(
        st.sampled_from(
            [raw[:at] + byte + raw[at + 1 :], raw[:at] + raw[at + 1 :], raw[:at], raw[:at] + byte + raw[at:]]
        )
    )


@st.composite
def one_field_changed(draw: st.DrawFn, originals: Sequence[Message]) -> Message:
    """One of these messages with one field, however deep, set to something absurd."""
    original = draw(st.sampled_from(originals))
    changed = type(original)()
    changed.CopyFrom(original)
    inside: Message = changed
    while True:
        fields: list[Any] = list(inside.DESCRIPTOR.fields)
        field = draw(st.sampled_from(fields))
        if field.message_type is None:
            break
        below = getattr(inside, field.name)
        if not field.is_repeated:
            inside = below
        elif below and draw(st.booleans()):
            inside = draw(st.sampled_from(list(below)))
        else:
            below.extend([draw(messages(field.message_type))])
            return changed
    if field.is_repeated:
        _change_one(draw, getattr(inside, field.name), _value(field, {}, 0))
    elif draw(st.booleans()):
        setattr(inside, field.name, draw(_value(field, {}, 0)))
    else:
        inside.ClearField(field.name)
    return changed


def _change_one(draw: st.DrawFn, items: Any, values: st.SearchStrategy[Any]) -> None:
    """Change, add or drop one item of a repeated field."""
    if items and draw(st.booleans()):
        items[draw(st.integers(0, len(items) - 1))] = draw(values)
    elif items and draw(st.booleans()):
        del items[-1]
    else:
        items.append(draw(values))
