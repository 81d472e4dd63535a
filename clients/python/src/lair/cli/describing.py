"""lair games: what is served."""

from collections.abc import Sequence
from typing import Annotated

import typer
from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from lair import GameDescription
from lair.cli.failures import Failure
from lair.cli.opening import DEFAULT_SERVER, connected
from lair.cli.options import JsonOption, ServerOption
from lair.cli.output import Output
from lair.cli.records import game_record


def games(
    game: Annotated[str | None, typer.Argument(metavar="[GAME]", help="Show this one, and its rules.")] = None,
    *,
    server: ServerOption = None,
    json_lines: JsonOption = False,
) -> None:
    """Show the games that the server has, or one of them with its seats, options and every rule."""
    output = Output(json_lines=json_lines)
    with connected(server or DEFAULT_SERVER) as client:
        served = client.games()
    if game is not None:
        found = find_game(served, game)
        output.show(game_record(found), describe(found))
        return
    for each in served if output.json_lines else ():
        output.show(game_record(each))
    output.say(_overview(served))


def find_game(served: Sequence[GameDescription], token: str) -> GameDescription:
    """The game of this token. Raises Failure that names what there is."""
    for each in served:
        if each.token == token:
            return each
    raise Failure(f'There is no game "{token}" here, only: {", ".join(each.token for each in served)}.')


def describe(game: GameDescription) -> RenderableType:
    """A game with its seats, its options and every rule."""
    return Group(
        Text(game.title, style="bold"),
        Text(f"{game.credits}\n{_seats(game)} seats; rules {game.rules_version}\n"),
        Text("Options", style="bold"),
        _list(*((option.name, f"{option.text} Default: {option.default}.") for option in game.options)),
        Text("Rules", style="bold"),
        rules_list(game),
        Text("Ends", style="bold"),
        _list(*((end.reason, end.text) for end in game.ends)),
        Text("Out of time", style="bold"),
        Text(game.timeout),
    )


def rules_list(game: GameDescription) -> RenderableType:
    """Every rule with its id."""
    return _list(*((rule.id, rule.text) for rule in game.rules))


def _overview(served: Sequence[GameDescription]) -> Table:
    table = Table(box=box.SIMPLE_HEAD)
    for column in ("game", "title", "seats", "rules"):
        table.add_column(column)
    for game in served:
        table.add_row(game.token, Text(game.title), _seats(game), game.rules_version)
    return table


def _seats(game: GameDescription) -> str:
    return f"{game.min_seats}-{game.max_seats}" if game.min_seats < game.max_seats else str(game.min_seats)


def _list(*rows: tuple[str, str]) -> Table:
    table = Table(show_header=False, box=None)
    table.add_column(style="cyan", no_wrap=True)
    table.add_column()
    for name, text in rows:
        table.add_row(name, Text(text))
    return table
