"""lair sit: one's own seat, at a table whose other players sit elsewhere."""

from typing import NoReturn

import typer

from lair.cli.failures import MISUSED, REFUSED, Failure
from lair.cli.hints import short, typed
from lair.cli.opening import Opened, opened
from lair.cli.options import JsonOption, SeatOption, ServerOption, SessionArgument
from lair.cli.output import Output
from lair.cli.own_seat import OwnSeat
from lair.cli.to_the_end import played_to_the_end
from lair.cli.verifying import show_verification
from lair.cli.watching import show_snapshot


def sit(
    session: SessionArgument = None,
    *,
    seat: SeatOption = None,
    server: ServerOption = None,
    json_lines: JsonOption = False,
) -> None:
    """Sit down at your own seat, and play to the end with those who sit elsewhere. q or Ctrl-C leaves.

    What the others do is told as it happens, also while you are asked.
    """
    output = Output(json_lines=json_lines)
    with opened(session, server, output) as game:
        player = game.leaver(seat) if game.held else _nobody(game)
        again = typed(f"sit {short(game.facts.name)}", game.server)
        now = played_to_the_end(lambda: OwnSeat(game, player, output).play_to_the_end(), again, output)
        if now is None:
            return
        show_snapshot(now, player.snapshot(), output)
        if not show_verification(now, now.session.verify(), output):
            raise typer.Exit(REFUSED)
        output.hint(f"Once more:  {typed(f'rematch {short(game.facts.name)}', game.server)}")


def _nobody(game: Opened) -> NoReturn:
    raise Failure(f"No seat of {game.facts.name} is held here: join it with its code, `lair join CODE NAME`.", MISUSED)
