"""The database file: who has it, and whether its name still leads to it."""

import fcntl
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import structlog

Identity = tuple[int, int]
"""A device and an inode: what a file is, whatever it is called."""

_owned: set[Identity] = set()
"""The databases that this process has: SQLite loses its locks when another descriptor of the same file is closed."""

log = structlog.get_logger()


class DatabaseTaken(OSError):
    """Another server has the file."""


class DatabaseUnusable(OSError):
    """The file is no database, or can't be one."""


class DatabaseFile:
    """A file that this process has alone, by the names that have to lead to it."""

    def __init__(self, name: Path, path: Path) -> None:
        self.path = path
        """Where it is, links resolved."""
        self._names = {name: _identity(name), path: _identity(path)}
        self._told_intact = True

    def watch_log(self) -> None:
        """From now on SQLite's write-ahead log has to stay, too: what was committed last is in it."""
        wal = self.path.with_name(f"{self.path.name}-wal")
        self._names[wal] = _identity(wal)

    def intact(self) -> bool:
        """Whether nobody has removed or replaced it: then what is written to it is lost with the next start."""
        return all(identity == _identity(name) for name, identity in self._names.items())

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
    path.parent.mkdir(parents=True, exist_ok=True)
    with _opened(path.with_name(f"{path.name}.lock"), name) as beside:
        _lock(beside, name)
        if _identity(path) in _owned:
            raise _taken(name)
        with _opened(path, name) as itself:
            if sys.platform == "linux":  # elsewhere this kind of lock may exclude SQLite's own
                _lock(itself, name)
            status = os.fstat(itself)
            if status.st_nlink > 1:
                # By another name nobody would find the log of a server that was killed: its last moves are in it.
                raise DatabaseUnusable(
                    f"can't keep sessions in {name}: it has {status.st_nlink} names (hard links), and SQLite keeps its"
                    " log beside one of them; remove the others"
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
        raise DatabaseUnusable(f"can't keep sessions in {name}: {error.strerror}") from error
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def _lock(descriptor: int, name: Path) -> None:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        raise _taken(name) from error


def _taken(name: Path) -> DatabaseTaken:
    return DatabaseTaken(f"another server has {name}; stop it, or set LAIR_DATABASE to another file")


def _identity(path: Path) -> Identity | None:
    """What a name leads to, now."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino
