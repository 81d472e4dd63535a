"""What the tabulator offers in a shell: from the notebook, the configuration and what is installed. Asks no server."""

from importlib.resources import files
from pathlib import Path
from typing import Any

from lair.cli.failures import Failure
from lair.cli.notebook import Notebook, SessionNote
from lair.cli.servers import named_servers

Offers = list[tuple[str, str]]
"""Texts, each with what it is."""


def sessions(incomplete: str) -> Offers:
    """The sessions of the notebook, the latest first."""
    offers = [(note.name.removeprefix("sessions/"), _seats(note)) for note in reversed(_notes())]
    return [offer for offer in offers if offer[0].startswith(incomplete)]


def games(incomplete: str) -> list[str]:
    """The games whose messages are installed here. They are looked for, and not loaded."""
    folders = [Path(str(folder)) for folder in files("monsters").iterdir() if folder.is_dir()]
    tokens = sorted(folder.name for folder in folders if (folder / "v1" / "rules_service_pb2.py").exists())
    return [token for token in tokens if token.startswith(incomplete)]


def games_or_sessions(incomplete: str) -> Offers:
    """What `lair table` begins with."""
    return [*((token, "a game") for token in games(incomplete)), *sessions(incomplete)]


def seats(ctx: Any, incomplete: str) -> list[str]:
    """The names of the seats held here: of the session that was typed, else of all."""
    typed = (ctx.params or {}).get("session")
    notes = [note for note in _notes() if typed in (None, note.name, note.name.removeprefix("sessions/"))]
    names = dict.fromkeys(seat.name for note in reversed(notes) for seat in note.seats)
    return [name for name in names if name.casefold().startswith(incomplete.casefold())]


def servers(incomplete: str) -> Offers:
    """The servers that have names."""
    try:
        named = named_servers()
    except Failure:
        return []
    return [(name, text) for name, text in named.items() if name.startswith(incomplete)]


def _notes() -> tuple[SessionNote, ...]:
    try:
        return Notebook().notes()
    except Failure:  # a shell is no place for complaints
        return ()


def _seats(note: SessionNote) -> str:
    names = ", ".join(seat.name for seat in note.seats)
    return f"{note.game}: {names}" if names else note.game
