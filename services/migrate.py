"""`python -m services.migrate`: bring the schema of the database up to date, or make it.

Before servers of a new version start on a PostgreSQL that others use. It may be run twice, and at once: one of them
does it, and the others wait for it. A SQLite file does not need it, as its server does the same.
"""

import argparse
import sys

from services.runtime.environment import read_settings
from services.runtime.logs import configure
from services.runtime.settings import Settings


def main() -> None:
    """Read the command line, and migrate; or say in one sentence why not, with exit code 1."""
    parser = argparse.ArgumentParser(prog="python -m services.migrate", description=__doc__)
    parser.add_argument("--database", help="postgresql://..., or a SQLite file; LAIR_DATABASE")
    arguments = parser.parse_args()
    try:
        settings = read_settings(database=arguments.database)
        configure(settings)
        place = migrate(settings)
    except OSError as error:
        sys.exit(str(error))
    print(f"{place} has the newest schema")  # noqa: T201  for whoever asked


def migrate(settings: Settings) -> str:
    """Migrate, and say where. Raises DatabaseUnusable, DatabaseTaken, OSError."""
    # What each of them needs is loaded only where it is used.
    if settings.in_postgresql:
        from services.session.adapters.postgresql.migrating import upgrade  # noqa: PLC0415
        from services.session.adapters.postgresql.opening import Database  # noqa: PLC0415

        database = Database(settings.database)
        upgrade(database)
        return database.place
    if settings.in_memory:
        return "memory"
    from services.session.adapters.sqlite import file, opening  # noqa: PLC0415

    with file.owned(settings.database_file) as owned:
        opening.migrate(owned.path)
    return settings.database


if __name__ == "__main__":
    main()
