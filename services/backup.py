"""`python -m services.backup FILE`: a copy of every session, as of one moment, while the server goes on.

The copy is a database of its own, ready to be served. It has every secret that the original has.
"""

import argparse
import os
import sqlite3
import sys
from contextlib import closing
from pathlib import Path

from services.runtime.environment import read_settings

MOST_LOG = 256 * 1024 * 1024
"""Bytes. While a copy is made the server's log keeps all that is written, and its disk has to have room for that."""
LOOK_EVERY = 1000
"""Steps of SQLite's machine between two looks at the log."""


class BackupFailed(OSError):
    """There is no copy. The text is a sentence for people."""


def main() -> None:
    """Read the command line, and copy; or say in one sentence why not, with exit code 1."""
    parser = argparse.ArgumentParser(prog="python -m services.backup", description=__doc__)
    parser.add_argument("--database", help="the SQLite file of the sessions; LAIR_DATABASE")
    parser.add_argument("file", type=Path, metavar="FILE", help="where the copy goes; nothing may be there yet")
    arguments = parser.parse_args()
    try:
        settings = read_settings(database=arguments.database)
        if settings.in_postgresql:
            raise BackupFailed("PostgreSQL has backups of its own: see docs/operations.md")
        sessions = back_up(settings.database_file, arguments.file)
    except OSError as error:
        sys.exit(f"no backup: {error}")
    print(f"{arguments.file}: {sessions} sessions, {arguments.file.stat().st_size} bytes")  # noqa: T201  for whoever asked


def back_up(database: Path, target: Path, most_log: int = MOST_LOG) -> int:
    """Copy, check the copy, and give the number of sessions in it. Nothing has the name `target` before it is whole.

    It gives up when the server's log has more bytes than `most_log` meanwhile. Raises BackupFailed and OSError.
    """
    log = database.resolve().with_name(f"{database.resolve().name}-wal")

    def too_large() -> bool:
        return log.exists() and log.stat().st_size > most_log

    if target.exists():
        raise BackupFailed(f"{target} is there already")
    part = target.with_name(f"{target.name}.part")
    part.unlink(missing_ok=True)
    os.close(os.open(part, os.O_CREAT | os.O_EXCL, 0o600))  # SQLite takes an empty file, and leaves its mode
    try:
        # Read-only: a second connection that wrote or checkpointed could harm what the server writes.
        with closing(sqlite3.connect(f"{database.resolve().as_uri()}?mode=ro", uri=True)) as source:
            source.set_progress_handler(too_large, LOOK_EVERY)
            source.execute("VACUUM INTO ?", (str(part),))
        with closing(sqlite3.connect(part)) as copy:
            flaws = [flaw for (flaw,) in copy.execute("PRAGMA quick_check") if flaw != "ok"]
            (sessions,) = copy.execute("SELECT count(*) FROM sessions").fetchone()
        if flaws:
            raise BackupFailed(f"the copy has flaws: {flaws[0]}")
        with part.open("rb") as file:
            os.fsync(file.fileno())
    except sqlite3.Error as error:
        part.unlink()
        if error.sqlite_errorcode == sqlite3.SQLITE_INTERRUPT:
            raise BackupFailed(
                f"{database}: more than {most_log} bytes were written while it was copied, all of which its log keeps"
                " until then; try again when fewer play, or take a snapshot of the whole volume"
            ) from error
        raise BackupFailed(f"{database}: {error}") from error
    except OSError:
        part.unlink()
        raise
    part.rename(target)
    return int(sessions)


if __name__ == "__main__":
    main()
