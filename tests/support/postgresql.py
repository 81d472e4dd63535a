"""A real PostgreSQL for tests: one for each process that runs tests, and a new database for each test."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path

import psycopg
import pytest

from loadtests.measuring.postgresql import Postgresql
from services.migrate import migrate
from services.runtime.settings import Settings

GUARDED = "guarded"
"""A user who needs a password."""
PASSWORD = "the password of the database"
TEMPLATE = "newest"
"""A database with the newest schema."""
HURRIED = ("fsync=off", "full_page_writes=off")
"""For tests after which nothing has to be there: it is not put on the disk."""
SETTINGS = ("listen_addresses=", "max_connections=300", "shared_buffers=32MB", "jit=off", "timezone=UTC")


class PostgresqlServer(Postgresql):
    """A server that has a database for each test."""

    def __init__(self, *settings: str, port: int | None = None, within: Path | None = None) -> None:
        super().__init__(*SETTINGS, *settings, port=port, within=within)
        self._numbers = count(1)
        hba = self.folder / "data" / "pg_hba.conf"
        hba.write_text(f"local all {GUARDED} scram-sha-256\n{hba.read_text()}")

    @contextmanager
    def database(self, template: str | None = TEMPLATE) -> Iterator[str]:
        """A new database with the newest schema, or an empty one. Gives its name."""
        name = f"test{next(self._numbers)}"
        self.execute(f"CREATE DATABASE {name} TEMPLATE {template or 'template0'}")
        try:
            yield name
        finally:
            with suppress(psycopg.OperationalError):  # a test may have ended it
                self.execute(f"DROP DATABASE {name} WITH (FORCE)")

    def prepare(self) -> None:
        """Make the template, and a user who needs a password."""
        self.execute(f"CREATE DATABASE {TEMPLATE} TEMPLATE template0")
        migrate(Settings(database=self.url(TEMPLATE)))
        self.execute(f"CREATE ROLE {GUARDED} LOGIN PASSWORD '{PASSWORD}'")
        self.execute(f"GRANT ALL ON ALL TABLES IN SCHEMA public TO {GUARDED}", TEMPLATE)


@contextmanager
def running_postgresql(
    *settings: str, port: int | None = None, within: Path | None = None
) -> Iterator[PostgresqlServer]:
    """A server that runs, until the context is left; with a port it is reached by that one, too.

    Its folder may lie within one that every user reaches.
    """
    server = PostgresqlServer(*settings, port=port, within=within)
    try:
        server.start()
        server.prepare()
        yield server
    finally:
        server.remove()


@pytest.fixture(scope="session")
def postgresql() -> Iterator[PostgresqlServer]:
    """The server of this process."""
    with running_postgresql(*HURRIED) as server:
        yield server


@pytest.fixture
def postgresql_database(postgresql: PostgresqlServer) -> Iterator[str]:
    """The address of a new database."""
    with postgresql.database() as name:
        yield postgresql.url(name)
