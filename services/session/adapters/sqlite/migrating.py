"""Migrations of a database file, run by Alembic.

A module of its own, because it is loaded only where there is something to migrate: SQLAlchemy and Alembic are a third
of what a server loads at its start, and nothing else needs them.
"""

from pathlib import Path

import sqlalchemy
from alembic import command
from alembic.config import Config
from alembic.util import CommandError

from services.session.adapters.sqlite.file import DatabaseUnusable, refused

OURS = {"alembic_version", "sessions"}
"""Tables of which every database of ours has one. The first was not always made together with the others."""
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
    config = Config()
    config.set_main_option("script_location", str(migrations))
    try:
        with engine.begin() as connection:
            _check_ours(connection, path)
            config.attributes["connection"] = connection
            command.upgrade(config, "head")
    except sqlalchemy.exc.DBAPIError as error:
        raise refused(path, error.orig) from error
    except CommandError as error:  # Alembic does not know the revision
        raise DatabaseUnusable(path, "a later version of Lair has written it", LATER) from error
    finally:
        engine.dispose()


def _check_ours(connection: sqlalchemy.Connection, path: Path) -> None:
    """Raise DatabaseUnusable for a database of something else."""
    tables = set(sqlalchemy.inspect(connection).get_table_names())
    if tables and not tables & OURS:
        raise DatabaseUnusable(path, "it is the database of something else")
