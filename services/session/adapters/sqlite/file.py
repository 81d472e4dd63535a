"""The database file: who has it, and whether its name still leads to it."""

import errno
import fcntl
import os
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryFile

import structlog

from services.session.adapters.unusable import DatabaseUnusable

Identity = tuple[int, int]
"""A device and an inode: what a file is, whatever it is called."""

ROOM = 1024 * 1024
"""Bytes that are free before a disk that was full is written to again: what many moves at once take."""
LARGE_LOG = 64 * 1024 * 1024
"""Bytes. Usually the log has 4 MB, and 16 where many moves shared a commit."""

ELSEWHERE = "set LAIR_DATABASE to another file"
CURES = {
    sqlite3.SQLITE_BUSY: "end whoever has it open, or set LAIR_DATABASE to another file",
    sqlite3.SQLITE_CORRUPT: "restore a backup (docs/operations.md), or set LAIR_DATABASE to another file",
    sqlite3.SQLITE_FULL: "make room for it, or set LAIR_DATABASE to a file elsewhere",
    sqlite3.SQLITE_IOERR: "see that the disk has room and is sound, or set LAIR_DATABASE to a file elsewhere",
    sqlite3.SQLITE_READONLY: "let this user write the file and its folder, or set LAIR_DATABASE to another file",
}
IN_A_FOLDER = "set LAIR_DATABASE to a file, in a folder that can be written"

_owned: set[Identity] = set()
"""The databases that this process has: SQLite loses its locks when another descriptor of the same file is closed."""

log = structlog.get_logger()


class DatabaseTaken(OSError):
    """Another server has the file."""


class DatabaseFile:
    """A file that this process has alone, by the names that have to lead to it."""

    def __init__(self, name: Path, path: Path) -> None:
        self.path = path
        """Where it is, links resolved."""
        self.log = f"{path}-wal"
        """SQLite's write-ahead log."""
        self._names = [(where, _identity(where)) for where in {str(name), str(path)}]
        self._told_intact = True
        self._told_size = 0

    def watch_log(self) -> None:
        """From now on the log has to stay, too: what was committed last is in it."""
        self._names.append((self.log, _identity(self.log)))

    def intact(self) -> bool:
        """Whether nobody has removed or replaced it: then what is written to it is lost with the next start."""
        return all(identity == _identity(name) for name, identity in self._names)

    def tell_of_log(self) -> None:
        """One line when the log has grown far beyond what it needs: that of a reader who does not stop."""
        with suppress(OSError):
            size = Path(self.log).stat().st_size
            if size > LARGE_LOG >= self._told_size:
                log.warning("database log grows", path=self.log, bytes=size, why="somebody reads on and on: a backup?")
            self._told_size = size

    def check_room(self) -> None:
        """Raise OSError when the disk has no room for what is written next."""
        with TemporaryFile(dir=self.path.parent, buffering=0) as scratch:
            if scratch.write(bytes(ROOM)) < ROOM:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    def tell_whether_intact(self) -> bool:
        """The same; and when it has changed, one line in the log says so."""
        intact = self.intact()
        if not intact and self._told_intact:
            log.error("database lost", path=str(self.path), why="removed or replaced", until="it is back, or a restart")
        elif intact and not self._told_intact:
            log.warning("database is back", path=str(self.path))
        self._told_intact = intact
        return intact


@contextmanager
def owned(name: Path) -> Iterator[DatabaseFile]:
    """Have a database file alone, by whatever name. It is made when it isn't there, for nobody else to read.

    One lock is on a file beside it: SQLite keeps its log there, so nobody may put another database in this place
    meanwhile. The other is on the file itself, which may be reached from elsewhere, by a mount or after a move. Raises
    DatabaseTaken, DatabaseUnusable, OSError.
    """
    path = Path(os.path.realpath(name))
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        something_else = path.exists() and not path.is_file()
    except OSError as error:
        raise _can_not_open(name, error) from error
    if something_else:
        raise DatabaseUnusable(name, "it is a folder" if path.is_dir() else "it is no file", IN_A_FOLDER)
    with _opened(path.with_name(f"{path.name}.lock"), name) as beside:
        _lock(beside, name)
        if _identity(str(path)) in _owned:
            raise _taken(name)
        with _opened(path, name) as itself:
            if sys.platform == "linux":  # elsewhere this kind of lock may exclude SQLite's own
                _lock(itself, name)
            status = os.fstat(itself)
            if status.st_nlink > 1:
                # By another name nobody would find the log of a server that was killed: its last moves are in it.
                raise DatabaseUnusable(
                    name,
                    f"it has {status.st_nlink} names (hard links), and SQLite keeps its log beside one of them",
                    "remove the others, or set LAIR_DATABASE to another file",
                )
            identity = status.st_dev, status.st_ino
            _owned.add(identity)
            try:
                yield DatabaseFile(name.absolute(), path)
            finally:
                _owned.discard(identity)


@contextmanager
def _opened(path: Path, name: Path) -> Iterator[int]:
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise _can_not_open(name, error) from error
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def _can_not_open(name: Path, error: OSError) -> DatabaseUnusable:
    """What to do when the file, or what lies beside it, can't be made or written."""
    why = str(error.strerror)
    match error.errno:
        case errno.EEXIST | errno.ENOTDIR:
            why, cure = "what should be its folder is a file", IN_A_FOLDER
        case errno.EACCES | errno.EPERM | errno.EROFS:
            cure = "let this user write the file and its folder, or set LAIR_DATABASE to another file"
        case errno.ENOSPC | errno.EDQUOT | errno.EFBIG:
            cure = "make room for it, or set LAIR_DATABASE to a file elsewhere"
        case _:
            cure = IN_A_FOLDER
    return DatabaseUnusable(name, why, cure)


def refused(name: Path, error: BaseException | None) -> DatabaseUnusable:
    """What to do when SQLite doesn't take the file."""
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    return DatabaseUnusable(name, str(error), CURES.get(code, ELSEWHERE))


def _lock(descriptor: int, name: Path) -> None:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        raise _taken(name) from error


def _taken(name: Path) -> DatabaseTaken:
    return DatabaseTaken(f"another server has {name}; stop it, or set LAIR_DATABASE to another file")


def _identity(name: str) -> Identity | None:
    """What a name leads to, now."""
    try:
        status = os.stat(name)  # noqa: PTH116  asked with every commit, and a Path takes twice as long
    except OSError:
        return None
    return status.st_dev, status.st_ino
