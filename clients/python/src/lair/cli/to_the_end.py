"""Playing a game at a terminal to its end, alone or for several people."""

from collections.abc import Callable

from lair import LairError
from lair.cli.opening import Opened
from lair.cli.output import Output
from lair.cli.screen import Left


def played_to_the_end(play: Callable[[], Opened], again: str, output: Output) -> Opened | None:
    """Sit down and play until the game is over, and give it as it is then. None: it was left before.

    `again` is what is typed to go on, which whoever leaves is told, and whom the server failed. Raises LairError.
    """
    hint = f"\nThe game is kept. Go on with:  {again}"
    try:
        return play()
    except (Left, KeyboardInterrupt):
        output.errors.print(hint, soft_wrap=True)
        return None
    except LairError:
        output.errors.print(hint, soft_wrap=True)
        raise
