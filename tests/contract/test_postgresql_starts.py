"""Starts over PostgreSQL, and its migrations: what can't be is said in one sentence, and nothing is left half done."""

import subprocess
import sys
import time
from pathlib import Path

import psycopg
import pytest

from services.migrate import migrate
from services.runtime.settings import Settings
from services.session.adapters.postgresql.opening import PREPARE_AFTER, Database
from services.session.adapters.postgresql.store import postgresql_store
from services.session.adapters.schemas import newest_schema
from services.session.adapters.unusable import DatabaseUnusable
from tests.support.postgresql import GUARDED, PASSWORD, TEMPLATE, PostgresqlServer
from tests.support.processes import ROOT, environment

PATIENCE = 120.0
LATER = "9999"


async def refusal(url: str) -> str:
    """Why a store is not opened."""
    with pytest.raises(DatabaseUnusable) as refused:
        async with postgresql_store(url, patience=0.0):
            pytest.fail("it was opened")
    return str(refused.value)


async def test_a_database_without_a_schema_names_the_command(postgresql: PostgresqlServer) -> None:
    with postgresql.database(template=None) as name:
        said = await refusal(postgresql.url(name))
        assert "no schema of Lair yet; run `python -m services.migrate` with the same LAIR_DATABASE" in said
        assert f"/{name}:" in said


async def test_an_earlier_schema_names_the_command(postgresql: PostgresqlServer) -> None:
    with postgresql.database() as name:
        postgresql.execute("UPDATE alembic_version SET version_num = '0007'", name)
        said = await refusal(postgresql.url(name))
        assert f"its schema is 0007, and this version needs {newest_schema()}; run `python -m" in said


async def test_a_later_schema_is_refused_unless_it_says_that_this_server_may_run(postgresql: PostgresqlServer) -> None:
    with postgresql.database() as name:
        postgresql.execute(f"UPDATE alembic_version SET version_num = '{LATER}'", name)
        async with postgresql_store(postgresql.url(name)) as store:
            assert await store.ready(), "expand: the database says that schemas from ours on may run"
        postgresql.execute(f"UPDATE compatibility SET oldest_server = '{LATER}'", name)
        said = await refusal(postgresql.url(name))
        assert f"a later version of Lair has migrated it to schema {LATER}" in said
        with pytest.raises(DatabaseUnusable, match="a later version of Lair"):
            migrate(Settings(database=postgresql.url(name)))


async def test_what_can_not_be_connected_to_is_said_without_the_password(postgresql: PostgresqlServer) -> None:
    with postgresql.database() as name:
        guarded = f"postgresql://{GUARDED}:{{}}@/{name}?host={postgresql.folder}"
        async with postgresql_store(guarded.format(PASSWORD.replace(" ", "%20"))) as store:
            assert await store.ready()
    expected = {
        f"postgresql://{GUARDED}:wrong@/{TEMPLATE}?host={postgresql.folder}": "password authentication failed",
        postgresql.url("nowhere"): 'database "nowhere" does not exist; make it, or set LAIR_DATABASE',
        "postgresql://lair:wrong@/lair?host=/nowhere": "start it, or set LAIR_DATABASE to another one",
        "postgresql://lair:wrong@127.0.0.1:1/lair": "start it, or set LAIR_DATABASE to another one",
        "postgresql://lair:wrong:5432/lair": "LAIR_DATABASE has to be like postgresql://USER@HOST:5432/NAME",
        "postgresql://lair@h/lair?nonsense=wrong": "LAIR_DATABASE has to be like postgresql://USER@HOST:5432/NAME",
    }
    for url, sentence in expected.items():
        said = await refusal(url)
        assert sentence in said
        assert "\n" not in said
        assert "wrong" not in said


@pytest.mark.parametrize(
    ("made", "sentence"),
    [
        ("ALTER DATABASE {name} SET synchronous_commit = off", "synchronous_commit is off, so moves would be lost"),
        (None, "its encoding is LATIN1"),
    ],
)
async def test_where_sessions_would_not_be_what_they_were_nothing_is_kept(
    postgresql: PostgresqlServer, made: str | None, sentence: str
) -> None:
    with postgresql.database(template="template0" if made else "template0 ENCODING 'LATIN1'") as name:
        if made:
            postgresql.execute(made.format(name=name))
        assert sentence in await refusal(postgresql.url(name))


def command(url: str) -> "subprocess.Popen[str]":
    """The command that people type."""
    return subprocess.Popen(
        [sys.executable, "-m", "services.migrate"],
        cwd=ROOT,
        env=environment(LAIR_DATABASE=url),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def schema(url: str) -> list[tuple[object, ...]]:
    """Everything that a database has of a schema."""
    columns = (
        "SELECT table_name, column_name, data_type, is_nullable, column_default, collation_name"
        " FROM information_schema.columns WHERE table_schema = 'public' ORDER BY 1, 2"
    )
    indexes = "SELECT tablename, indexdef, '' FROM pg_indexes WHERE schemaname = 'public' ORDER BY 1, 2"
    with psycopg.connect(url) as connection:
        return [*connection.execute(columns).fetchall(), *connection.execute(indexes).fetchall()]


def test_of_several_who_migrate_at_once_one_does_and_all_say_that_it_is_done(postgresql: PostgresqlServer) -> None:
    with postgresql.database(template=None) as name:
        commands = [command(postgresql.url(name)) for _ in range(3)]
        said = [started.communicate(timeout=PATIENCE)[0] for started in commands]
        assert [started.returncode for started in commands] == [0, 0, 0], said
        assert all(f"/{name} has the newest schema" in text for text in said)
        assert schema(postgresql.url(name)) == schema(postgresql.url(TEMPLATE))


@pytest.mark.slow
def test_a_migration_that_is_killed_leaves_all_or_nothing_and_can_be_run_again(postgresql: PostgresqlServer) -> None:
    """Killed when it has connected, and at points after it."""
    with postgresql.database(template=None) as name:
        url, whole = postgresql.url(name), schema(postgresql.url(TEMPLATE))
        connected = f"SELECT count(*) FROM pg_stat_activity WHERE datname = '{name}' AND application_name = 'lair'"
        for after in (0.0, 0.05, 0.2):
            migrating = command(url)
            until = time.monotonic() + PATIENCE
            while postgresql.execute(connected) == [(0,)] and migrating.poll() is None:
                assert time.monotonic() < until
            time.sleep(after)
            migrating.kill()
            migrating.communicate(timeout=PATIENCE)
            assert schema(url) in ([], whole)
        assert migrate(Settings(database=url)).endswith(f"/{name}")
        assert schema(url) == whole


def test_a_table_that_is_in_use_is_waited_for(postgresql: PostgresqlServer) -> None:
    """By looking again and again: a statement that waited for the lock would make all others wait behind it."""
    with postgresql.database(template=None) as name:
        url = postgresql.url(name)
        with psycopg.connect(url) as holding:
            holding.execute("SELECT pg_advisory_xact_lock(%s)", (0x6C616972,))
            migrating = command(url)
            with pytest.raises(subprocess.TimeoutExpired):
                migrating.communicate(timeout=5.0)
            waiting = "SELECT count(*) FROM pg_locks WHERE NOT granted"
            assert postgresql.execute(waiting) == [(0,)]
        assert "has the newest schema" in migrating.communicate(timeout=PATIENCE)[0]


def test_a_database_of_something_else_is_left_alone(postgresql: PostgresqlServer) -> None:
    with postgresql.database(template=None) as name:
        postgresql.execute("CREATE TABLE invoices (id int)", name)
        with pytest.raises(DatabaseUnusable, match="it is the database of something else"):
            migrate(Settings(database=postgresql.url(name)))
        assert postgresql.execute("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'", name) == [(1,)]


def test_the_command_migrates_files_as_well(tmp_path: Path) -> None:
    path = tmp_path / "lair.db"
    for _ in range(2):
        migrating = command(str(path))
        assert migrating.communicate(timeout=PATIENCE)[0] == f"{path} has the newest schema\n"
    assert path.stat().st_mode & 0o077 == 0


def test_an_address_is_shown_without_its_password() -> None:
    url = "postgresql://lair:secret@db.example:5433/games"
    assert Database(url).place == "PostgreSQL at db.example:5433/games"
    assert "secret" not in repr(Settings(database=url))


async def test_statements_are_prepared_where_nobody_stands_between(postgresql_database: str) -> None:
    for prepared, after in ((None, PREPARE_AFTER), (True, PREPARE_AFTER), (False, None)):
        async with await Database(postgresql_database, prepared=prepared).connect() as connection:
            assert connection.prepare_threshold == after


async def test_behind_a_pooler_no_statement_is_prepared(
    postgresql_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A pooler gives a process number of its own, as the process changes."""
    monkeypatch.setattr(psycopg.ConnectionInfo, "backend_pid", 1)
    async with await Database(postgresql_database).connect() as connection:
        assert connection.prepare_threshold is None
