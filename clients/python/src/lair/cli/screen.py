"""The terminal between several people: asking, and keeping from one what another may see."""

import io
import sys
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from typing import Any

from lair.cli.output import Output

if sys.platform != "win32":
    import termios

RULER = 40
ENOUGH_LINES = 100
"""So many empty lines push everything off a terminal that can't be cleared."""


class Left(Exception):  # nothing went wrong
    """The people at the table have left it. The game is kept."""


class Woken(Exception):  # nothing went wrong
    """Something has happened while somebody was asked."""

    def __init__(self, typed: str) -> None:
        """With what stands at the prompt by now."""
        super().__init__(typed)
        self.typed = typed


class Screen:
    """Asks and clears. What is asked in JSON is answered alike, a line each, but without a prompt."""

    def __init__(self, output: Output) -> None:
        """On the terminal or the pipe of this output."""
        self._output = output
        self.waking: Callable[[], AbstractContextManager[None]] = nullcontext
        """What may raise Woken while a line is waited for."""
        if isinstance(sys.stdin, io.TextIOWrapper):
            sys.stdin.reconfigure(errors="replace")  # bytes that are no text are an answer that is refused

    @property
    def interactive(self) -> bool:
        """Whether somebody sits at a terminal."""
        return sys.stdin.isatty() and self._output.console.is_terminal

    def ask(self, prompt: str, *, fresh: bool = False, typed: str = "", offers: Sequence[str] = ()) -> str:
        """A line of input, without blanks around it. Raises Left at the end of the input, and Woken.

        What was typed before is discarded when the question is `fresh`: it was typed for another one. Where lines can
        be edited, the line begins with what is `typed` already, and the tabulator completes what is offered.
        """
        if fresh:
            self._discard()
        editor = self._editor()
        if editor is not None:
            _prepare(editor, typed, offers)
        try:
            with self.waking():
                answer = input("" if self._output.json_lines else prompt).strip()
        except EOFError:
            self._output.say("")
            raise Left from None
        finally:
            if editor is not None:
                editor.set_pre_input_hook(None)
        if not sys.stdin.isatty():
            self._output.say(answer)  # so that a transcript reads as a terminal would
        return answer

    def typed(self) -> str:
        """What stands at the prompt, as far as this terminal tells."""
        editor = self._editor()
        return str(editor.get_line_buffer()) if editor is not None else ""

    def hand_over(self, name: str) -> None:
        """Wait until the one who is named sits alone at the screen. Raises Left."""
        self.ask(f"{name}, this is for you alone. Press Enter when nobody else looks: ", fresh=True)

    def take_back(self, prompt: str, typed: str) -> None:
        """Take a prompt away that was not answered, so that something can be told in its place."""
        console = self._output.console
        if not console.is_terminal or console.is_dumb_terminal:
            self._output.say("")
            return
        rows = (len(prompt) + len(typed)) // max(console.width, 1)
        console.file.write("\r" + "\x1b[A" * rows + "\x1b[J")
        console.file.flush()

    def hide(self) -> None:
        """Take away what was shown."""
        console = self._output.console
        if not console.is_terminal:
            self._output.say("-" * RULER)
        elif console.is_dumb_terminal:
            self._output.say("\n" * ENOUGH_LINES)
        else:
            console.clear()
            console.file.write("\x1b[3J")  # what was scrolled away, too
            console.file.flush()

    def _discard(self) -> None:
        if sys.platform != "win32" and sys.stdin.isatty():
            termios.tcflush(sys.stdin, termios.TCIFLUSH)

    def _editor(self) -> Any:
        """What edits lines, where there is one: a dumb terminal would be sent what it doesn't know."""
        if not self.interactive or self._output.console.is_dumb_terminal:
            return None
        with suppress(ImportError):
            import readline  # noqa: PLC0415  # it changes what input() does, and is needed at terminals alone

            return readline
        return None


def _prepare(editor: Any, typed: str, offers: Sequence[str]) -> None:
    editor.set_auto_history(False)  # at one terminal the next player must not find it
    editor.set_completer_delims("")
    editor.parse_and_bind("bind ^I rl_complete" if "libedit" in (editor.__doc__ or "") else "tab: complete")
    editor.set_completer(_completer(offers))
    if typed:
        editor.set_pre_input_hook(lambda: (editor.insert_text(typed), editor.redisplay()))


def _completer(offers: Sequence[str]) -> Callable[[str, int], str | None]:
    def complete(text: str, number: int) -> str | None:
        found = [offer for offer in offers if offer.casefold().startswith(text.casefold())]
        return found[number] if number < len(found) else None

    return complete
