"""Migrations of a database file, run by Alembic.

A module of its own, because it is loaded only where there is something to migrate: SQLAlchemy and Alembic are a third
of what a server loads at its start, and nothing else needs them.
"""

from pathlib import Path

import sqlalchemy
from alembic import command
from alembic.config import Config
from alembic.util import CommandError

from services.session.adapters.sqlite.file import DatabaseUnusable


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
            config.attributes["connection"] = connection
            command.upgrade(config, "head")
    except sqlalchemy.exc.DBAPIError as error:
        raise DatabaseUnusable(f"can't keep sessions in {path}: {error.orig}") from error
    except CommandError as error:  # the schema of a later version
        raise DatabaseUnusable(f"can't keep sessions in {path}: {error}") from error
    finally:
        engine.dispose()
