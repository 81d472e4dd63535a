"""Several servers on one PostgreSQL, each a process of its own."""

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path

from tests.support.processes import Server

REPLICAS = 3


@contextmanager
def replicas(folder: Path, database: str, number: int = REPLICAS, **settings: str) -> Iterator[Sequence[Server]]:
    """So many servers of a database with its schema, all of which answer. Their logs lie in the folder."""
    servers = _replicas(folder, database, number, settings)
    with ExitStack() as stack:
        for server in servers:
            stack.enter_context(server)
        yield servers


@contextmanager
def starting_at_once(
    folder: Path, database: str, number: int = REPLICAS, **settings: str
) -> Iterator[Sequence[Server]]:
    """The same, all of which were started at the same moment."""
    servers = _replicas(folder, database, number, settings)
    try:
        with ThreadPoolExecutor(number) as threads:
            yield list(threads.map(Server.start, servers))
    finally:
        for server in servers:
            server.kill()


def _replicas(folder: Path, database: str, number: int, settings: Mapping[str, str]) -> Sequence[Server]:
    return [
        Server(folder / f"replica{which}.db", url=database, **{"LAIR_LOG_LEVEL": "warning", **settings})
        for which in range(number)
    ]
