"""What a new game may be called. Its token becomes a Python package, a proto package and a segment of URLs."""

import keyword
import re
from pathlib import Path
from pkgutil import iter_modules

TOKEN = re.compile(r"[a-z][a-z0-9]{1,19}")
RESERVED = ("google", "monsters", "rules", "session")
"""Proto packages of these names are there already, or would hide those that are."""


class BadName(ValueError):
    """No game can have this name. The text is a sentence for people."""


def check_name(name: str, root: Path) -> None:
    """Raise BadName when no new game of this tree can be called so."""
    if not name:
        raise BadName("Say what the game is called: make new-game NAME=goblins")
    if not TOKEN.fullmatch(name):
        raise BadName(f"{name!r} can't name a game: take 2 to 20 letters a-z and digits, a letter first.")
    if keyword.iskeyword(name):
        raise BadName(f"{name!r} can't name a game: it is a word of Python's.")
    if name in RESERVED:
        raise BadName(f"{name!r} can't name a game: Lair's contract uses the name already.")
    if name in taken(root):
        raise BadName(f"There is a {name!r} already: take another name, or remove it first.")


def taken(root: Path) -> set[str]:
    """The names of games, and of modules beside them that a game would hide."""
    modules = {module.name for module in iter_modules([str(root / "services" / "games")])}
    return modules | {folder.name for folder in (root / "proto" / "monsters").iterdir()}
