"""lair new and lair join: sessions and seats, to be played from here."""

from typing import Annotated, Any

import typer

from lair import Seat
from lair.cli.creating import Wish, open_lobby, start_session
from lair.cli.failures import MISUSED, Failure
from lair.cli.hints import join_line, next_lines, then_line
from lair.cli.keeping import note_record, token_lines, write_down
from lair.cli.notebook import Notebook
from lair.cli.opening import connected
from lair.cli.options import (
    MOST_SEATS,
    BotsOption,
    ChoiceOption,
    GameArgument,
    JsonOption,
    ServerOption,
    ShowTokensOption,
    TurnLimitOption,
)
from lair.cli.output import Output
from lair.cli.servers import default_server
from lair.cli.sitting import plain


def new(
    game: GameArgument,
    names: Annotated[list[str] | None, typer.Argument(metavar="NAME", help="Who plays, clockwise.")] = None,
    *,
    bots: BotsOption = 0,
    option: ChoiceOption = None,
    lobby: Annotated[
        int | None,
        typer.Option(
            metavar="SEATS",
            min=1,
            max=MOST_SEATS,
            help="Open so many seats to others by a join code. Whoever is named here sits down.",
        ),
    ] = None,
    listed: Annotated[
        bool, typer.Option("--listed", help="Let everybody find the lobby by `lair lobbies` and join without the code.")
    ] = False,
    turn_limit: TurnLimitOption = None,
    idle_limit: Annotated[
        float | None,
        typer.Option(metavar="SECONDS", help="End the session when nobody has touched it for so long."),
    ] = None,
    show_tokens: ShowTokensOption = False,
    server: ServerOption = None,
    json_lines: JsonOption = False,
) -> None:
    """Start a game. The tokens of its seats go into the notebook, so that later commands can play them."""
    output = Output(json_lines=json_lines)
    if not names and lobby is None:
        raise Failure("Name the players, or open a lobby with --lobby SEATS.", MISUSED)
    if listed and lobby is None:
        raise Failure("Only a lobby can be listed: open one with --lobby SEATS.", MISUSED)
    address = server or default_server()
    wish = Wish(game, option or [], bots, listed, turn_limit, idle_limit)
    with connected(address) as client:
        if lobby is None:
            note = start_session(client, address, wish, names or [])
        else:
            note = open_lobby(client, address, wish, lobby, names or [])
    output.show(note_record(note), note.name)
    if note.join_code:
        output.hint(f"Others join with:  {join_line(note.name if listed else note.join_code, note.server)}")
        output.hint(f"Then:              {then_line(note)}")
    else:
        output.hint(*next_lines(note))
    if show_tokens:
        output.say(*token_lines(note))


def join(
    code: Annotated[
        str,
        typer.Argument(
            metavar="CODE|SESSION",
            help="The join code, whose case and dashes don't matter; or a session of the lobbies.",
        ),
    ],
    name: Annotated[str, typer.Argument(metavar="NAME", help="Who joins.")],
    *,
    seat: Annotated[int | None, typer.Option(metavar="NUMBER", min=0, help="This one, not the first.")] = None,
    show_tokens: ShowTokensOption = False,
    server: ServerOption = None,
    json_lines: JsonOption = False,
) -> None:
    """Take a seat of somebody's game: by its join code, or of a listed one by its name, sessions/ID."""
    output = Output(json_lines=json_lines)
    address = server or default_server()
    Notebook().check_writable()
    with connected(address) as client:
        taken = client.join(code, name=name, seat=seat)
        note = write_down(taken.session, address, (taken,), "" if "/" in code else code)
    output.show(note_record(note), f"{note.name}: {plain(taken.name)} has seat {taken.index}.", *_other(name, taken))
    output.hint(*next_lines(note))
    if show_tokens:
        output.say(*token_lines(note))


def _other(name: str, taken: Seat[Any]) -> list[str]:
    """What to say to somebody who is called otherwise than they have said, since another has that name."""
    return [] if taken.name == name else [f"Somebody is called {plain(name)} already: you are {plain(taken.name)}."]
