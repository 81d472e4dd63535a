"""A game of cabbages that goes on, so that what is measured is one move after another and nothing else.

Two seats harvest once each, and feed from then on: the cup holds two dice at most, and three of them could end the
game. Such a move has six events, one of random play has four and a half.
"""

from dataclasses import dataclass

from monsters.cabbages.v1 import cabbages_pb2 as cabbages

SEATS = 2
DONE = 900
"""Moves after which another game is taken: by the usual options one has at most 1,000 turns."""
USUAL = cabbages.Options()
ENDLESS = cabbages.Options(max_turns=0)


@dataclass(slots=True)
class Script:
    """Who moves, and what, in one such game."""

    first: int
    """The seat that begins."""
    made: int = 0
    """How many moves were made."""

    @property
    def seat(self) -> int:
        """Whose turn it is."""
        return (self.first + self.made) % SEATS

    @property
    def text(self) -> str:
        """What that seat plays."""
        return "harvest" if self.made < SEATS else "feed"

    @property
    def done(self) -> bool:
        """Whether it is time for another game, unless this one is endless."""
        return self.made >= DONE
