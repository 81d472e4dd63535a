"""Any protobuf message in words, by its fields' names and types. Knows no game."""

import re
from collections.abc import Iterator
from typing import Any

from google.protobuf.descriptor import EnumDescriptor, FieldDescriptor
from google.protobuf.message import Message

from lair.cli.sitting import Sitting, in_a_row, plain

SEAT_FIELD = re.compile(r"(^|_)seats?$|^winners$|^losers$")
"""A field whose numbers are seats, by its name."""
DICE_FIELD = re.compile(r"(^|_)dice$")
"""A field whose numbers are dice when it is repeated, by its name. Alone it is how many there are."""
UNLABELLED = ("seat", "outcome")
"""Fields that say by themselves what they are."""
WHOLE_NUMBERS = (
    FieldDescriptor.CPPTYPE_INT32,
    FieldDescriptor.CPPTYPE_INT64,
    FieldDescriptor.CPPTYPE_UINT32,
    FieldDescriptor.CPPTYPE_UINT64,
)


def words(name: str) -> str:
    """A name of the wire as words: "monster roll" of MonsterRoll and of monster_roll."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", name).replace("_", " ").lower()


def enum_words(enum: EnumDescriptor, number: int) -> str:
    """The name of an enum's value without the enum's own name. Empty for the one that is never sent."""
    value = enum.values_by_number.get(number)
    if value is None:
        return str(number)
    prefix = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", enum.name).upper() + "_"
    name = value.name.removeprefix(prefix)
    return "" if name == "UNSPECIFIED" else words(name)


def present(message: Message) -> Iterator[tuple[Any, Any]]:
    """The fields that say something: all but absent ones, empty lists and empty messages. Zeros say something."""
    for field in message.DESCRIPTOR.fields:
        value = getattr(message, field.name)
        if field.is_repeated:
            given = len(value) > 0
        elif field.message_type is not None:
            given = message.HasField(field.name) and (value.ByteSize() > 0 or field.containing_oneof is not None)
        else:
            given = message.HasField(field.name) if field.has_presence else True
        if given:
            yield field, value


def value_words(field: FieldDescriptor, value: Any, sitting: Sitting) -> str:
    """A field's value in words."""
    if not field.is_repeated:
        return single_words(field, value, sitting)
    if field.message_type is not None and field.message_type.GetOptions().map_entry:
        item = field.message_type.fields_by_name["value"]
        return "; ".join(f"{plain(str(key))}: {single_words(item, value[key], sitting)}" for key in sorted(value))
    if is_dice(field):
        return sitting.dice(list(value))
    items = [single_words(field, each, sitting) for each in value]
    if SEAT_FIELD.search(field.name):
        return in_a_row(items)
    # A list stands among other fields with commas between them, so its own items have none.
    return (" " if field.cpp_type in WHOLE_NUMBERS else "; ").join(items)


def is_dice(field: FieldDescriptor) -> bool:
    """Whether a field lists what dice show."""
    return field.is_repeated and field.cpp_type in WHOLE_NUMBERS and DICE_FIELD.search(field.name) is not None


def single_words(field: FieldDescriptor, value: Any, sitting: Sitting) -> str:
    """One value, or one item of a repeated field, in words."""
    if field.message_type is not None:
        text = message_words(value, sitting)
    elif field.enum_type is not None:
        text = enum_words(field.enum_type, value)
    elif isinstance(value, bool):
        text = "yes" if value else "no"
    elif isinstance(value, bytes):
        text = value.hex()
    elif isinstance(value, int) and SEAT_FIELD.search(field.name):
        text = sitting.who(value)
    else:
        text = plain(str(value))
    return text


def message_words(message: Message, sitting: Sitting) -> str:
    """A message in one line: "Ann, dice 3 4, cabbages 7". Enums and seats need no label; a lone choice is its name."""
    parts = []
    for field, value in present(message):
        text = value_words(field, value, sitting)
        speaks_for_itself = field.enum_type is not None or field.name in UNLABELLED
        if text or not speaks_for_itself:
            parts.append(text if speaks_for_itself else f"{words(field.name)} {text}".rstrip())
    return ", ".join(parts)
