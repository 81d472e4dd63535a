"""lair lobbies: games of others that wait for players, and joining one of them."""

import sys
from collections.abc import Sequence
from contextlib import suppress
from itertools import islice
from typing import Annotated

import typer
from rich import box
from rich.table import Table
from rich.text import Text

from lair import SeatKind, SessionFacts
from lair.cli.hints import short, typed
from lair.cli.notebook import full_name
from lair.cli.opening import connected
from lair.cli.options import JsonOption, ServerOption
from lair.cli.output import Output
from lair.cli.records import facts_record
from lair.cli.screen import Left, Screen
from lair.cli.servers import default_server
from lair.cli.sitting import in_a_row, plain
from lair.cli.starting import join

MOST = 100
"""So many are shown at most."""
LEAST_LETTERS = 4
"""Of a session's id: what is shorter may be meant as a number."""


def lobbies(
    game: Annotated[str | None, typer.Argument(metavar="[GAME]", help="Only those of this game.")] = None,
    *,
    server: ServerOption = None,
    json_lines: JsonOption = False,
) -> None:
    """List the games that wait for players and that everybody may join, the newest first.

    At a terminal it asks which of them to join: by number, by session, or by the name of somebody who sits there.
    """
    output = Output(json_lines=json_lines)
    server = server or default_server()
    with connected(server) as client:
        waiting = tuple(islice(client.lobbies(game), MOST))
    for each in waiting if output.json_lines else ():
        output.show(facts_record(each))
    if not waiting:
        # On standard error: a list without items is an empty standard output.
        opening = typed("new GAME --lobby SEATS --listed", server)
        output.errors.print(f"Nobody waits for players. Open a game to everybody:  {opening}", soft_wrap=True)
        return
    output.say(_overview(waiting))
    if output.json_lines or not (output.console.is_terminal and sys.stdin.isatty()):
        output.say(f"Sit down with:  {typed(f'join {short(waiting[0].name)} NAME', server)}")
    elif (chosen := _ask(waiting, Screen(output), output)) is not None:
        facts, name = chosen
        join(facts.name, name, server=server)


def _ask(waiting: Sequence[SessionFacts], screen: Screen, output: Output) -> tuple[SessionFacts, str] | None:
    """Which one somebody wants to join, and under which name. None: they don't."""
    with suppress(Left):
        while wanted := screen.ask("Join which? Its number, or nothing to leave: "):
            found = find_lobbies(waiting, wanted)
            if len(found) == 1:
                name = screen.ask("Your name: ")
                return (found[0], name) if name else None
            output.say(_misunderstood(wanted, len(waiting), len(found)))
    return None


def find_lobbies(waiting: Sequence[SessionFacts], wanted: str) -> list[SessionFacts]:
    """Those that are meant by a number of the list, by a session or how it begins, or by who sits there."""
    if wanted.isdecimal() and 1 <= int(wanted) <= len(waiting):
        return [waiting[int(wanted) - 1]]
    there = [facts for facts in waiting if _sits(facts, wanted)]
    if there or len(wanted) < LEAST_LETTERS:
        return there
    return [facts for facts in waiting if facts.name.startswith(full_name(wanted.casefold()))]


def _sits(facts: SessionFacts, name: str) -> bool:
    return name.casefold() in [seat.name.casefold() for seat in facts.seats if seat.taken]


def _misunderstood(wanted: str, most: int, found: int) -> str:
    what = "Several of them are meant by" if found else "None of them is meant by"
    return f'{what} "{plain(wanted)}": say a number from 1 to {most}, a session, or who sits there.'


def _overview(waiting: Sequence[SessionFacts]) -> Table:
    table = Table(box=box.SIMPLE_HEAD)
    table.add_column("", justify="right")
    for column in ("session", "game", "free seats", "who is there"):
        table.add_column(column)
    for number, facts in enumerate(waiting, start=1):
        free = sum(not seat.taken for seat in facts.seats)
        there = in_a_row([_who(seat.name, seat.kind) for seat in facts.seats if seat.taken])
        table.add_row(str(number), facts.name, Text(plain(facts.game)), f"{free} of {len(facts.seats)}", Text(there))
    return table


def _who(name: str, kind: SeatKind) -> str:
    return plain(name) or ("a bot" if kind is SeatKind.BOT else "somebody")
