"""What a game's own messages may have at most: looked at before anything of ours is built of them.

A game's largest position has some hundred bytes and some seventy elements. What has more is refused before the game's
codec walks through it, so that nothing a caller sends can cost more than reading a large position does.
"""

from typing import Any

from google.protobuf.message import Message

from services.kernel.refusals import Flaw, Malformed

MOST_POSITION = 2048
MOST_OPTIONS = 4096
"""Sessions keep them."""
MOST_MOVE = 1024
MOST_TEXT = 4096
"""Bytes of a position's line of text."""
MOST_MOVE_TEXT = 256
MOST_ELEMENTS = 256
"""Of all lists in a message, those within its elements included."""
LEAST_BYTES = MOST_ELEMENTS
"""What so few bytes may hold need not be counted: an element has one byte at least."""


def check_size(size: int, most: int, path: str) -> None:
    """Raise Malformed for too many bytes."""
    if size > most:
        raise Malformed(Flaw(path, f"must have at most {most} bytes, has {size}"))


def check_elements(message: Message, path: str) -> None:
    """Raise Malformed when all lists of a message together have too many elements."""
    if count(message) > MOST_ELEMENTS:
        raise Malformed(Flaw(path, f"must have at most {MOST_ELEMENTS} elements in all its lists"))


def count(message: Message) -> int:
    """How many elements the lists of a message have, and those of its elements. Counting ends where it is too many."""
    total = 0
    fields: Any = message.ListFields()
    for field, value in fields:
        if field.is_repeated:
            total += len(value)
        if field.message_type is not None and total <= MOST_ELEMENTS:
            total += sum(map(count, value)) if field.is_repeated else count(value)
    return total
