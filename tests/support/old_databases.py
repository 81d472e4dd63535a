"""Databases as the servers of earlier schemas left them: what these have really written, with sessions of every kind.

The first line of each says what its sessions are, and has the tokens.
"""

import json
import sqlite3
import time
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "databases"
SCHEMAS = ("0001", "0002", "0003", "0006")
TIMES = {"sessions": ("created", "updated", "touched", "alarm"), "records": ("committed", "deadline")}
"""Columns with a time in microseconds since 1970, as far as a schema has them."""


@dataclass(frozen=True)
class OldSession:
    """One of the sessions in it."""

    name: str
    state: str
    """playing, over, aborted, lobby; left where somebody has left; rematch where it is another one's."""
    game: str
    host: str
    seats: Sequence[str]
    """The tokens of those who sit there."""
    join: str = ""
    asked: Mapping[str, Any] | None = None
    """A move that was made: its request id, its seat, what was played, and the revision that it led to."""


def build(path: Path, schema: str) -> list[OldSession]:
    """Make a database of an earlier schema, whose last change was just now."""
    dump = (FOLDER / f"{schema}.sql").read_text("utf-8")
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(dump)
        (newest,) = connection.execute("SELECT max(updated) FROM sessions").fetchone()
        later = time.time_ns() // 1000 - newest
        for table, columns in TIMES.items():
            there = {name for _, name, *_ in connection.execute(f"PRAGMA table_info({table})")}
            for column in there.intersection(columns):
                connection.execute(f"UPDATE {table} SET {column} = {column} + {later}")
        connection.commit()
        connection.execute("PRAGMA journal_mode=WAL")
    sessions = json.loads(dump.partition("\n")[0].removeprefix("-- "))
    return [OldSession(f"sessions/{name}", **session) for name, session in sessions.items()]


def dump_of(path: Path) -> list[str]:
    """Everything that is in a database that nobody has open. Raises AssertionError when it is damaged."""
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        return list(connection.iterdump())
