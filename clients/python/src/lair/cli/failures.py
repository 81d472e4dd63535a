"""What a command says when it can't do what it was asked to do: one sentence, and an exit code."""

REFUSED = 1
"""The exit code when the server refused, or something failed."""
MISUSED = 2
"""The exit code when the command line itself makes no sense."""


class Failure(Exception):  # it is what a person reads, and is caught as that
    """Ends the command with this sentence on standard error."""

    def __init__(self, sentence: str, exit_code: int = REFUSED) -> None:
        """A sentence for the person at the terminal."""
        super().__init__(sentence)
        self.sentence = sentence
        self.exit_code = exit_code
