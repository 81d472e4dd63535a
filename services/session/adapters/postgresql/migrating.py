"""Migrations of a PostgreSQL database, run by Alembic: all of them in one transaction, by one program at a time.

Nobody waits in a lock of the database, where a statement that waits makes others wait behind it. It works through a
pooler that shares connections between transactions, too.
"""

import time
from typing import Any

import psycopg
import sqlalchemy
from alembic.util import CommandError

from services.session.adapters.postgresql.opening import ELSEWHERE, PAUSE, START_SECONDS, Database, is_final
from services.session.adapters.schemas import MIGRATIONS
from services.session.adapters.unusable import DatabaseUnusable
from services.session.adapters.upgrading import ForeignDatabase, run_migrations

KEY = 0x6C616972
"""The advisory lock of migrations: "lair" in ASCII."""
TRY_LOCK = f"SELECT pg_try_advisory_xact_lock({KEY})"
TIMES = "SET LOCAL lock_timeout = '5s'; SET LOCAL statement_timeout = 0"
LOOK_EVERY = 1.0
"""In seconds."""
PATIENCE_SECONDS = 600.0
"""How long another migration may take, and how long a table may be in use."""


def upgrade(database: Database, patience: float = PATIENCE_SECONDS) -> None:
    """Run what is missing, or nothing. Raises DatabaseUnusable."""
    until = time.monotonic() + patience
    while not _attempt(database):
        if time.monotonic() > until:
            raise DatabaseUnusable(
                database.place, "another program migrates it, or uses its tables", "see who does (pg_stat_activity)"
            )
        time.sleep(LOOK_EVERY)


def _attempt(database: Database) -> bool:
    """Migrate, unless somebody else does or a table is in use."""
    engine = sqlalchemy.create_engine(
        "postgresql+psycopg://", creator=lambda: _connected(database), poolclass=sqlalchemy.pool.NullPool
    )
    try:
        with engine.begin() as connection:
            connection.exec_driver_sql(TIMES)
            if not connection.exec_driver_sql(TRY_LOCK).scalar_one():
                return False
            run_migrations(connection, MIGRATIONS)
    except ForeignDatabase as error:
        raise DatabaseUnusable(database.place, "it is the database of something else", ELSEWHERE) from error
    except sqlalchemy.exc.DBAPIError as error:
        if isinstance(error.orig, psycopg.errors.LockNotAvailable):
            return False
        if isinstance(error.orig, psycopg.Error):
            raise database.unusable(error.orig) from error
        raise
    except CommandError as error:  # Alembic does not know the revision
        why, cure = "a later version of Lair has migrated it", "migrate with that version"
        raise DatabaseUnusable(database.place, why, cure) from error
    return True


def _connected(database: Database) -> psycopg.Connection[Any]:
    until = time.monotonic() + START_SECONDS
    while True:
        try:
            return database.connect_alone()
        except psycopg.Error as error:
            if is_final(error) or time.monotonic() > until:
                raise database.unusable(error) from error
        time.sleep(PAUSE)
