"""What can be typed next, as it has to be typed: with the server where commands would go elsewhere by themselves."""

from shlex import quote

from lair.cli.notebook import SessionNote
from lair.cli.servers import DEFAULT_SERVER


def typed(command: str, server: str) -> str:
    """A command of ours as it is typed to reach this server."""
    return f"lair {command}" if server == DEFAULT_SERVER else f"lair {command} --server {quote(server)}"


def short(session: str) -> str:
    """A session as it is typed: "7f3k" of "sessions/7f3k"."""
    return session.removeprefix("sessions/")


def join_line(code: str, server: str) -> str:
    """How somebody else takes a seat."""
    return typed(f"join {code} NAME", server)


def sit_line(note: SessionNote) -> str:
    """How those who hold seats here sit down: alone, or several at one terminal."""
    command = "sit" if len(note.seats) == 1 else "table --resume"
    return typed(f"{command} {short(note.name)}", note.server)


def then_line(note: SessionNote) -> str:
    """What whoever waits for players does: sit down, or look on when no seat is held here."""
    return sit_line(note) if note.seats else typed(f"watch {short(note.name)}", note.server)


def next_lines(note: SessionNote) -> list[str]:
    """What can be typed next in a game that is being played."""
    session = short(note.name)
    one_by_one = [typed(command, note.server) for command in (f"moves {session}", f"play {session} MOVE")]
    return [f"Next:  {sit_line(note)}", *(f"       {line}" for line in one_by_one)]
