"""The commands, and what they are grouped under."""

from collections.abc import Callable
from importlib.metadata import version
from typing import Annotated

import typer

from lair.cli.again import rematch
from lair.cli.autoplay import autoplay
from lair.cli.describing import games
from lair.cli.inviting import invite
from lair.cli.leaving import leave
from lair.cli.lobbies import lobbies
from lair.cli.playing import abort, moves, play
from lair.cli.reaching import reaching
from lair.cli.sessions import sessions
from lair.cli.sit import sit
from lair.cli.starting import join, new
from lair.cli.table import table
from lair.cli.verifying import verify
from lair.cli.watching import history, view, watch

HELP = {"help_option_names": ["-h", "--help"]}

app: typer.Typer = typer.Typer(
    name="lair",
    help="Monster games at the terminal. `lair table cabbages Ann Ben` starts one; `make run` starts the server.",
    context_settings=HELP,
    pretty_exceptions_enable=False,
)

PANELS: dict[str, tuple[Callable[..., None], ...]] = {
    "Play": (table, new, join, invite, sit, moves, play, leave, abort, rematch),
    "Look": (games, sessions, lobbies, view, watch, history),
    "Check": (verify, autoplay),
}
for _panel, _commands in PANELS.items():
    for _command in _commands:
        app.command(rich_help_panel=_panel, context_settings=HELP)(reaching(_command))


def _show_version(wanted: bool) -> None:  # noqa: FBT001  # typer calls it so
    if wanted:
        print(f"lair {version('lair-games')}")
        raise typer.Exit


@app.callback()
def lair(
    *,
    _: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version, and stop.")
    ] = False,
) -> None:
    """Monster games at the terminal."""
