"""lair new and lair join: sessions and seats, written into the notebook."""

from collections.abc import Sequence
from typing import Annotated

import typer

from lair import Client, Seat, Session
from lair.cli.failures import MISUSED, Failure
from lair.cli.notebook import Notebook, SeatNote, SessionNote
from lair.cli.opening import DEFAULT_SERVER, connected
from lair.cli.options import MOST_SEATS, ChoiceOption, GameArgument, JsonOption, ServerOption, ShowTokensOption
from lair.cli.output import Output
from lair.cli.records import Record
from lair.cli.sitting import plain


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
    show_tokens: ShowTokensOption = False,
    server: ServerOption = None,
    json_lines: JsonOption = False,
) -> None:
    """Start a game. The tokens of its seats go into the notebook, so that later commands can play them."""
    output = Output(json_lines=json_lines)
    if not names and lobby is None:
        raise Failure("Name the players, or open a lobby with --lobby SEATS.", MISUSED)
    address = server or DEFAULT_SERVER
    with connected(address) as client:
        if lobby is None:
            note = start_session(client, address, game, names or [], option or [])
        else:
            note = open_lobby(client, address, game, lobby, names or [], option or [])
    session = note.name.removeprefix("sessions/")
    output.show(note_record(note), note.name)
    if note.join_code:
        output.say(f"Others join with:  lair join {note.join_code} NAME")
        output.say(f"Then:              lair watch {session}")
    else:
        output.say(
            f"Next:  lair moves {session}", f"       lair play {session} MOVE", f"       lair table --resume {session}"
        )
    if show_tokens:
        output.say(*_token_lines(note))


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
        output.say(*_token_lines(note))


def start_session(client: Client, server: str, game: str, names: Sequence[str], options: Sequence[str]) -> SessionNote:
    """Create a session with every seat held here."""
    session = client.create(game, seats=names, options=options)
    return write_down(session, server, session.seats)


def open_lobby(
    client: Client, server: str, game: str, seats: int, names: Sequence[str], options: Sequence[str]
) -> SessionNote:
    """Open a session to others, and take a seat for each of these names."""
    if len(names) > seats:
        raise Failure(f"{len(names)} names are too many for {seats} seats.", MISUSED)
    session = client.open(game, seats=seats, options=options)
    note = write_down(session, server, ())
    for name in names:
        note = write_down(session, server, (client.join(session.join_code, name=name),))
    return note


def write_down(session: Session, server: str, seats: Sequence[Seat]) -> SessionNote:
    """Write a session, and seats of it, into the notebook as the latest. The note has what was known before, too."""
    notebook = Notebook()
    notebook.write(
        SessionNote(
            session.name,
            server,
            session.game,
            session.commitment.hex(),
            tuple(SeatNote(seat.index, seat.name, seat.token) for seat in seats),
            session.host_token,
            session.join_code,
        )
    )
    note = notebook.find(session.name, server)
    if note is None:
        raise Failure(f"The notebook {notebook.path} has lost what was just written.")
    return note


def note_record(note: SessionNote) -> Record:
    """A note with its secrets: --json is asked for by programs, which need them."""
    return {
        "session": note.name,
        "server": note.server,
        "game": note.game,
        "commitment": note.commitment,
        "seats": [{"seat": seat.index, "name": seat.name, "token": seat.token} for seat in note.seats],
        "hostToken": note.host_token or None,
        "joinCode": note.join_code or None,
    }


def _token_lines(note: SessionNote) -> list[str]:
    lines = [f"token of {plain(seat.name)}: {seat.token}" for seat in note.seats]
    return [*lines, f"token of the host: {note.host_token}"] if note.host_token else lines
