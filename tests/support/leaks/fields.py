"""In which fields two positions of any game differ."""

from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import Any

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message


def differences(kind: type[Message], one: bytes, other: bytes) -> set[str]:
    """The paths of the fields in which two messages of a kind differ, without places in lists: players.hand."""
    return set(_different(kind.FromString(one), kind.FromString(other), ""))


def _different(one: Message | None, other: Message | None, path: str) -> Iterator[str]:
    """The same of two messages of which one may be missing. Nothing is looked into that is equal in both."""
    fields, others = (dict(message.ListFields()) if message else {} for message in (one, other))
    for field in fields.keys() | others.keys():
        where = f"{path}{field.name}"
        for item, another in zip_longest(_items(field, fields), _items(field, others)):
            if item is None or another is None:
                yield where
            if item != another:
                if field.message_type:
                    yield from _different(item, another, f"{where}.")
                else:
                    yield where


def _items(field: FieldDescriptor, fields: dict[FieldDescriptor, Any]) -> Sequence[Any]:
    """What a message has of a field."""
    if field not in fields:
        return ()
    return fields[field] if field.is_repeated else (fields[field],)
