"""Keeping sessions and seats in the notebook, and saying what is kept."""

from collections.abc import Sequence

from lair import Seat, Session
from lair.cli.failures import Failure
from lair.cli.notebook import Notebook, SeatNote, SessionNote
from lair.cli.records import Record
from lair.cli.sitting import plain


def write_down(session: Session, server: str, seats: Sequence[Seat], join_code: str = "") -> SessionNote:
    """Write a session, and seats of it, into the notebook as the latest. The note has what was known before, too.

    The join code is the one that was typed, where the session doesn't know it.
    """
    notebook = Notebook()
    notebook.write(
        SessionNote(
            session.name,
            server,
            session.game,
            session.commitment.hex(),
            tuple(SeatNote(seat.index, seat.name, seat.token) for seat in seats),
            session.host_token,
            session.join_code or join_code,
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


def token_lines(note: SessionNote) -> list[str]:
    """The secrets of a note, for people who asked for them."""
    lines = [f"token of {plain(seat.name)}: {seat.token}" for seat in note.seats]
    return [*lines, f"token of the host: {note.host_token}"] if note.host_token else lines
