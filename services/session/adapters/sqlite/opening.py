"""The schema of a database file, and its connections."""

import sqlite3
from contextlib import closing
from pathlib import Path

import structlog

from services.session.adapters.schemas import MIGRATIONS, newest_schema
from services.session.adapters.sqlite.file import ELSEWHERE, refused
from services.session.adapters.unusable import DatabaseUnusable

FIXED_WAL_RESET = (3, 51, 3)
"""Before this version two connections that write and checkpoint can corrupt a WAL file. We write with one."""
CACHE_KIB = 65_536
"""What the writer keeps of the file, where there is so much: sessions in play lie all over a large one."""
LOG_BYTES = 16 * 1024 * 1024
"""What the log keeps of the disk once all of it has gone into the database. Usually it needs a quarter of that."""

log = structlog.get_logger()


def migrate(path: Path) -> None:
    """Bring the schema up to date, or make it: all of it, or nothing when it is cut short. Raises DatabaseUnusable."""
    if sqlite3.sqlite_version_info < FIXED_WAL_RESET:
        log.debug("old sqlite", version=sqlite3.sqlite_version, harmless="one connection writes")
    if schema_of(path) != newest_schema():
        from services.session.adapters.sqlite.migrating import upgrade  # noqa: PLC0415  see there

        upgrade(path, MIGRATIONS)
    try:
        path.chmod(0o600)
    except OSError as error:
        raise DatabaseUnusable(path, "it is another user's, who could let others read it", ELSEWHERE) from error


def schema_of(path: Path) -> str | None:
    """Which migration a database has come to, as Alembic notes it. None: none, or it can't be read."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        try:
            found = connection.execute("SELECT version_num FROM alembic_version").fetchall()
        except sqlite3.Error:
            return None
    return str(found[0][0]) if len(found) == 1 else None


def connect_writer(path: Path) -> sqlite3.Connection:
    """The connection that writes: a commit is on the disk when it returns. Any thread may use it, one at a time.

    Raises DatabaseUnusable.
    """
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    try:
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=FULL")
        connection.execute("PRAGMA foreign_keys=ON")
        connection.execute(f"PRAGMA cache_size=-{CACHE_KIB}")
        connection.execute(f"PRAGMA journal_size_limit={LOG_BYTES}")
        connection.execute("SELECT count(*) FROM sqlite_schema")  # with the first read SQLite opens its log
        connection.execute("PRAGMA busy_timeout=0")  # it would be waited on the loop
    except sqlite3.Error as error:
        connection.close()
        raise refused(path, error) from error
    return connection


def connect_reader(path: Path) -> sqlite3.Connection:
    """A connection that reads what is committed, and never writes or checkpoints."""
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA query_only=1")
    connection.execute("PRAGMA wal_autocheckpoint=0")
    connection.execute("PRAGMA busy_timeout=0")
    return connection
