"""Running the migrations on a connection, within the transaction of whoever has opened it: the same for each database.

A module of its own, because it is loaded only where there is something to migrate: SQLAlchemy and Alembic are a third
of what a server loads at its start, and nothing else needs them.
"""

from pathlib import Path

import sqlalchemy
from alembic import command
from alembic.config import Config

OURS = {"alembic_version", "sessions"}
"""Tables of which every database of ours has one. The first was not always made together with the others."""


class ForeignDatabase(Exception):
    """It is the database of something else."""


def run_migrations(connection: sqlalchemy.Connection, migrations: Path) -> None:
    """Run what is missing. Raises ForeignDatabase, DBAPIError, and CommandError where Alembic knows not the schema."""
    tables = set(sqlalchemy.inspect(connection).get_table_names())
    if tables and not tables & OURS:
        raise ForeignDatabase
    config = Config()
    config.set_main_option("script_location", str(migrations))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
