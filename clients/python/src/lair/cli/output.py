"""Where a command's answer goes: drawn for people, or as JSON lines for programs."""

import json
import os
import sys
from collections.abc import Mapping
from typing import Any, TextIO

from rich.console import Console, RenderableType

from lair.cli.sitting import DIE_FACES, Sitting

LESS = "FIRX"
"""What `less` is asked for unless the user has said it: a text of one screen is only printed, colours are kept."""
PIPE_WIDTH = 100
"""Columns where there is no terminal to ask."""


class Output:
    """Prints each answer in one of two forms. Errors, progress and prompts are not answers and go to `errors`."""

    def __init__(self, *, json_lines: bool) -> None:
        """On standard output, as JSON lines or not."""
        self.json_lines = json_lines
        self.console: Console = _console(sys.stdout)
        self.errors: Console = _console(sys.stderr)

    def show(self, record: Mapping[str, Any], *drawn: RenderableType) -> None:
        """Print the record as a JSON line, or else what is drawn of it."""
        if self.json_lines:
            print(json.dumps(record), flush=True)
            return
        for each in drawn:
            # A sentence is not broken at the width: it may be read by grep.
            self.console.print(each, soft_wrap=isinstance(each, str) and not self.console.is_terminal)

    def say(self, *drawn: RenderableType) -> None:
        """Print something that only people need."""
        if not self.json_lines:
            self.show({}, *drawn)

    def hint(self, *lines: str) -> None:
        """Print what people can type next. No line is broken by us, so that each can be copied as it is."""
        if not self.json_lines:
            for line in lines:
                self.console.print(line, soft_wrap=True)

    def page(self, *drawn: RenderableType) -> None:
        """Print something long that only people need: at a terminal by its pager."""
        if self.json_lines or not sys.stdin.isatty() or not self.console.is_terminal or self.console.is_dumb_terminal:
            self.say(*drawn)
            return
        os.environ.setdefault("LESS", LESS)
        with self.console.pager(styles=True):
            self.say(*drawn)

    def sitting(self, names: tuple[str, ...]) -> Sitting:
        """These seats in front of this terminal."""
        return Sitting(names, unicode=_can_print(DIE_FACES, self.console.encoding))


def _console(stream: TextIO) -> Console:
    if hasattr(stream, "reconfigure"):
        # A name that the terminal's encoding lacks must not end the command.
        stream.reconfigure(errors="replace")
    width = None if stream.isatty() else PIPE_WIDTH
    return Console(file=stream, width=width, highlight=False, markup=False, emoji=False)


def _can_print(text: str, encoding: str) -> bool:
    try:
        text.encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return False
    return True
