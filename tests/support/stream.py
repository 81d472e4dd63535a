"""The stream of chance written a second time, from its description: what the kernel draws is compared with this."""

from collections.abc import Iterator, Sequence
from hashlib import sha256
from itertools import count


def stream(seed: bytes) -> Iterator[int]:
    """The bytes of a seed: block i is SHA-256(seed || i as 8 bytes, big-endian)."""
    for index in count():
        yield from sha256(seed + index.to_bytes(8, "big")).digest()


def die(source: Iterator[int], sides: int) -> int:
    """The next byte below 256 - 256 mod s, as a face."""
    return next(1 + byte % sides for byte in source if byte < 256 - 256 % sides)


def sides_of_shuffle(items: int) -> list[int]:
    """The dice of a shuffle: from all items down to two."""
    return list(range(items, 1, -1))


def shuffled(items: Sequence[object], results: Sequence[int]) -> list[object]:
    """What these results make of the items: from the last down, each changes places with the one that is drawn."""
    order = list(items)
    for last, result in zip(range(len(order) - 1, 0, -1), results, strict=True):
        order[last], order[result - 1] = order[result - 1], order[last]
    return order


def seed_of_revision(seed: bytes, revision: int) -> bytes:
    """The seed of one step of a game that is played without a session."""
    return sha256(seed + revision.to_bytes(8, "big")).digest()
