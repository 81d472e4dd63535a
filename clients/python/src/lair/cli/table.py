"""lair table: several people at one terminal."""

from typing import Annotated

import typer

from lair.cli import completing
from lair.cli.creating import Wish, start_session
from lair.cli.failures import MISUSED, REFUSED, Failure
from lair.cli.hints import short, typed
from lair.cli.opening import Opened, connected, opened
from lair.cli.options import BotsOption, ChoiceOption, JsonOption, ServerOption, TurnLimitOption
from lair.cli.output import Output
from lair.cli.own_seat import OwnSeat
from lair.cli.race import Race, can_race
from lair.cli.round import Round
from lair.cli.servers import default_server
from lair.cli.to_the_end import played_to_the_end
from lair.cli.verifying import show_verification
from lair.cli.watching import show_snapshot


def table(
    game_or_session: Annotated[
        str | None,
        typer.Argument(
            metavar="GAME|SESSION",
            help="The game's token; with --resume, a session.",
            autocompletion=completing.games_or_sessions,
        ),
    ] = None,
    names: Annotated[list[str] | None, typer.Argument(metavar="NAME", help="Who plays, clockwise.")] = None,
    *,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with the session that is named instead, or with the latest.")
    ] = False,
    bots: BotsOption = 0,
    option: ChoiceOption = None,
    turn_limit: TurnLimitOption = None,
    server: ServerOption = None,
    json_lines: JsonOption = False,
) -> None:
    """Play together at one terminal, or alone against --bots. q or Ctrl-C leaves; `lair table --resume` goes on.

    Where the players know different things, the screen is cleared between them, and each looks alone. Where everybody
    plays at once, each has a key to begin a line with, and lines count in the order in which they are typed.
    """
    output = Output(json_lines=json_lines)
    if resume:
        session = _resumed(game_or_session, names or [], bots)
    else:
        if game_or_session is None or not names:
            raise Failure("Name a game and its players, such as: lair table cabbages Ann Ben", MISUSED)
        wish = Wish(game_or_session, option or [], bots, turn_limit=turn_limit)
        session = _started(wish, names, server or default_server())
    with opened(session, server, output) as game:
        if not game.held:
            raise Failure(f"No seat of {game.facts.name} is held here: join it, or sit down where it was created.")
        session_id = short(game.facts.name)
        again = typed(f"table --resume {session_id}", game.server)
        now = played_to_the_end(lambda: _seated(game, output).play_to_the_end(), again, output)
        if now is None:
            return
        show_snapshot(now, now.session.snapshot(), output)
        if not show_verification(now, now.session.verify(), output):
            raise typer.Exit(REFUSED)
        output.say(
            f"Once more:  {typed(f'rematch {session_id}', game.server)} && {typed('table --resume', game.server)}"
        )


def _seated(game: Opened, output: Output) -> OwnSeat | Race | Round:
    """Whoever sits here: one alone hears what all others do while they are asked; several share the screen."""
    if len(game.held) == 1:
        return OwnSeat(game, game.take(game.held[0]), output)
    return Race(game, output) if can_race(game) else Round(game, output)


def _resumed(session: str | None, names: list[str], bots: int) -> str | None:
    if names or bots:
        raise Failure("Name one session to go on with, or none for the latest.", MISUSED)
    return session


def _started(wish: Wish, names: list[str], server: str) -> str:
    with connected(server) as client:
        return start_session(client, server, wish, names).name
