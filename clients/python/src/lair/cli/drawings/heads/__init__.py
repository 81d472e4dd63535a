"""3 to 4 Headed Monster at a terminal.

table     what lies on the table, drawn
telling   what happens, in sentences
words     cards, roles and sides
"""

from lair.cli.drawings.heads.table import draw
from lair.cli.drawings.heads.telling import tell

__all__ = ["draw", "tell"]
