"""Migrations of a database file."""

from pathlib import Path

import sqlalchemy
from alembic.util import CommandError

from services.session.adapters.sqlite.file import ELSEWHERE, refused
from services.session.adapters.unusable import DatabaseUnusable
from services.session.adapters.upgrading import ForeignDatabase, run_migrations

LATER = (
    "start that version again, restore the backup from before the upgrade (docs/operations.md), or set LAIR_DATABASE to"
    " another file"
)


def upgrade(path: Path, migrations: Path) -> None:
    """Run what is missing, in one transaction. Raises DatabaseUnusable."""
    # The driver would commit before each statement that changes the schema, so it is told to leave transactions alone.
    url = sqlalchemy.URL.create("sqlite", database=str(path))
    engine = sqlalchemy.create_engine(url, connect_args={"isolation_level": None})
    sqlalchemy.event.listen(engine, "begin", lambda connection: connection.exec_driver_sql("BEGIN IMMEDIATE"))
    try:
        with engine.begin() as connection:
            run_migrations(connection, migrations)
    except ForeignDatabase as error:
        raise DatabaseUnusable(path, "it is the database of something else", ELSEWHERE) from error
    except sqlalchemy.exc.DBAPIError as error:
        raise refused(path, error.orig) from error
    except CommandError as error:  # Alembic does not know the revision
        raise DatabaseUnusable(path, "a later version of Lair has written it", LATER) from error
    finally:
        engine.dispose()
