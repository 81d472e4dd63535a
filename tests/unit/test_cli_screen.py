"""How the screen keeps from one player what another has seen."""

import io
import sys

import pytest
from rich.console import Console

from lair.cli.output import Output
from lair.cli.screen import ENOUGH_LINES, Left, Screen


def hidden(monkeypatch: pytest.MonkeyPatch, term: str, *, terminal: bool) -> str:
    """What hiding writes."""
    monkeypatch.setenv("TERM", term)
    output = Output(json_lines=False)
    file = io.StringIO()
    output.console = Console(file=file, force_terminal=terminal, width=80)
    Screen(output).hide()
    return file.getvalue()


def test_a_terminal_is_cleared_with_all_that_was_scrolled_away(monkeypatch: pytest.MonkeyPatch) -> None:
    written = hidden(monkeypatch, "xterm", terminal=True)
    assert "\x1b[2J" in written
    assert written.endswith("\x1b[3J")


def test_a_dumb_terminal_is_pushed_empty(monkeypatch: pytest.MonkeyPatch) -> None:
    written = hidden(monkeypatch, "dumb", terminal=True)
    assert "\x1b" not in written
    assert written.count("\n") > ENOUGH_LINES


def test_a_pipe_gets_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    assert hidden(monkeypatch, "xterm", terminal=False).strip("-\n") == ""


def test_the_end_of_the_input_leaves(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("  harvest \n"))
    screen = Screen(Output(json_lines=False))
    assert screen.ask("> ") == "harvest"
    with pytest.raises(Left):
        screen.ask("> ")


def test_bytes_that_are_no_text_are_an_answer_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"\xff\xfe\n"), "utf-8"))
    assert Screen(Output(json_lines=True)).ask("> ") == "\ufffd\ufffd"
