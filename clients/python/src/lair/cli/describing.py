"""lair games: what can be played."""

from collections.abc import Iterable
from typing import Annotated

import typer
from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from lair import Client, GameDescription, GameFacts, NotFound
from lair.cli import completing
from lair.cli.failures import Failure
from lair.cli.opening import connected
from lair.cli.options import JsonOption, ServerOption
from lair.cli.output import Output
from lair.cli.records import game_facts_record, game_record
from lair.cli.servers import default_server

HALF_A_PAGE = 900
"""In characters: about a dozen lines of eighty."""


def games(
    game: Annotated[
        str | None,
        typer.Argument(metavar="[GAME]", help="Show this one, and its rules.", autocompletion=completing.games),
    ] = None,
    *,
    server: ServerOption = None,
    json_lines: JsonOption = False,
) -> None:
    """List the games that the server has, or show one of them with its seats, options and every rule."""
    output = Output(json_lines=json_lines)
    with connected(server or default_server()) as client:
        if game is not None:
            found = describe_game(client, game)
            if output.json_lines:
                output.show(game_record(found))
            else:
                output.page(describe(found))
            return
        served = client.games()
    for each in served if output.json_lines else ():
        output.show(game_facts_record(each))
    output.say(_overview(served))


def find_game(client: Client, token: str) -> GameFacts:
    """The game of this token. Raises Failure that names what there is."""
    served = client.games()
    for each in served:
        if each.token == token:
            return each
    raise Failure(f'There is no game "{token}" here, only: {", ".join(each.token for each in served)}.')


def describe_game(client: Client, token: str) -> GameDescription:
    """The game of this token in words. Raises Failure that names what there is."""
    try:
        return client.rules(token).describe()
    except NotFound:
        find_game(client, token)
        raise


def show_how_to_play(game: GameDescription, output: Output) -> None:
    """Say in half a page how a game is played."""
    output.say(Text(game.title, style="bold"), how_to_play(game))


def show_rules(game: GameDescription, output: Output) -> None:
    """Show how a game is played and every rule, page by page at a terminal."""
    output.page(Group(Text(game.title, style="bold"), how_to_play(game), "", Text("Rules", style="bold"), _rules(game)))


def how_to_play(game: GameDescription) -> Text:
    """The rules that come first, as far as half a page has room for them, in one paragraph."""
    told: list[str] = []
    for rule in game.rules:
        if len(" ".join([*told, rule.text])) > HALF_A_PAGE:
            break
        told.append(rule.text)
    return Text(" ".join(told))


def describe(game: GameDescription) -> RenderableType:
    """A game with its seats, how it is played, its options and every rule."""
    return Group(
        Text(game.title, style="bold"),
        Text(f"{game.credits}\n{_seats(game.min_seats, game.max_seats)} seats; rules {game.rules_version}\n"),
        Text("How to play", style="bold"),
        how_to_play(game),
        "",
        Text("Options", style="bold"),
        _list(*((option.name, f"{option.text} Default: {option.default}.") for option in game.options)),
        Text("Rules", style="bold"),
        _rules(game),
        Text("Ends", style="bold"),
        _list(*((end.reason, end.text) for end in game.ends)),
        Text("Out of time", style="bold"),
        Text(game.timeout),
    )


def _rules(game: GameDescription) -> RenderableType:
    return _list(*((rule.id, rule.text) for rule in game.rules))


def _overview(served: Iterable[GameFacts]) -> Table:
    table = Table(box=box.SIMPLE_HEAD)
    for column in ("game", "title", "seats", "rules"):
        table.add_column(column)
    for game in served:
        table.add_row(
            game.token, Text(game.title), _seats(game.min_seats, game.max_seats), ", ".join(game.rules_versions)
        )
    return table


def _seats(fewest: int, most: int) -> str:
    return f"{fewest}-{most}" if fewest < most else str(fewest)


def _list(*rows: tuple[str, str]) -> Table:
    table = Table(show_header=False, box=None)
    table.add_column(style="cyan", no_wrap=True)
    table.add_column()
    for name, text in rows:
        table.add_row(name, Text(text))
    return table
