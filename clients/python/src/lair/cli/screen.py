"""The terminal between several people: asking, and keeping from one what another may see."""

import io
import sys

from lair.cli.output import Output

RULER = 40
ENOUGH_LINES = 100
"""So many empty lines push everything off a terminal that can't be cleared."""


class Left(Exception):  # nothing went wrong
    """The people at the table have left it. The game is kept."""


class Screen:
    """Asks and clears. What is asked in JSON is answered alike, a line each, but without a prompt."""

    def __init__(self, output: Output) -> None:
        """On the terminal or the pipe of this output."""
        self._output = output
        if isinstance(sys.stdin, io.TextIOWrapper):
            sys.stdin.reconfigure(errors="replace")  # bytes that are no text are an answer that is refused

    def ask(self, prompt: str) -> str:
        """A line of input, without blanks around it. Raises Left at the end of the input."""
        try:
            if self._output.json_lines:
                return input().strip()
            answer = self._output.console.input(prompt).strip()
        except EOFError:
            self._output.say("")
            raise Left from None
        if not sys.stdin.isatty():
            self._output.say(answer)  # so that a transcript reads as a terminal would
        return answer

    def hand_over(self, name: str) -> None:
        """Wait until the one who is named sits alone at the screen. Raises Left."""
        self.ask(f"{name}, this is for you alone. Press Enter when nobody else looks: ")

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
