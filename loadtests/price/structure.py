"""Requests from descriptors: any field missing, absurd, or there by the thousand; often values that mean something."""

import random
from collections.abc import Callable, Sequence
from typing import Any

from google.protobuf.any_pb2 import Any as Packed
from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from loadtests.price.ingredients import Hints

DEEP = 5
MOST_BYTES = 70_000
"""A little more than a request may have."""
NUMBERS = (0, 1, -1, 2, 3, 5, 7, 31, 255, 256, 1000, 10_000, 2**31 - 1, -(2**31))
LARGE = (2**31, 2**53 + 1, 2**63 - 1, -(2**63))
TEXTS = (
    "",
    "x",
    "\0",
    "é\U0001f47e" * 30,
    "../..",
    '"0"',
    "%s{0}",
    "1e999",
    " ",
    "-" * 300,
    "9" * 400,
    "\u202e",
    "'--",
)
RAW = (b"", b"\xff", bytes(70), b"\x0b" * 500, b"\x0a\x02\xff\xfe", b"\x12\x00" * 500, bytes(range(256)))
URLS = ("", "x", "type.googleapis.com/", "type.googleapis.com/google.protobuf.Any", "http://example.com/monsters.x")
LENGTHS = (0, 1, 1, 2, 2, 3, 4, 6, 16, 64, 65, 255, 257, 1000, 1001, 4000, 30_000)


class Builder:
    """Builds messages at random."""

    def __init__(self, chance: random.Random) -> None:
        self._chance = chance

    def message(self, descriptor: Descriptor, hints: Hints, deep: int = DEEP) -> Message:
        """A message of a type."""
        chance = self._chance
        if descriptor.full_name == Packed.DESCRIPTOR.full_name:
            return Packed(type_url=chance.choice(URLS), value=self._bytes())
        message = GetMessageClass(descriptor)()
        for field in descriptor.fields:
            known = hints.get(field.name, ())
            if chance.random() < (0.85 if known else 0.5):
                self.put(message, field, hints, deep)
        return message

    def put(self, message: Message, field: FieldDescriptor, hints: Hints, deep: int) -> None:
        """Give a field a value, or a list some."""
        chance = self._chance
        one = lambda: self._value(field, hints, deep)  # noqa: E731  it is called for each element, or once for all
        if field.is_repeated:
            length = chance.choice(LENGTHS[: 10 if chance.random() < 0.8 else None])
            self._extend(getattr(message, field.name), one, length)
        elif field.message_type is None:
            setattr(message, field.name, one())
        else:
            getattr(message, field.name).CopyFrom(one())

    def _extend(self, items: Any, one: Callable[[], Any], length: int) -> None:
        first = one()
        size = len(first.SerializeToString()) + 2 if isinstance(first, Message) else 1 + len(str(first))
        alike = length > LENGTHS[9] or self._chance.random() < 0.5
        length = min(length, MOST_BYTES // size)
        items.extend([first] * length if alike else [one() for _ in range(length)])

    def _value(self, field: FieldDescriptor, hints: Hints, deep: int) -> Any:
        chance = self._chance
        known = fitting(field, hints)
        if known and chance.random() < 0.8:
            return chance.choice(known)
        match field.cpp_type:
            case FieldDescriptor.CPPTYPE_MESSAGE:
                assert field.message_type is not None
                return self.message(field.message_type, hints, deep - 1) if deep else _empty(field)
            case FieldDescriptor.CPPTYPE_STRING:
                return self._bytes() if field.type == FieldDescriptor.TYPE_BYTES else self._text()
            case FieldDescriptor.CPPTYPE_BOOL:
                return chance.random() < 0.5
            case FieldDescriptor.CPPTYPE_INT64:
                return chance.choice((*NUMBERS, *LARGE))
        return chance.choice(NUMBERS)

    def _text(self) -> str:
        chance = self._chance
        text = chance.choice(TEXTS)
        return text * chance.choice((1, 1, 1, 10, 200))

    def _bytes(self) -> bytes:
        chance = self._chance
        return chance.choice(RAW) if chance.random() < 0.7 else chance.randbytes(chance.choice((1, 32, 64, 65, 900)))


def _empty(field: FieldDescriptor) -> Message:
    assert field.message_type is not None
    return GetMessageClass(field.message_type)()


def fitting(field: FieldDescriptor, hints: Hints) -> Sequence[Any]:
    """The hints that are of the field's type: different messages have fields of one name."""
    return [hint for hint in hints.get(field.name, ()) if _fits(field, hint)]


def _fits(field: FieldDescriptor, hint: Any) -> bool:
    if field.message_type is not None:
        return isinstance(hint, Message) and hint.DESCRIPTOR.full_name == field.message_type.full_name
    return isinstance(hint, str if field.type == FieldDescriptor.TYPE_STRING else int)
