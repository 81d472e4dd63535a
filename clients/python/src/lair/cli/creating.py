"""Sessions as they are asked for at the command line: with every seat held here, or open to others."""

from collections.abc import Sequence
from dataclasses import dataclass

from lair import Bot, Client
from lair.cli.failures import MISUSED, Failure
from lair.cli.keeping import write_down
from lair.cli.notebook import Notebook, SessionNote


@dataclass(frozen=True, slots=True)
class Wish:
    """What a new session shall be."""

    game: str
    options: Sequence[str] = ()
    bots: int = 0
    """How many seats the server plays, after those of people."""
    listed: bool = False
    turn_limit: float | None = None
    """In seconds. None: no limit."""
    idle_limit: float | None = None
    """In seconds. None: the server's."""


def start_session(client: Client, server: str, wish: Wish, names: Sequence[str]) -> SessionNote:
    """Create a session with every seat of people's held here."""
    Notebook().check_writable()
    session = client.create(
        wish.game,
        seats=[*names, *[Bot()] * wish.bots],
        options=wish.options,
        turn_limit=wish.turn_limit,
        idle_limit=wish.idle_limit,
    )
    return write_down(session, server, session.seats)


def open_lobby(client: Client, server: str, wish: Wish, seats: int, names: Sequence[str]) -> SessionNote:
    """Open so many seats to others, and take one for each of these names."""
    if len(names) > seats:
        raise Failure(f"{len(names)} names are too many for {seats} seats.", MISUSED)
    Notebook().check_writable()
    session = client.open(
        wish.game,
        seats=[*[""] * seats, *[Bot()] * wish.bots],
        options=wish.options,
        listed=wish.listed,
        turn_limit=wish.turn_limit,
        idle_limit=wish.idle_limit,
    )
    note = write_down(session, server, ())
    for name in names:
        note = write_down(session, server, (client.join(session.join_code, name=name),))
    return note
