"""What lies in a database from the start is the same in SQLite and in PostgreSQL, and both stores can read it."""

from pathlib import Path

from msgspec.structs import replace

from loadtests.measuring.filling import Filling, fill, session_id
from loadtests.measuring.filling_postgresql import fill_postgresql
from services.session.adapters.postgresql.store import postgresql_store
from services.session.adapters.sqlite.store import sqlite_store
from tests.support.postgresql import PostgresqlServer

FILLING = Filling(sessions=3, moves=4)


async def test_both_stores_have_the_same_sessions(postgresql: PostgresqlServer, tmp_path: Path) -> None:
    fill(tmp_path / "lair.db", FILLING)
    with postgresql.database(template=None) as name:
        fill_postgresql(postgresql.url(name), FILLING)
        async with sqlite_store(tmp_path / "lair.db") as ours, postgresql_store(postgresql.url(name)) as theirs:
            seeds = set()
            for number in range(FILLING.sessions):
                one, other = await ours.load(session_id(number)), await theirs.load(session_id(number))
                assert one
                assert other
                assert other == replace(one, server_seed=other.server_seed, head=other.head)
                seeds.add(other.server_seed)
                records = await theirs.records(other.id, -1, 100)
                assert [record.revision for record in records] == list(range(FILLING.moves + 1))
                assert other.head == records[-1]
                assert len(other.server_seed) == len(one.server_seed)
    assert len(seeds) == FILLING.sessions
