"""Two stores behind a real PgBouncer that shares a few connections between transactions."""

import asyncio
import os
import pwd
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import psycopg
import pytest

from services.migrate import migrate
from services.runtime.settings import Settings
from services.session.adapters.postgresql.opening import Database
from services.session.adapters.postgresql.store import postgresql_store
from tests.support.postgresql import PostgresqlServer
from tests.support.processes import free_port
from tests.support.stores import nothing, played, playing

PROGRAM = shutil.which("pgbouncer", path=f"{os.environ.get('PATH', '')}:/usr/sbin")
PATIENCE = 30.0
PLAYERS = 10
MOVES = 10

pytestmark = pytest.mark.skipif(
    PROGRAM is None, reason="there is no PgBouncer: on Debian and Ubuntu, apt-get install pgbouncer"
)


@pytest.fixture
def pooler(postgresql: PostgresqlServer) -> Iterator[str]:
    """The address of an empty database behind one."""
    assert PROGRAM
    with postgresql.database(template=None) as name, tempfile.TemporaryDirectory(prefix="lair-bouncer-") as folder:
        port, config = free_port(), Path(folder) / "pgbouncer.ini"
        config.write_text(
            f"[databases]\n{name} = host={postgresql.folder} user=lair\n[pgbouncer]\nlisten_addr = 127.0.0.1\n"
            f"listen_port = {port}\nunix_socket_dir =\nauth_type = any\npool_mode = transaction\n"
            "default_pool_size = 3\n"
        )
        user = {}
        if os.geteuid() == 0:  # PgBouncer does not run as root
            nobody = pwd.getpwnam("nobody")
            os.chown(folder, nobody.pw_uid, nobody.pw_gid)
            user = {"user": nobody.pw_uid, "group": nobody.pw_gid}
        with subprocess.Popen([PROGRAM, "-q", config], stderr=subprocess.DEVNULL, **user) as process:
            try:
                url = f"postgresql://lair@127.0.0.1:{port}/{name}"
                _wait_for(url)
                yield url
            finally:
                process.terminate()


def _wait_for(url: str) -> None:
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        with suppress(psycopg.OperationalError):
            psycopg.connect(url).close()
            return
        time.sleep(0.05)
    raise AssertionError("PgBouncer does not answer")


async def test_moves_are_played_through_it_and_nothing_is_prepared(pooler: str) -> None:
    await asyncio.to_thread(migrate, Settings(database=pooler))
    async with await Database(pooler).connect() as connection:
        assert connection.prepare_threshold is None
    async with postgresql_store(pooler) as one, postgresql_store(pooler) as other:

        async def play(name: str) -> None:
            session = await playing(one, name)
            for number in range(MOVES):
                change = played(session, f"{name} {number}".encode())
                assert await (one, other)[number % 2].save(change, nothing)
                session = change.after
            assert await one.load(name) == await other.load(name) == session

        await asyncio.gather(*(play(f"s{number}") for number in range(PLAYERS)))
