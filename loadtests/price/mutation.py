"""Requests that were others before: changed in their bytes, or in one field however deep."""

import random
from collections.abc import Iterator
from typing import Any

from google.protobuf.message import DecodeError, Message

from loadtests.price.ingredients import Hints
from loadtests.price.structure import MOST_BYTES, Builder
from services.session.wire.encoding import tag_of

ODD = (
    b"\x00",
    b"\xff",
    b"\x0b",
    b"\x0c",
    b"\x12\x00",
    b"\x0a\x00",
    b"\x80" * 10,
    b"\xff\xff\xff\xff\x07",
    b"\xed\xa0\x80",
)
TIMES = (1, 2, 7, 60, 500, 4000, 30_000)
EMPTY = b"\x00"
"""The length of a message that has nothing in it."""


class Mutator:
    """Changes bytes at random."""

    def __init__(self, chance: random.Random, builder: Builder) -> None:
        self._chance = chance
        self._builder = builder

    def spoil(self, raw: bytes, other: bytes) -> bytes:
        """These bytes with something changed, left out, repeated or put in, or half of them with half of the others."""
        chance = self._chance
        start, end = sorted((chance.randint(0, len(raw)), chance.randint(0, len(raw))))
        match chance.randrange(6):
            case 0:
                changed = raw[:start] + chance.randbytes(1) + raw[start + 1 :]
            case 1:
                changed = raw[:start] + raw[end:]
            case 2:
                changed = raw[:start] + self._many(raw[start:end]) + raw[end:]
            case 3:
                changed = raw[:start] + self._many(chance.choice(ODD)) + raw[start:]
            case 4:
                changed = raw[:start] + other[chance.randint(0, len(other)) :]
            case _:
                changed = raw[:start]
        return changed[:MOST_BYTES]

    def _many(self, part: bytes) -> bytes:
        return part * min(self._chance.choice(TIMES), MOST_BYTES // (len(part) or 1) + 1)

    def change_field(self, raw: bytes, request_type: type[Message], hints: Hints) -> bytes:
        """The message of these bytes with one of its fields changed, or with one stuffed with empty messages."""
        chance = self._chance
        try:
            whole = request_type.FromString(raw)
        except DecodeError:
            return raw
        message = chance.choice([*_within(whole)])
        fields: Any = message.DESCRIPTOR.fields
        if not fields:
            return raw
        field = chance.choice(fields)
        if field.is_repeated and field.message_type and chance.random() < 0.5:
            tag = tag_of(type(message), field.name)
            message.MergeFromString((tag + EMPTY) * min(chance.choice(TIMES), MOST_BYTES // 2))
        elif chance.random() < 0.2:
            message.ClearField(field.name)
        elif field.is_repeated and len(items := getattr(message, field.name)) and chance.random() < 0.6:
            items.extend(list(items) * chance.choice((1, 1, 3, 10)))
            del items[30_000:]
        else:
            self._builder.put(message, field, hints, 2)
        return whole.SerializeToString()[:MOST_BYTES]


def _within(message: Message, deep: int = 6) -> Iterator[Message]:
    """A message, and those in it: of long lists the first ones."""
    yield message
    fields: Any = message.ListFields()
    for field, value in fields if deep else ():
        if field.message_type is not None and not field.message_type.GetOptions().map_entry:
            for inner in value[:4] if field.is_repeated else (value,):
                yield from _within(inner, deep - 1)
