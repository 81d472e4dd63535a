"""In which fields two positions of any game differ."""

import re
from collections.abc import Iterator, Mapping

from google.protobuf.message import Message

PLACE = re.compile(r"\[\d+\]")


def differences(kind: type[Message], one: bytes, other: bytes) -> set[str]:
    """The paths of the fields in which two messages of a kind differ, without places in lists: players.hand."""
    leaves, others = (dict(_leaves(kind.FromString(raw))) for raw in (one, other))
    return {PLACE.sub("", path) for path in leaves.keys() | others.keys() if leaves.get(path) != others.get(path)}


def _leaves(message: Message, path: str = "") -> Iterator[tuple[str, object]]:
    for field, value in message.ListFields():
        items: Mapping[str, object] = (
            {f"{path}{field.name}[{number}]": item for number, item in enumerate(value)}
            if field.is_repeated
            else {f"{path}{field.name}": value}
        )
        for where, item in items.items():
            if isinstance(item, Message):
                yield where, ""
                yield from _leaves(item, f"{where}.")
            else:
                yield where, item
