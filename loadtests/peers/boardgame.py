"""boardgame.io's server and clients, as a contender."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from loadtests.measuring.contenders import driving
from loadtests.measuring.rounds import Contender, Sample
from loadtests.measuring.servers import ROOT, listening, processor_seconds

FOLDER = Path(__file__).parent / "boardgame_io"
MODULES = FOLDER / "node_modules"


@contextmanager
def boardgame(games: int, *, in_files: bool = False) -> Iterator[Contender]:
    """Start the server, and clients who play so many games at once. Raises RuntimeError when a process fails.

    It keeps its games in memory, or in its own flat files, which it writes and does not wait for: they may lie in the
    system's memory when a move is told.
    """
    (ROOT / "build").mkdir(exist_ok=True)
    with (
        tempfile.TemporaryDirectory(dir=ROOT / "build") as folder,
        listening(
            ["node", str(FOLDER / "server.js"), *([f"{folder}/games"] if in_files else [])], Path(folder)
        ) as server,
        driving(["node", str(FOLDER / "clients.js"), server.address, str(games)]) as drive,
    ):

        def contend(seconds: float) -> Sample:
            before = processor_seconds(server.pid)
            told = drive(seconds)
            return Sample(**told, processor_seconds=processor_seconds(server.pid) - before)

        yield contend
