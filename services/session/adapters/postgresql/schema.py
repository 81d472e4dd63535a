"""Whether the schema of a database is one that this server may run on.

Servers don't migrate a database that others use: `python -m services.migrate` does, before the new servers start. It
adds, and takes away only what no server needs any more ("expand, then contract"). So the servers from before go on
while the new ones start: the database says which of them still may.
"""

from psycopg import errors

from services.session.adapters.postgresql.opening import Connection, Database
from services.session.adapters.schemas import newest_schema
from services.session.adapters.unusable import DatabaseUnusable

MIGRATE = "run `python -m services.migrate` with the same LAIR_DATABASE"
SELECT_VERSION = "SELECT version_num FROM alembic_version"
SELECT_OLDEST = "SELECT oldest_server FROM compatibility WHERE id = 1"
IS_WRITTEN = "SELECT current_setting('transaction_read_only')"


async def check_schema(database: Database, connection: Connection, ours: str | None = None) -> None:
    """Raise DatabaseUnusable where this server can't run. Raises psycopg.Error."""
    ours = ours or newest_schema()
    theirs = await _first(connection, SELECT_VERSION)
    if theirs is None:
        raise DatabaseUnusable(database.place, "it has no schema of Lair yet", MIGRATE)
    if theirs < ours:
        raise DatabaseUnusable(database.place, f"its schema is {theirs}, and this version needs {ours}", MIGRATE)
    if theirs > ours:
        oldest = await _first(connection, SELECT_OLDEST)
        if oldest is None or oldest > ours:
            raise DatabaseUnusable(
                database.place,
                f"a later version of Lair has migrated it to schema {theirs}, and this one knows {ours}",
                "start that version again, or set LAIR_DATABASE to another database",
            )


async def _first(connection: Connection, statement: str) -> str | None:
    try:
        found = await (await connection.execute(statement)).fetchone()
    except errors.UndefinedTable:
        return None
    return str(found[0]) if found else None
