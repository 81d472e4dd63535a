"""The stream of chance, recomputed: what a seed must give. Written from the contract, without any code of a server's.

Block i of the stream is SHA-256(seed || i as 8 bytes, big-endian). A die of s sides takes the next byte b below
256 - 256 mod s, and shows 1 + b mod s. A shuffle of n items draws dice of n, n - 1, ... 2 sides.
"""

import hmac
from collections.abc import Iterator, Sequence
from hashlib import sha256
from itertools import count

from lair.types import Draw

MOST_SIDES = 256
NEWEST = 2
"""The newest version of how seeds are derived. Each session says which one it has: `SessionFacts.chance_version`."""
VERSIONS = range(1, NEWEST + 1)


def commitment_of(server_seed: bytes) -> bytes:
    """What is published before anything is drawn."""
    return sha256(server_seed).digest()


def seed_of(server_seed: bytes, name: str, revision: int, entropies: Sequence[bytes], version: int = NEWEST) -> bytes:
    """The seed of one revision of a session.

    HMAC-SHA256(server seed, name || revision as 8 bytes, big-endian || SHA-256(the entropies by seat)). In version 2
    each entropy has its length before it, as 8 bytes, big-endian. Raises ValueError for a version that there isn't.
    """
    if version not in VERSIONS:
        raise ValueError(f"seeds are derived in version 1 to {NEWEST}, not {version}")
    parts = entropies if version == 1 else [len(entropy).to_bytes(8, "big") + entropy for entropy in entropies]
    message = name.encode() + revision.to_bytes(8, "big") + sha256(b"".join(parts)).digest()
    return hmac.digest(server_seed, message, "sha256")


def stream(seed: bytes) -> Iterator[int]:
    """The bytes of a seed, without end."""
    for index in count():
        yield from sha256(seed + index.to_bytes(8, "big")).digest()


def die(source: Iterator[int], sides: int) -> int:
    """The next result of a die, from 1. Every face is equally likely. Raises ValueError without 1 to 256 sides."""
    if not 1 <= sides <= MOST_SIDES:
        raise ValueError(f"a die has 1 to {MOST_SIDES} sides, not {sides}")
    limit = MOST_SIDES - MOST_SIDES % sides
    return 1 + next(byte for byte in source if byte < limit) % sides


def redraw(source: Iterator[int], draw: Draw) -> tuple[int, ...]:
    """What the stream gives where a receipt says what came out. Raises ValueError for absurd sides."""
    if draw.shuffle:
        return tuple(die(source, sides) for sides in range(draw.sides, 1, -1))
    return tuple(die(source, draw.sides) for _ in draw.results)
