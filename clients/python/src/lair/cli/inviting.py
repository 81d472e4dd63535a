"""lair invite: how others come to a game that waits for players."""

from lair.cli.failures import Failure
from lair.cli.hints import join_line
from lair.cli.opening import opened
from lair.cli.options import JsonOption, ServerOption, SessionArgument
from lair.cli.output import Output


def invite(session: SessionArgument = None, *, server: ServerOption = None, json_lines: JsonOption = False) -> None:
    """Show again how others join: the join code, and which seats are free."""
    output = Output(json_lines=json_lines)
    with opened(session, server, output) as game:
        code = game.note.join_code if game.note else ""
        if game.facts.listed:
            code = code or game.facts.name
        if not code:
            raise Failure(f"The join code of {game.facts.name} is not in the notebook: ask whoever opened it.")
        free = sum(not seat.taken for seat in game.facts.seats)
        output.show(
            {"session": game.facts.name, "server": game.server, "joinCode": code, "freeSeats": free},
            f"{free} of {len(game.facts.seats)} seats are free.",
        )
        output.hint(f"Others join with:  {join_line(code, game.server)}")
