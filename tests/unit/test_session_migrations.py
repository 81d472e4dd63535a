"""Migrations: what they compute, and that they go on from where an earlier version was cut short.

That one committed each statement that changes the schema by itself.
"""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from services.session.adapters.sqlite.opening import connect_writer, migrate
from services.session.adapters.sqlite.store import sqlite_store
from services.session.domain.clocks import due_at
from tests.support.old_databases import FOLDER, SCHEMAS, build, dump_of

DAY = 86_400_000_000
CLOCKS = (
    f"idle_limit BIGINT DEFAULT '{7 * DAY}' NOT NULL",
    f"keep_limit BIGINT DEFAULT '{30 * DAY}' NOT NULL",
    "turn_limit BIGINT",
    "touched BIGINT DEFAULT '0' NOT NULL",
    "alarm BIGINT DEFAULT '0' NOT NULL",
    "created_by BLOB",
)
STAND_INS = ("stand_in_limit BIGINT DEFAULT '1000000' NOT NULL",)
"""The columns of sessions that 0002 and 0003 add, in their order."""


def upgraded(path: Path) -> list[str]:
    """What is in a database after an upgrade."""
    migrate(path)
    return dump_of(path)


@pytest.mark.parametrize(("schema", "columns"), [("0001", CLOCKS), ("0002", STAND_INS)])
def test_columns_that_an_interrupted_upgrade_has_left_are_no_hindrance(
    tmp_path: Path, schema: str, columns: tuple[str, ...]
) -> None:
    build(tmp_path / "whole.db", schema)
    for number in range(1, len(columns) + 1):
        path = tmp_path / f"{number}.db"
        path.write_bytes((tmp_path / "whole.db").read_bytes())
        with closing(sqlite3.connect(path)) as connection:
            for column in columns[:number]:
                connection.execute(f"ALTER TABLE sessions ADD COLUMN {column}")
    expected = upgraded(tmp_path / "whole.db")
    for number in range(1, len(columns) + 1):
        assert upgraded(tmp_path / f"{number}.db") == expected


def test_tables_that_an_interrupted_first_start_has_left_are_no_hindrance(tmp_path: Path) -> None:
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.executescript((FOLDER / "0001.sql").read_text("utf-8"))
        made = dict(connection.execute("SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL"))
    order = ("alembic_version", "sessions", "lobbies", "seats", "records", "requests")
    assert {*order} == {*made}
    expected = upgraded(tmp_path / "whole.db")
    for number in range(1, len(order) + 1):
        with closing(sqlite3.connect(tmp_path / f"{number}.db")) as connection:
            for name in order[:number]:
                connection.execute(made[name])
        assert upgraded(tmp_path / f"{number}.db") == expected


@pytest.mark.parametrize("schema", SCHEMAS)
def test_an_upgraded_database_has_the_schema_of_a_new_one(tmp_path: Path, schema: str) -> None:
    def schema_of(path: Path) -> dict[str, list[tuple[object, ...]]]:
        migrate(path)
        with closing(sqlite3.connect(path)) as connection:
            names = [name for (name,) in connection.execute("SELECT name FROM sqlite_schema")]
            described = ("table_xinfo", "index_xinfo")
            return {
                f"{what} {name}": connection.execute(f"PRAGMA {what}('{name}')").fetchall()
                for name in names
                for what in described
            }

    build(tmp_path / "old.db", schema)
    assert schema_of(tmp_path / "old.db") == schema_of(tmp_path / "new.db")


async def test_a_session_from_before_there_were_clocks_has_its_alarm_set(tmp_path: Path) -> None:
    """Not all of them at once, when the server starts."""
    path = tmp_path / "lair.db"
    sessions = build(path, "0001")
    async with sqlite_store(path) as store:
        for old in sessions:
            session = await store.load(old.name.removeprefix("sessions/"))
            assert session
            assert session.alarm == due_at(session)
            days = 30 if session.state.ended else 7
            assert session.alarm == session.touched + days * DAY


def test_an_upgrade_that_fails_leaves_everything_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "lair.db"
    build(path, "0001")
    with closing(connect_writer(path)) as connection:
        connection.execute("CREATE INDEX alarms ON sessions (created)")  # somebody has taken a name that 0002 needs
    before = dump_of(path)
    with pytest.raises(OSError, match=r"can't keep sessions in .*lair\.db: index alarms already exists"):
        migrate(path)
    assert dump_of(path) == before
