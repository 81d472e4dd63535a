"""Monsters & Maidens: the dice on the table, the cards with their Maidens, and the points.

ASCII, at most 100 columns wide, and without a meaning that only a colour has.

table     the seats and the supply, the cards, what can be done
dice      the dice as pictures
odds      how often a roll ends the turn
"""

from lair.cli.drawings.maidens.table import draw

__all__ = ["draw"]
