"""lair moves, play and abort: what a seat can do, and doing it."""

from typing import Annotated

import typer

from lair import IllegalMove, InvalidRequest, Seat, Update
from lair.cli import completing
from lair.cli.answers import meant, written
from lair.cli.choosing import no_such_move
from lair.cli.confirming import confirm
from lair.cli.failures import MISUSED, Failure
from lair.cli.notebook import Notebook
from lair.cli.opening import Opened, opened
from lair.cli.options import JsonOption, SeatOption, ServerOption, SessionArgument, YesOption
from lair.cli.output import Output
from lair.cli.records import move_record, update_record
from lair.cli.rendering import tell_event
from lair.cli.reporting import sentence
from lair.cli.watching import standing_line


def moves(
    session: SessionArgument = None,
    *,
    seat: SeatOption = None,
    server: ServerOption = None,
    json_lines: JsonOption = False,
) -> None:
    """List the legal moves of a seat. Any of them can be given to `lair play` as it is shown."""
    output = Output(json_lines=json_lines)
    with opened(session, server, output) as game:
        player = game.player(seat)
        legal = player.moves()
        for move in legal:
            output.show(move_record(move), game.sitting.told(move.text))
        if not legal:
            # On standard error: a list without items is an empty standard output.
            now = standing_line(game, game.facts.standing, game.facts.state)
            output.errors.print(f"{game.sitting.who(player.index)} has no move now. {now}", soft_wrap=True)


def play(
    first: Annotated[
        str,
        typer.Argument(
            metavar="SESSION|MOVE",
            help="A session of the notebook, else the latest.",
            autocompletion=completing.sessions,
        ),
    ],
    rest: Annotated[
        list[str] | None, typer.Argument(metavar="MOVE", help="A move as `lair moves` shows it.", show_default=False)
    ] = None,
    *,
    seat: SeatOption = None,
    server: ServerOption = None,
    json_lines: JsonOption = False,
) -> None:
    """Play a move, and tell what happened."""
    output = Output(json_lines=json_lines)
    session, text = _session_and_move([first, *(rest or [])], server)
    with opened(session, server, output) as game:
        update = _play(game, game.player(seat), text, output)
        output.show(
            update_record(game.facts.name, update),
            *(tell_event(event, game.sitting) for event in update.events),
            "" if json_lines else standing_line(game, update.standing),
        )


def abort(
    session: SessionArgument = None,
    *,
    yes: YesOption = False,
    server: ServerOption = None,
    json_lines: JsonOption = False,
) -> None:
    """End a session without a result. Only where it was created."""
    output = Output(json_lines=json_lines)
    with opened(session, server, output) as game:
        if not game.session.host_token:
            raise Failure(f"Only its host can end {game.facts.name}, and it was not created here.")
        confirm(f"{game.facts.name} ends for everybody, without a result?", output, yes=yes)
        game.session.abort()
    output.show({"session": game.facts.name, "state": "aborted"}, f"{game.facts.name} is aborted.")


def _play(game: Opened, player: Seat, text: str, output: Output) -> Update:
    """Play the legal move that is called so, with names or with seats; else let the server say what is wrong."""
    legal = player.moves()
    found = meant(text, legal, game.sitting)
    try:
        return player.play(found[0] if len(found) == 1 else written(text, game.sitting))
    except IllegalMove as refusal:
        if output.json_lines:
            raise
        raise Failure(game.sitting.told(sentence(refusal))) from refusal
    except InvalidRequest as refusal:
        if output.json_lines or not legal:
            raise
        raise Failure(no_such_move(text, legal, game.sitting)) from refusal


def _session_and_move(words: list[str], server: str | None) -> tuple[str | None, str]:
    """Tell a session before the move from a move of several words. Only sessions of the notebook can be played."""
    first, *rest = words
    if first.startswith("sessions/") or Notebook().find(first, server):
        if not rest:
            raise Failure(f"Say which move to play on {first}: see `lair moves {first}`.", MISUSED)
        return first, " ".join(rest)
    return None, " ".join(words)
