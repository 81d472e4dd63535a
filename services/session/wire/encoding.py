"""Protobuf by its bytes: a message's encoding is that of its fields, one after the other, in any order.

https://protobuf.dev/programming-guides/encoding: a field is a tag and a value, a message in a field is a length and
its own encoding, and where a field that is no list comes twice, its messages are merged. So parts that are encoded
already are put together without being parsed and written again. Only updates are made like this: a move has one for
everybody who listens.
"""

from functools import cache

from google.protobuf.message import Message

DELIMITED = 2
"""The wire type of strings, bytes and messages."""
MORE = 0x80
"""The bit of a number's byte that says that another one follows."""


@cache
def tag_of(message_type: type[Message], field: str) -> bytes:
    """What a string, a message or bytes in a field begin with."""
    return _varint(message_type.DESCRIPTOR.fields_by_name[field].number << 3 | DELIMITED)


def delimited(tag: bytes, value: bytes) -> bytes:
    """One field."""
    length = len(value)
    return b"".join((tag, _SHORT[length] if length < len(_SHORT) else _varint(length), value))


def _varint(number: int) -> bytes:
    """Seven bits a byte, the lowest first; the highest bit says that more follow."""
    encoded = bytearray()
    while number >= MORE:
        encoded.append(number % MORE | MORE)
        number >>= 7
    encoded.append(number)
    return bytes(encoded)


_SHORT = [_varint(number) for number in range(2048)]
