"""Asking before something is done that can't be taken back."""

from lair.cli.answers import YES
from lair.cli.failures import MISUSED, REFUSED, Failure
from lair.cli.output import Output
from lair.cli.screen import Left, Screen


def confirm(question: str, output: Output, *, yes: bool) -> None:
    """Go on if the answer is yes, or was given by --yes. Raises Failure if not, or when nobody can be asked."""
    if yes:
        return
    screen = Screen(output)
    if output.json_lines or not screen.interactive:
        raise Failure("This can't be taken back, and nobody can be asked here: say --yes.", MISUSED)
    try:
        answer = screen.ask(f"{question} y does it: ", fresh=True)
    except Left:
        answer = ""
    if answer.casefold() not in YES:
        raise Failure("Nothing was done.", REFUSED)
