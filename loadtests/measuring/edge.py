"""`python -m loadtests.measuring.edge SERVER`: an Envoy before one server, as `make run` starts it.

It knows the empty service besides the contract, so that the baselines come through it, too. A process of its own: what
it takes of the processors is Envoy's, and is told apart from the server's.
"""

import asyncio
import signal
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from loadtests.baselines import empty
from loadtests.measuring.servers import Server, listening
from services.edge.bootstrap import Edge
from services.edge.envoy import Envoy
from services.edge.process import find_envoy
from services.edge.protos import Protos, read_protos

MISSING = "Envoy has no wheel for this machine, so nothing can be measured through it"


def is_installed() -> bool:
    """Whether there is one."""
    return find_envoy() is not None


@contextmanager
def before(server: Server) -> Iterator[Server]:
    """Run an edge before a server until the context is left. Raises RuntimeError when it doesn't come up."""
    command = [sys.executable, "-m", "loadtests.measuring.edge", server.address]
    with tempfile.TemporaryDirectory() as folder, listening(command, Path(folder)) as edge:
        yield edge


def protos() -> Protos:
    """The contract, and the empty service."""
    descriptors = read_protos().descriptors
    descriptors.file.append(empty.FILE)
    return Protos(descriptors)


async def serve(server: str) -> None:
    """Stand before a server until a signal comes. Raises EdgeFailed."""
    program = find_envoy()
    if program is None:
        sys.exit(MISSING)
    ended = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, ended.set)
    envoy = Envoy(program)
    try:
        print(await envoy.start(Edge(listen="127.0.0.1:0", sessions=server, rules=server), protos()), flush=True)
        await ended.wait()
    finally:
        await envoy.stop()


if __name__ == "__main__":
    asyncio.run(serve(sys.argv[1]))
