"""Several servers on one PostgreSQL, each a process of its own."""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

from tests.support.processes import Server

REPLICAS = 3


@contextmanager
def replicas(folder: Path, database: str, number: int = REPLICAS, **settings: str) -> Iterator[Sequence[Server]]:
    """So many servers of a database with its schema, all of which answer. Their logs lie in the folder."""
    servers = [
        Server(folder / f"replica{which}.db", url=database, LAIR_LOG_LEVEL="warning", **settings)
        for which in range(number)
    ]
    with ExitStack() as stack:
        for server in servers:
            stack.enter_context(server)
        yield servers
