"""Draws docs/pictures/table.svg, what the README shows: `.venv/bin/python docs/site/picture.py`.

It is what `lair table` shows to three people, recorded by rich's console. Chance is held still, so that the same turns
come out each time.
"""

import io
import os
import re
import sys
import tempfile
from collections.abc import Callable
from itertools import count
from pathlib import Path
from unittest.mock import patch
from uuid import UUID

from rich._export_format import CONSOLE_SVG_FORMAT
from rich.console import Console
from rich.terminal_theme import DIMMED_MONOKAI

import lair.testing
from lair import cli

PICTURE = Path(__file__).parents[1] / "pictures" / "table.svg"
COMMAND = "lair table cabbages Ann Ben Cleo"
WIDTH = 96
TYPED = ("harvest",) * 5 + ("feed",)
LEFT_OUT = 4
"""So many turns are over before the picture begins: the table is more interesting then."""


def record() -> Console:
    """Play, and give the console with what was shown last."""
    console = Console(record=True, width=WIDTH, file=io.StringIO(), force_terminal=True, highlight=False, markup=False)
    numbers = count(1)
    with (
        tempfile.TemporaryDirectory(prefix="lair-picture-") as folder,
        patch("os.urandom", still),
        patch("lair._calls.uuid4", lambda: UUID(int=next(numbers), version=4)),
        lair.testing.server() as server,
        patch.dict(os.environ, LAIR_SERVER=server, LAIR_NOTEBOOK=str(Path(folder, "notebook.json"))),
        patch(
            "lair.cli.output._console", lambda stream: console if stream is sys.stdout else Console(file=io.StringIO())
        ),
        patch("builtins.input", answers(console)),
        patch("sys.stdin", io.StringIO()),
    ):
        cli.run([*COMMAND.split()[1:], "--option", "first_seat=0"])
    return console


def still(size: int) -> bytes:
    """Bytes without chance."""
    return bytes(range(1, size + 1))


def answers(console: Console) -> Callable[[str], str]:
    """What is typed: the command line shows it after the prompt. What came before the picture begins is forgotten."""
    typed = enumerate(TYPED)

    def answer(prompt: str) -> str:
        number, text = next(typed, (len(TYPED), ""))
        if number == LEFT_OUT:
            console.export_text()  # which forgets it
            console.print(f"$ {COMMAND}\n...")
        console.print(prompt, end="")
        if number == len(TYPED):
            raise EOFError
        return text

    return answer


def write(console: Console) -> str:
    """The picture, as SVG, in whatever font for terminals there is: nothing is loaded from elsewhere."""
    form = re.sub(r"@font-face \{\{.*?\}\}\s*", "", CONSOLE_SVG_FORMAT, flags=re.DOTALL)
    return console.export_svg(title=COMMAND, theme=DIMMED_MONOKAI, code_format=form, unique_id="table")


if __name__ == "__main__":
    PICTURE.parent.mkdir(exist_ok=True)
    PICTURE.write_text(write(record()), encoding="utf-8")
