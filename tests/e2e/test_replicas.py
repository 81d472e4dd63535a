"""Three servers on one PostgreSQL, and whatever happens to them: nothing acknowledged is lost, nothing happens twice.

A crowd sprays its calls over all of them while something bad happens to them. What everybody saw is checked for
linearizability, session by session, and every watcher, hopping from one to the next, has seen every revision once and
in order.
"""

import asyncio
import os
import random
import signal
import subprocess
import tempfile
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Sequence
from contextlib import asynccontextmanager, suppress
from itertools import cycle
from pathlib import Path

import psycopg
import pytest

from tests.support.postgresql import PostgresqlServer, running_postgresql
from tests.support.processes import Server
from tests.support.replica_processes import starting_at_once
from tests.support.spraying import Crowd, check

MOVES = int(os.environ.get("LAIR_REPLICA_MOVES", "60"))
CLIENTS = int(os.environ.get("LAIR_REPLICA_CLIENTS", "8"))
"""Two at each table."""
DISK = 256 * 1024 * 1024
"""Bytes: room for a new PostgreSQL, and for a while."""
PATIENCE = 120.0 + MOVES / 4
LONGEST = 600 + MOVES

pytestmark = [pytest.mark.slow, pytest.mark.timeout(LONGEST)]


class Trouble:
    """Something bad that happens again and again, until it is over."""

    def __init__(self) -> None:
        self.times = 0
        self._over = asyncio.Event()

    async def goes_on(self, seconds: float) -> bool:
        """Wait so long, and say whether there is to be more of it."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self._over.wait(), seconds)
        return not self._over.is_set()

    def end(self) -> None:
        """Let it be over."""
        self._over.set()


async def kill_one_after_the_other(trouble: Trouble, _: PostgresqlServer, __: str, servers: Sequence[Server]) -> None:
    whim, turns = random.Random(1), cycle(servers)
    while await trouble.goes_on(whim.uniform(0.2, 1.5)):
        server = next(turns)
        await asyncio.to_thread(server.kill)
        trouble.times += 1
        await asyncio.to_thread(server.start)


async def replace_one_after_the_other(
    trouble: Trouble, postgresql: PostgresqlServer, database: str, servers: Sequence[Server]
) -> None:
    """As a rolling update does; the schema is a later one from the second server on, which the first ones may use."""
    turns = cycle(servers)
    while await trouble.goes_on(0.5):
        assert await asyncio.to_thread(next(turns).stop) == 0
        trouble.times += 1
        if trouble.times == 1:
            postgresql.execute("ALTER TABLE sessions ADD COLUMN of_a_later_version TEXT", database)
            postgresql.execute("UPDATE alembic_version SET version_num = '9999'", database)
        await asyncio.to_thread(servers[(trouble.times - 1) % len(servers)].start)


async def restart_the_database(trouble: Trouble, postgresql: PostgresqlServer, _: str, __: Sequence[Server]) -> None:
    """By turns as an operator does, and as a crash does."""
    ways = cycle((signal.SIGINT, signal.SIGQUIT))
    while await trouble.goes_on(1.5):
        await asyncio.to_thread(postgresql.stop, next(ways))
        await asyncio.sleep(0.5)
        await asyncio.to_thread(postgresql.start)
        trouble.times += 1


async def cut_connections(trouble: Trouble, postgresql: PostgresqlServer, database: str, _: Sequence[Server]) -> None:
    """Some of those that servers have, in the middle of whatever they do."""
    while await trouble.goes_on(0.1):
        for pid in _backends(postgresql, database, 3):
            postgresql.execute(f"SELECT pg_terminate_backend({pid})")
            trouble.times += 1


async def kill_a_backend(trouble: Trouble, postgresql: PostgresqlServer, database: str, _: Sequence[Server]) -> None:
    """PostgreSQL ends all connections, and recovers, when one of its processes dies."""
    while await trouble.goes_on(2.0):
        for pid in _backends(postgresql, database, 1):
            os.kill(pid, signal.SIGKILL)
            trouble.times += 1


async def fill_the_disk(trouble: Trouble, postgresql: PostgresqlServer, _: str, __: Sequence[Server]) -> None:
    """Once, for a while. PostgreSQL ends where it can't write its log, and is started again when there is room."""
    ballast = postgresql.folder / "ballast"
    if await trouble.goes_on(1.0):
        with ballast.open("wb", buffering=0) as file:
            for size in (1024 * 1024, 4096, 1):
                with suppress(OSError):
                    while file.write(bytes(size)) == size:
                        pass
        trouble.times += 1
        await trouble.goes_on(3.0)
        ballast.unlink()
        if not postgresql.running:
            await asyncio.to_thread(postgresql.start)


def _backends(postgresql: PostgresqlServer, database: str, most: int) -> Sequence[int]:
    """The processes of some of the connections to a database."""
    of_database = f"FROM pg_stat_activity WHERE datname = '{database}' ORDER BY random() LIMIT {most}"
    try:
        return [int(str(pid)) for (pid,) in postgresql.execute(f"SELECT pid {of_database}")]
    except psycopg.OperationalError:  # it recovers from the last time
        return ()


@asynccontextmanager
async def troubled(
    how: Callable[..., Coroutine[None, None, None]],
    postgresql: PostgresqlServer,
    database: str,
    servers: Sequence[Server],
) -> AsyncIterator[Trouble]:
    """Let it happen until the context is left. Whatever is away then is brought back."""
    trouble = Trouble()
    happening = asyncio.create_task(how(trouble, postgresql, database, servers))
    try:
        yield trouble
    finally:
        trouble.end()
        await happening


@pytest.fixture(scope="module")
def durable() -> Iterator[PostgresqlServer]:
    """A PostgreSQL that has on the disk what it has acknowledged."""
    with running_postgresql() as postgresql:
        yield postgresql


@pytest.mark.parametrize(
    "how",
    [kill_one_after_the_other, restart_the_database, cut_connections, kill_a_backend],
    ids=lambda how: how.__name__,
)
async def test_nothing_acknowledged_is_lost_and_everybody_sees_one_story(
    durable: PostgresqlServer, tmp_path: Path, how: Callable[..., Coroutine[None, None, None]]
) -> None:
    await play_in_trouble(how, durable, tmp_path)


@pytest.fixture
def small_disk() -> Iterator[Path]:
    """A small file system that every user reaches, where this may be had."""
    disk = Path(tempfile.mkdtemp(prefix="lair-disk-"))
    command = ["mount", "-t", "tmpfs", "-o", f"size={DISK},mode=755", "lair-test", str(disk)]
    try:
        if subprocess.run(command, capture_output=True, check=False).returncode:
            pytest.skip("here nobody may mount a file system")
        yield disk
        subprocess.run(["umount", str(disk)], check=True)
    finally:
        disk.rmdir()


async def test_a_disk_that_is_full_for_a_while_loses_nothing(tmp_path: Path, small_disk: Path) -> None:
    with running_postgresql("max_wal_size=32MB", "min_wal_size=32MB", within=small_disk) as postgresql:
        await play_in_trouble(fill_the_disk, postgresql, tmp_path, times=1)


async def test_no_call_fails_while_servers_and_their_schema_are_replaced(
    durable: PostgresqlServer, tmp_path: Path
) -> None:
    crowd = await play_in_trouble(replace_one_after_the_other, durable, tmp_path, times=3, LAIR_DRAIN="0.5")
    assert crowd.asked_again == 0


async def play_in_trouble(
    how: Callable[..., Coroutine[None, None, None]],
    postgresql: PostgresqlServer,
    tmp_path: Path,
    times: int = 2,
    **settings: str,
) -> Crowd:
    """Play, until it has happened so often at least, and check what everybody saw once the trouble is over."""
    with postgresql.database() as database, starting_at_once(tmp_path, postgresql.url(database), **settings) as servers:
        crowd = Crowd([server.address for server in servers], wanted=MOVES, patience=PATIENCE)
        async with troubled(how, postgresql, database, servers) as trouble:
            crowd.enough = lambda: trouble.times >= times
            await crowd.play(tables=CLIENTS // 2)
        await check(crowd, servers[0].address)
    assert crowd.moves >= MOVES
    print(f"{crowd.moves} moves in {len(crowd.tables)} games, {how.__name__} {trouble.times} times,")  # noqa: T201  figures
    print(f"{crowd.asked_again} calls made again, the slowest took {crowd.slowest:.1f} s")  # noqa: T201  of a full run
    return crowd
