"""lair lobbies: games of others that wait for players."""

from collections.abc import Sequence
from itertools import islice
from typing import Annotated

import typer
from rich import box
from rich.table import Table
from rich.text import Text

from lair import SeatKind, SessionFacts
from lair.cli.opening import DEFAULT_SERVER, connected
from lair.cli.options import JsonOption, ServerOption
from lair.cli.output import Output
from lair.cli.records import facts_record
from lair.cli.sitting import in_a_row, plain

MOST = 100
"""So many are shown at most."""


def lobbies(
    game: Annotated[str | None, typer.Argument(metavar="[GAME]", help="Only those of this game.")] = None,
    *,
    server: ServerOption = None,
    json_lines: JsonOption = False,
) -> None:
    """List the games that wait for players and that everybody may join, the newest first."""
    output = Output(json_lines=json_lines)
    with connected(server or DEFAULT_SERVER) as client:
        waiting = tuple(islice(client.lobbies(game), MOST))
    for each in waiting if output.json_lines else ():
        output.show(facts_record(each))
    if not waiting:
        # On standard error: a list without items is an empty standard output.
        output.errors.print("Nobody waits for players. Open a game to everybody: lair new GAME --lobby SEATS --listed")
    else:
        output.say(_overview(waiting), f"Sit down with:  lair join {waiting[0].name} NAME")


def _overview(waiting: Sequence[SessionFacts]) -> Table:
    table = Table(box=box.SIMPLE_HEAD)
    for column in ("session", "game", "free seats", "who is there"):
        table.add_column(column)
    for facts in waiting:
        free = sum(not seat.taken for seat in facts.seats)
        there = in_a_row([_who(seat.name, seat.kind) for seat in facts.seats if seat.taken])
        table.add_row(facts.name, Text(plain(facts.game)), f"{free} of {len(facts.seats)}", Text(there))
    return table


def _who(name: str, kind: SeatKind) -> str:
    return plain(name) or ("a bot" if kind is SeatKind.BOT else "somebody")
