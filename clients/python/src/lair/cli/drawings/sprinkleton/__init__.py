"""The donut game of Sprinkleton: the monsters on the table, the dice, the score piles.

ASCII, at most 100 columns wide, and without a meaning that only a colour has.

monsters   the cards as pictures
table      the seats, the dice, the cards, what is waited for
"""

from lair.cli.drawings.sprinkleton.table import draw

__all__ = ["OWN_NUMBERS", "TOGETHER", "draw"]

OWN_NUMBERS = True
"""Cards have numbers, and are picked by them."""

TOGETHER = True
"""What matters lies face up: nobody needs to see their own pile to play. So everybody can look at one screen."""
