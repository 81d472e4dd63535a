"""lair new and lair join: sessions and seats, to be played from here."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

import typer

from lair import Client
from lair.cli.failures import MISUSED, Failure
from lair.cli.keeping import next_lines, note_record, token_lines, write_down
from lair.cli.notebook import SessionNote
from lair.cli.opening import DEFAULT_SERVER, connected
from lair.cli.options import (
    MOST_SEATS,
    ChoiceOption,
    GameArgument,
    JsonOption,
    ServerOption,
    ShowTokensOption,
    TurnLimitOption,
)
from lair.cli.output import Output
from lair.cli.sitting import plain


@dataclass(frozen=True, slots=True)
class Clocks:
    """The limits of a new session, in seconds. None is the server's, or no limit."""

    turn: float | None = None
    idle: float | None = None


NO_CLOCKS = Clocks()


def new(
    game: GameArgument,
    names: Annotated[list[str] | None, typer.Argument(metavar="NAME", help="Who plays, clockwise.")] = None,
    *,
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
    address = server or DEFAULT_SERVER
    clocks = Clocks(turn_limit, idle_limit)
    with connected(address) as client:
        if lobby is None:
            note = start_session(client, address, game, names or [], option or [], clocks)
        else:
            note = open_lobby(client, address, game, lobby, names or [], option or [], clocks)
    session = note.name.removeprefix("sessions/")
    output.show(note_record(note), note.name)
    if note.join_code:
        output.say(f"Others join with:  lair join {note.join_code} NAME")
        output.say(f"Then:              lair watch {session}")
    else:
        output.say(*next_lines(session))
    if show_tokens:
        output.say(*token_lines(note))


def join(
    code: Annotated[str, typer.Argument(metavar="CODE", help="The join code. Case and dashes don't matter.")],
    name: Annotated[str, typer.Argument(metavar="NAME", help="Who joins.")],
    *,
    seat: Annotated[int | None, typer.Option(metavar="NUMBER", min=0, help="This one, not the first.")] = None,
    show_tokens: ShowTokensOption = False,
    server: ServerOption = None,
    json_lines: JsonOption = False,
) -> None:
    """Take a seat of somebody's game by its join code."""
    output = Output(json_lines=json_lines)
    address = server or DEFAULT_SERVER
    with connected(address) as client:
        taken = client.join(code, name=name, seat=seat)
        note = write_down(taken.session, address, (taken,))
    session = note.name.removeprefix("sessions/")
    output.show(
        note_record(note),
        f"{note.name}: {plain(taken.name)} has seat {taken.index}.",
        f"Next:  lair watch {session}",
        f"       lair play {session} MOVE",
    )
    if show_tokens:
        output.say(*token_lines(note))


def start_session(
    client: Client, server: str, game: str, names: Sequence[str], options: Sequence[str], clocks: Clocks = NO_CLOCKS
) -> SessionNote:
    """Create a session with every seat held here."""
    session = client.create(game, seats=names, options=options, turn_limit=clocks.turn, idle_limit=clocks.idle)
    return write_down(session, server, session.seats)


def open_lobby(
    client: Client,
    server: str,
    game: str,
    seats: int,
    names: Sequence[str],
    options: Sequence[str],
    clocks: Clocks = NO_CLOCKS,
) -> SessionNote:
    """Open a session to others, and take a seat for each of these names."""
    if len(names) > seats:
        raise Failure(f"{len(names)} names are too many for {seats} seats.", MISUSED)
    session = client.open(game, seats=seats, options=options, turn_limit=clocks.turn, idle_limit=clocks.idle)
    note = write_down(session, server, ())
    for name in names:
        note = write_down(session, server, (client.join(session.join_code, name=name),))
    return note
