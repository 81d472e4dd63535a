"""3 to 4 Headed Monster at a terminal.

table     what lies on the table, drawn
words     cards, roles and sides
"""

from lair.cli.drawings.heads.table import draw, remind

__all__ = ["draw", "remind"]
