"""A database whose schema is the newest one is opened without what migrates others."""

import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from alembic.config import Config
from alembic.script import ScriptDirectory

from services.session.adapters.schemas import MIGRATIONS, newest_schema
from services.session.adapters.sqlite.opening import migrate, schema_of
from services.session.adapters.unusable import DatabaseUnusable
from tests.support.old_databases import SCHEMAS, build

ROOT = Path(__file__).parents[2]
PROGRAM = """
import sys
from pathlib import Path
from services.session.adapters.sqlite.opening import migrate
import services.__main__

migrate(Path(sys.argv[1]))
print(*({"alembic", "sqlalchemy"} & {*sys.modules}))
"""


def loaded_to_migrate(path: Path) -> str:
    """What a process loads of the migrations' libraries to open a database, after all that a server loads."""
    command = [sys.executable, "-c", PROGRAM, str(path)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()[-1]


def test_the_newest_schema_is_alembics() -> None:
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    assert newest_schema() == ScriptDirectory.from_config(config).get_current_head()


def test_a_restart_loads_nothing_that_only_migrations_need(tmp_path: Path) -> None:
    path = tmp_path / "lair.db"
    assert set(loaded_to_migrate(path).split()) == {"alembic", "sqlalchemy"}
    assert loaded_to_migrate(path) == ""


@pytest.mark.parametrize("schema", SCHEMAS)
def test_an_earlier_schema_is_not_the_newest(tmp_path: Path, schema: str) -> None:
    build(tmp_path / "lair.db", schema)
    assert schema_of(tmp_path / "lair.db") == schema != newest_schema()


@pytest.mark.parametrize("versions", [(), ("0001", "0005")])
def test_a_file_without_one_schema_is_left_to_alembic(tmp_path: Path, versions: tuple[str, ...]) -> None:
    path = tmp_path / "lair.db"
    assert schema_of(path) is None, "nothing is there"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE alembic_version (version_num TEXT NOT NULL)")
        connection.executemany("INSERT INTO alembic_version VALUES (?)", [(version,) for version in versions])
        connection.commit()
    assert schema_of(path) is None


def test_a_schema_of_a_later_version_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "lair.db"
    migrate(path)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
        connection.commit()
    with pytest.raises(DatabaseUnusable, match="a later version of Lair"):
        migrate(path)
