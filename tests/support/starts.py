"""`python -m tests.support.starts`: start servers of which each is to say why it can't, and end.

A process of its own, since it forks: what a start imports is imported once. It reads a line of JSON for each start
(`module`, `arguments`, `settings`, and `user` where it is another than this process's), and writes one for each: how it
ended, and what it has written. Whoever serves all the same is ended by the alarm.
"""

import ctypes
import gc
import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from importlib import import_module
from typing import IO

from services.edge.process import find_envoy
from tests.support.processes import ROOT, environment

PATIENCE = 60
MIGRATING = "services.session.adapters.sqlite.migrating"
NOBODY = 65_534
NEW_NETWORK = 0x4000_0000
"""CLONE_NEWNET: a network of its own, in which no setting of this machine's holds."""
NO_NETWORK = 77
"""Exit code where this machine gives nobody a network of its own."""


@dataclass(frozen=True)
class Start:
    """A server that is to be started."""

    settings: dict[str, str]
    arguments: tuple[str, ...] = ()
    module: str = "services.__main__"
    user: int | None = None
    network: bool = True
    """Whether it has this machine's."""


@dataclass(frozen=True)
class Ended:
    """How it has ended: the exit code, or the signal as a negative number; and what it has written."""

    code: int
    out: str
    said: str


def start_all(starts: Sequence[Start]) -> list[Ended]:
    """Start them one after the other, and see each end."""
    given = "\n".join(json.dumps(asdict(start)) for start in starts)
    command = [sys.executable, "-m", "tests.support.starts"]
    done = subprocess.run(
        command, cwd=ROOT, env=environment(), input=given, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return [Ended(**json.loads(line)) for line in done.stdout.splitlines()]


def main() -> None:
    """Fork for each line."""
    for module in ("services.__main__", "services.rules.__main__", "services.backup", MIGRATING):
        import_module(module)
    find_envoy()
    "localhost".encode("idna")  # both import more, which another user may not be able to read
    gc.collect()
    gc.freeze()  # or each child would copy whatever it counts
    for line in sys.stdin.read().splitlines():
        given = json.loads(line)
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as said:
            child = os.fork()
            if child == 0:
                become(Start(**given), out, said)
                return
            code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
            texts = [_read(file) for file in (out, said)]
        sys.stdout.write(json.dumps({"code": code, "out": texts[0], "said": texts[1]}) + "\n")
        sys.stdout.flush()  # or the next child has it, too


def become(start: Start, out: IO[bytes], said: IO[bytes]) -> None:
    """Be that server. Whatever it raises goes on to the end of this process, as it would in its own."""
    os.dup2(out.fileno(), 1)
    os.dup2(said.fileno(), 2)
    signal.alarm(PATIENCE)
    if not start.network and ctypes.CDLL(None).unshare(NEW_NETWORK):
        os._exit(NO_NETWORK)
    if start.user is not None:
        os.setgroups([])
        os.setgid(start.user)
        os.setuid(start.user)
    os.environ.update(start.settings)
    sys.argv = [start.module, *start.arguments]
    import_module(start.module).main()


def _read(file: IO[bytes]) -> str:
    file.seek(0)
    return file.read().decode()


if __name__ == "__main__":
    main()
