"""The notebook: the sessions that were created or joined from here, with the tokens that open their seats.

One JSON file in the user's state folder, or where LAIR_NOTEBOOK says. Tokens are secrets, so nobody but its owner may
read it. It is replaced as a whole, under a lock, so that neither a crash nor two commands at once can spoil it.
"""

import json
import os
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from lair.cli.failures import Failure

if sys.platform != "win32":
    import fcntl


@dataclass(frozen=True, slots=True)
class SeatNote:
    """A seat that can be played from here."""

    index: int
    name: str
    token: str


@dataclass(frozen=True, slots=True)
class SessionNote:
    """A session, and the keys to it that are held here."""

    name: str
    """sessions/{id}."""
    server: str
    """HOST:PORT."""
    game: str
    commitment: str
    """SHA-256 of the server seed in hexadecimal, as it was shown at creation or on joining."""
    seats: tuple[SeatNote, ...] = ()
    host_token: str = ""
    """Empty unless the session was created here."""
    join_code: str = ""
    """Empty unless others can join."""

    def with_seats(self, *more: SeatNote) -> "SessionNote":
        """The same note with these seats too."""
        seats = {seat.index: seat for seat in (*self.seats, *more)}
        return replace(self, seats=tuple(seats[index] for index in sorted(seats)))


def full_name(session: str) -> str:
    """The resource name of a session that is given as "7f3k" or as "sessions/7f3k"."""
    return session if session.startswith("sessions/") else f"sessions/{session}"


def default_path() -> Path:
    """LAIR_NOTEBOOK, else a file in the user's state folder."""
    if chosen := os.environ.get("LAIR_NOTEBOOK"):
        return Path(chosen)
    from platformdirs import user_state_path  # noqa: PLC0415  # needed only here, and only without LAIR_NOTEBOOK

    return user_state_path("lair") / "notebook.json"


class Notebook:
    """Sessions in the order in which they were written, the latest last."""

    def __init__(self, path: Path | None = None) -> None:
        """A notebook in this file, which need not exist yet."""
        self.path: Path = path or default_path()

    def notes(self) -> tuple[SessionNote, ...]:
        """Every note. Raises Failure when the file can't be read or is no notebook."""
        try:
            content = self.path.read_bytes()
        except FileNotFoundError:
            return ()
        except OSError as problem:
            raise Failure(f"The notebook {self.path} can't be read: {problem.strerror}.") from problem
        try:
            return tuple(_read_note(note) for note in json.loads(content)["sessions"])
        except (ValueError, TypeError, KeyError, AttributeError) as problem:
            raise Failure(
                f"The notebook {self.path} is damaged. Move it away, and a new one will be written."
            ) from problem

    def find(self, session: str, server: str | None = None) -> SessionNote | None:
        """The note of a session, on this server when one is named."""
        name = full_name(session)
        found = [note for note in self.notes() if note.name == name and server in (None, note.server)]
        return found[-1] if found else None

    def latest(self, server: str | None = None) -> SessionNote | None:
        """The note that was written last, on this server when one is named."""
        found = [note for note in self.notes() if server in (None, note.server)]
        return found[-1] if found else None

    def check_writable(self) -> None:
        """Find out before a session is made whether it can be written down. Raises Failure when it can't."""
        self.notes()
        with self._writing(), tempfile.TemporaryFile(dir=self.path.parent):
            pass

    def write(self, note: SessionNote) -> None:
        """Write a session down as the latest. Seats and keys that were known of it before are kept.

        Raises Failure when the file can't be written.
        """
        with self._writing():
            self._replace(note)

    def forget_seat(self, note: SessionNote, index: int) -> None:
        """Strike a seat out whose token opens nothing any more. Raises Failure when the file can't be written."""
        with self._writing():
            self._save([_without(each, index) if _same(each, note) else each for each in self.notes()])

    def _replace(self, note: SessionNote) -> None:
        before = self.find(note.name, note.server)
        if before is not None:
            note = replace(
                before.with_seats(*note.seats),
                host_token=note.host_token or before.host_token,
                join_code=note.join_code or before.join_code,
            )
        self._save([*(other for other in self.notes() if not _same(other, note)), note])

    def _save(self, notes: Sequence[SessionNote]) -> None:
        text = json.dumps({"sessions": [asdict(each) for each in notes]}, indent=1)
        # A temporary file is readable by its owner alone from the start.
        descriptor, temporary = tempfile.mkstemp(dir=self.path.parent, prefix=self.path.name)
        try:
            with os.fdopen(descriptor, "w", encoding="utf-8") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            Path(temporary).replace(self.path)
        except BaseException:
            Path(temporary).unlink(missing_ok=True)
            raise

    @contextmanager
    def _writing(self) -> Iterator[None]:
        try:
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            with self.path.with_name(f"{self.path.name}.lock").open("w") as lock:
                if sys.platform != "win32":
                    fcntl.flock(lock, fcntl.LOCK_EX)
                yield
        except OSError as problem:
            raise Failure(f"The notebook {self.path} can't be written: {problem.strerror}.") from problem


def _same(one: SessionNote, other: SessionNote) -> bool:
    return (one.name, one.server) == (other.name, other.server)


def _without(note: SessionNote, index: int) -> SessionNote:
    return replace(note, seats=tuple(seat for seat in note.seats if seat.index != index))


def _read_note(note: dict[str, Any]) -> SessionNote:
    seats = tuple(SeatNote(**seat) for seat in note.pop("seats"))
    return SessionNote(**note, seats=seats)
