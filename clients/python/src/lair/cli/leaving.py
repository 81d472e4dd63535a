"""lair leave: giving a seat up."""

from lair import State
from lair.cli.confirming import confirm
from lair.cli.notebook import Notebook
from lair.cli.opening import opened
from lair.cli.options import JsonOption, SeatOption, ServerOption, SessionArgument, YesOption
from lair.cli.output import Output


def leave(
    session: SessionArgument = None,
    *,
    seat: SeatOption = None,
    yes: YesOption = False,
    server: ServerOption = None,
    json_lines: JsonOption = False,
) -> None:
    """Give a seat up for good. Before the start it is free again; later a stand-in plays it to the end."""
    output = Output(json_lines=json_lines)
    with opened(session, server, output) as game:
        player = game.leaver(seat)
        confirm(f"{game.sitting.who(player.index)} leaves {game.facts.name} for good?", output, yes=yes)
        facts = player.leave()
        if game.note is not None:
            Notebook().forget_seat(game.note, player.index)
    what = "The seat is free again." if facts.state is State.LOBBY else "A stand-in plays on."
    output.show(
        {"session": facts.name, "seat": player.index, "state": facts.state.value},
        f"{game.sitting.who(player.index)} has left {facts.name}. {what}",
    )
