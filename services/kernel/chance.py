"""Dice and shuffles from a seed or a script, with a receipt for each.

A position holds no generator: chance comes in with the call. From a seed, the stream of bytes is block
i = SHA-256(seed || i as 8 bytes, big-endian). A die of s sides takes the next byte b below 256 - 256 mod s and
shows 1 + b mod s; so every face is equally likely. A pick among n items is a die of n sides, also when n is 1. A
shuffle is Fisher-Yates from the last index down to 1, each index i swapped with a die of i + 1 sides, less 1.
docs/chance.md says the same for those who write it in another language.
"""

from collections.abc import Callable, Sequence
from functools import cache
from hashlib import sha256
from typing import TypeVar

from msgspec import Struct

from services.kernel.audience import EVERYBODY, Audience
from services.kernel.refusals import Flaw, Malformed

T = TypeVar("T")

SEED_BYTES = 32
MOST_SIDES = 256
Source = Callable[[int], int]
"""Gives the next result of a die of so many sides, from 1."""


class Draw(Struct, frozen=True):
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
    return Stream(seed)


class Stream:
    """The source that a seed of 32 bytes is. Nothing is hashed before something is drawn."""

    __slots__ = ("_at", "_block", "_index", "_seed")

    def __init__(self, seed: bytes) -> None:
        self._seed = seed
        self._block = b""
        self._index = self._at = 0

    def __call__(self, sides: int) -> int:
        """Give the next result of a die of so many sides. Raises ValueError where one byte can't decide it."""
        if not 1 <= sides <= MOST_SIDES:
            raise ValueError(f"a die has 1 to {MOST_SIDES} sides: one byte decides it; not {sides}")
        limit = MOST_SIDES - MOST_SIDES % sides
        while True:
            if self._at == len(self._block):
                self._next_block()
            byte = self._block[self._at]
            self._at += 1
            if byte < limit:
                return 1 + byte % sides

    def roll(self, count: int, sides: int) -> tuple[int, ...]:
        """Give the results of several dice: what so many calls would give, and mostly by one look at a table."""
        if 1 <= sides < MOST_SIDES:
            block, at = self._block, self._at
            if not block:
                block = self._next_block()
            shown = block[at : at + count].translate(_table(sides))
            if len(shown) == count and 0 not in shown:
                self._at = at + count
                return tuple(shown)
        return tuple([self(sides) for _ in range(count)])

    def _next_block(self) -> bytes:
        block = self._block = sha256(self._seed + self._index.to_bytes(8, "big")).digest()
        self._index += 1
        self._at = 0
        return block


@cache
def _table(sides: int) -> bytes:
    """What a die of 1 to 255 sides shows by the byte, or 0 where the byte is thrown away."""
    limit = MOST_SIDES - MOST_SIDES % sides
    return bytes([1 + byte % sides if byte < limit else 0 for byte in range(MOST_SIDES)])


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

    __slots__ = ("_draw", "_roll", "draws")

    def __init__(self, source: Source) -> None:
        self._draw = source
        self._roll = source.roll if isinstance(source, Stream) else None
        self.draws: list[Draw] = []

    def roll(self, count: int, sides: int, purpose: str, audience: Audience = EVERYBODY) -> tuple[int, ...]:
        """Roll so many dice. No dice draw nothing and leave no receipt."""
        if count == 0:
            return ()
        if self._roll:
            results = self._roll(count, sides)
        else:
            draw = self._draw
            results = tuple([draw(sides) for _ in range(count)])
        self.draws.append(Draw(purpose, sides, results, False, audience))
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
