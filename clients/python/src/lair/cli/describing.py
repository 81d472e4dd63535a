"""lair games: what can be played."""

from collections.abc import Iterable, Mapping
from itertools import groupby
from typing import Annotated

import typer
from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from lair import Client, GameDescription, GameFacts, NotFound, RulePart, Source
from lair.cli import completing
from lair.cli.failures import Failure
from lair.cli.opening import connected
from lair.cli.options import JsonOption, ServerOption
from lair.cli.output import Output
from lair.cli.records import game_facts_record, game_record
from lair.cli.servers import default_server

HEADINGS: Mapping[RulePart, str] = {
    RulePart.SET_UP: "Set-up",
    RulePart.TURN: "A turn",
    RulePart.END: "The end",
    RulePart.TIME: "Time",
}
MARKS: Mapping[Source, str] = {Source.PUBLISHED: "not in the rulebook", Source.LAIR: "Lair's own"}


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
    """Say in half a page what a game is about and how it is played."""
    output.say(_title(game), *_how_to_play(game))


def show_rules(game: GameDescription, output: Output) -> None:
    """Show how a game is played and every rule, page by page at a terminal."""
    output.page(_title(game), *_how_to_play(game), _rules(game))


def describe(game: GameDescription) -> RenderableType:
    """A game as a stranger reads it: aim, how to play, every rule from set-up to end, and its options last."""
    return Group(
        _title(game),
        Text(f"{game.credits}\n{_seats(game.min_seats, game.max_seats)} seats; rules {game.rules_version}\n"),
        *_how_to_play(game),
        _rules(game),
        Text("How it ends", style="bold"),
        _list(*((end.reason, end.text + _mark(end.source)) for end in game.ends)),
        Text("Out of time", style="bold"),
        Text(game.timeout),
        Text("Options", style="bold"),
        _list(
            *(
                (option.name, f"{option.text} Default: {option.default}.{_mark(option.source)}")
                for option in game.options
            )
        ),
    )


def _title(game: GameDescription) -> Text:
    return Text(game.title, style="bold")


def _how_to_play(game: GameDescription) -> tuple[Text, ...]:
    return (
        Text("Aim", style="bold"),
        Text(f"{game.aim}\n"),
        Text("How to play", style="bold"),
        Text(f"{game.how_to_play}\n"),
    )


def _rules(game: GameDescription) -> RenderableType:
    """Every rule with its id and, where it isn't printed, where it comes from, part by part."""
    parts: list[RenderableType] = []
    for part, rules in groupby(game.rules, key=lambda rule: rule.part):
        parts += [
            Text(HEADINGS.get(part, "Rules"), style="bold"),
            _list(*((rule.id, rule.text + _mark(rule.source) + _note(rule.note)) for rule in rules)),
        ]
    return Group(*parts)


def _note(note: str) -> str:
    """What Lair has settled in a rule, on a line of its own."""
    return f"\nNote: {note}" if note else ""


def _mark(source: Source) -> str:
    """Where it comes from; what is printed needs no mark."""
    return f" [{MARKS[source]}]" if source in MARKS else ""


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
