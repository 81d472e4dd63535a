"""What is remembered of positions: a few thousand small ones, the oldest forgotten first."""

from collections import OrderedDict
from typing import Any

MOST_POSITIONS = 10_000
MOST_BYTES = 2048
"""Nobody's large position may fill the memory."""

Known = tuple[Any, int]
"""A position, and how many seats it has."""


class Memory:
    """Checked positions by their bytes. Safe to forget: they can be read again."""

    __slots__ = ("_known",)

    def __init__(self) -> None:
        # A plain dict is slow to tell its first key once many have been deleted.
        self._known: OrderedDict[bytes, Known] = OrderedDict()

    def get(self, raw: bytes) -> Known | None:
        """The position of these bytes, if it is remembered."""
        return self._known.get(raw)

    def put(self, raw: bytes, known: Known) -> Known:
        """Remember a position that is known to be possible."""
        if len(raw) <= MOST_BYTES:
            if len(self._known) >= MOST_POSITIONS:
                self._known.popitem(last=False)
            self._known[raw] = known
        return known
