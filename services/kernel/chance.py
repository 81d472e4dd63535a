"""Dice and shuffles from a seed or a script, with a receipt for each.

A position holds no generator: chance comes in with the call. From a seed, the stream of bytes is block
i = SHA-256(seed || i as 8 bytes, big-endian). A die of s sides takes the next byte b below 256 - 256 mod s and
shows 1 + b mod s; so every face is equally likely. A pick among n items is a die of n sides, also when n is 1. A
shuffle is Fisher-Yates from the last index down to 1, each index i swapped with a die of i + 1 sides, less 1.
docs/chance.md says the same for those who write it in another language.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import TypeVar

from services.kernel.audience import EVERYBODY, Audience
from services.kernel.refusals import Flaw, Malformed

T = TypeVar("T")

SEED_BYTES = 32
MOST_SIDES = 256
Source = Callable[[int], int]
"""Gives the next result of a die of so many sides, from 1."""


@dataclass(frozen=True, slots=True)
class Draw:
    """A receipt: one roll, pick or shuffle.

    The results run from 1. Of a shuffle `sides` is the number of items: its first result is of a die with so many
    sides, and each next one has one side less.
    """

    purpose: str
    sides: int
    results: tuple[int, ...]
    shuffle: bool = False
    audience: Audience = EVERYBODY


def seeded(seed: bytes) -> Source:
    """Draw from the stream of a seed. Raises Malformed unless it has 32 bytes."""
    if len(seed) != SEED_BYTES:
        raise Malformed(Flaw("chance.seed", f"must have {SEED_BYTES} bytes, has {len(seed)}"))
    block = b""
    index = at = 0

    def draw(sides: int) -> int:
        nonlocal block, index, at
        if not 1 <= sides <= MOST_SIDES:
            raise ValueError(f"a die has 1 to {MOST_SIDES} sides: one byte decides it; not {sides}")
        limit = MOST_SIDES - MOST_SIDES % sides
        while True:
            if at == len(block):
                block = sha256(seed + index.to_bytes(8, "big")).digest()
                index, at = index + 1, 0
            byte = block[at]
            at += 1
            if byte < limit:
                return 1 + byte % sides

    return draw


def scripted(results: Sequence[int]) -> Source:
    """Draw these results in order. Raises Malformed when one isn't on the die, or none is left."""
    position = 0

    def draw(sides: int) -> int:
        nonlocal position
        if position == len(results):
            raise Malformed(Flaw("chance.script.results", f"has {position} results; the move draws more"))
        result = results[position]
        if not 1 <= result <= sides:
            raise Malformed(
                Flaw(f"chance.script.results[{position}]", f"must be 1 to {sides}, is {result}"),
            )
        position += 1
        return result

    return draw


class Dice:
    """What a game rolls in one call. Keeps a receipt for every draw, in order."""

    __slots__ = ("_draw", "draws")

    def __init__(self, source: Source) -> None:
        self._draw = source
        self.draws: list[Draw] = []

    def roll(self, count: int, sides: int, purpose: str, audience: Audience = EVERYBODY) -> tuple[int, ...]:
        """Roll so many dice. No dice draw nothing and leave no receipt."""
        if count == 0:
            return ()
        draw = self._draw
        results = tuple([draw(sides) for _ in range(count)])
        self.draws.append(Draw(purpose, sides, results, audience=audience))
        return results

    def pick(self, items: Sequence[T], purpose: str, audience: Audience = EVERYBODY) -> T:
        """Take one of the items, all equally likely. One item is drawn for, too."""
        (result,) = self.roll(1, len(items), purpose, audience)
        return items[result - 1]

    def shuffle(self, items: Sequence[T], purpose: str, audience: Audience = EVERYBODY) -> tuple[T, ...]:
        """Put the items in a random order. One item draws nothing."""
        order = list(items)
        results = []
        for last in range(len(order) - 1, 0, -1):
            result = self._draw(last + 1)
            results.append(result)
            order[last], order[result - 1] = order[result - 1], order[last]
        if results:
            self.draws.append(Draw(purpose, len(order), tuple(results), shuffle=True, audience=audience))
        return tuple(order)


def refuse_leftovers(results: Sequence[int], dice: Dice) -> None:
    """Raise Malformed when a script holds more results than the dice have drawn."""
    drawn = sum(len(draw.results) for draw in dice.draws)
    if drawn < len(results):
        raise Malformed(Flaw("chance.script.results", f"has {len(results)} results; the move draws {drawn}"))
