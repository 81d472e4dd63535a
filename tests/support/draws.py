"""The chance of a revealed session, recomputed from its description (docs/chance.md) and not with our code."""

import hmac
from collections.abc import Iterator
from hashlib import sha256
from typing import Any

from monsters.session.v1 import session_pb2 as wire

NEWEST = 2
"""How the seeds are derived of a session that is made now."""


def bytes_of(seed: bytes) -> Iterator[int]:
    """The stream of a seed, written anew block after block."""
    index = 0
    while True:
        yield from sha256(seed + index.to_bytes(8, "big")).digest()
        index += 1


def drawn(stream: Iterator[int], sides: int) -> int:
    """One die: the next byte that is below 256 - 256 mod s shows 1 + b mod s."""
    return next(1 + byte % sides for byte in stream if byte < 256 - 256 % sides)


def recomputed(stream: Iterator[int], draw: Any) -> list[int]:
    """What a draw has to show."""
    sides = range(draw.sides, 1, -1) if draw.shuffle else [draw.sides] * len(draw.results)
    return [drawn(stream, each) for each in sides]


def seeds_of(revealed: wire.RevealSessionResponse) -> Iterator[bytes]:
    """The seed of each revision, from what was revealed."""
    assert revealed.session.chance_version == NEWEST
    entropies = revealed.entropies
    joined = sha256(b"".join(len(entropy).to_bytes(8, "big") + entropy for entropy in entropies)).digest()
    for step in revealed.steps:
        message = revealed.session.name.encode() + step.revision.to_bytes(8, "big") + joined
        yield hmac.new(revealed.server_seed, message, sha256).digest()


def every_draw_agrees(revealed: wire.RevealSessionResponse) -> bool:
    """Whether every die and every shuffle of a session is what its seeds make it."""
    for step, seed in zip(revealed.steps, seeds_of(revealed), strict=True):
        stream = bytes_of(seed)
        for draw in step.draws:
            if recomputed(stream, draw) != list(draw.results):
                return False
    return True
