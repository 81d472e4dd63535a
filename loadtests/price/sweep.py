"""Before anything is drawn: every list of every request as long as it can be, and every value that means something."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

from google.protobuf.any_pb2 import Any as Packed
from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from loadtests.price.ingredients import Hints
from loadtests.price.mutation import EMPTY
from loadtests.price.structure import fitting
from services.session.wire.encoding import tag_of

SIZES = (60_000, 1000)
"""Bytes of a list or a text: as many as a request may have, and as a position may have."""
SIZES_IN_JSON = (6000,)
"""The text is some times as long."""
DEEP = 5
MOST_VALUES = 8
Way = tuple[FieldDescriptor, ...]
Step = Callable[[], Message]


def sweep(descriptor: Descriptor, hints: Hints, sizes: Sequence[int]) -> Iterator[Step]:
    """What makes messages of a type that are right but for one field, which is very large, or has another value."""
    for way in _ways(descriptor, DEEP):
        *_, last = way
        if last.is_repeated or last.cpp_type == FieldDescriptor.CPPTYPE_STRING:
            yield from (partial(_filled, descriptor, hints, way, size) for size in sizes)
        elif len(way) == 1:
            yield from (partial(_with, descriptor, hints, last, value) for value in fitting(last, hints)[:MOST_VALUES])


def _filled(descriptor: Descriptor, hints: Hints, way: Way, size: int) -> Message:
    message = _right(descriptor, hints)
    _fill(message, way, size)
    return message


def _with(descriptor: Descriptor, hints: Hints, field: FieldDescriptor, value: Any) -> Message:
    message = _right(descriptor, hints)
    _set(message, field, value)
    return message


def _ways(descriptor: Descriptor, deep: int) -> Iterator[Way]:
    """The way to every field, through messages and the elements of lists."""
    for field in descriptor.fields:
        yield (field,)
        inner = field.message_type
        if inner is not None and deep and inner.full_name != Packed.DESCRIPTOR.full_name:
            yield from ((field, *way) for way in _ways(inner, deep - 1))


def _right(descriptor: Descriptor, hints: Hints) -> Message:
    """A message with the first value that means something in each field for which there is one."""
    message = GetMessageClass(descriptor)()
    for field in descriptor.fields:
        known: Sequence[Any] = fitting(field, hints)
        if known and not (field.containing_oneof and message.WhichOneof(field.containing_oneof.name)):
            _set(message, field, known[0])
    return message


def _set(message: Message, field: FieldDescriptor, value: Any) -> None:
    if field.is_repeated:
        getattr(message, field.name).extend([value] * 2)
    elif field.message_type is not None:
        getattr(message, field.name).CopyFrom(value)
    else:
        setattr(message, field.name, value)


def _fill(message: Any, way: Way, size: int) -> None:
    """Put so many bytes of the least elements into the list, or into the text, at the end of a way."""
    field, *rest = way
    inside = getattr(message, field.name)
    if rest:
        _fill(inside.add() if field.is_repeated else inside, tuple(rest), size)
    elif not field.is_repeated:
        text = field.type == FieldDescriptor.TYPE_STRING
        setattr(message, field.name, "x" * size if text else b"\x12\x00" * (size // 2))
    elif field.message_type is not None:
        message.MergeFromString((tag_of(type(message), field.name) + EMPTY) * (size // 2))
    elif field.cpp_type == FieldDescriptor.CPPTYPE_STRING:
        inside.extend(["x" if field.type == FieldDescriptor.TYPE_STRING else b"x"] * (size // 3))
    else:
        inside.extend([1] * size)
