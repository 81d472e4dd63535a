"""`python -m tests.support.interrupted FOLDER SCHEMA HOW`: interrupt the start of a store at every point there is.

A process of its own, since it forks: each start is a child, which is interrupted at one point, and then another start
goes on. HOW is one of these:

killed  before each statement that changes anything
cut     in the midst of writing, where a file would grow beyond so many pages
full    no file may grow beyond so many pages: writes fail there, as they do on a full disk, but with EFBIG in the place
        of ENOSPC, and for each file by itself

One line of JSON for each point: how the start ended, what it said, and whether the next one had everything.
"""

import asyncio
import json
import os
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any

from services.session.adapters.sqlite import migrating  # noqa: F401  once, and not in each child
from services.session.adapters.sqlite.store import sqlite_store
from tests.support.old_databases import SCHEMAS, build, dump_of
from tests.support.processes import ROOT

FIRST_START = "none"
"""The schema of a database that isn't there yet."""
EVERY_START = (FIRST_START, *SCHEMAS)
CHANGING = ("ALTER", "BEGIN", "COMMIT", "CREATE", "DROP", "INSERT", "PRAGMA journal_mode", "UPDATE")
PAGE = 4096
MOST = 200
"""Points: more would be a defect of this."""
DONE, SAID, FAILED = 0, 3, 4
"""Exit codes of a start: it has served, has said why not, or has a defect."""


async def start(path: Path) -> None:
    """Open the store as a server does, and close it."""
    async with sqlite_store(path):
        pass


def killed_before(number: int) -> None:
    """Kill this process before SQLite runs its so-manyth statement that changes anything, on whatever connection."""
    statements, connect = count(1), sqlite3.connect

    def trace(statement: str) -> None:
        if statement.lstrip().startswith(CHANGING) and next(statements) == number:
            os.kill(os.getpid(), signal.SIGKILL)

    def connect_traced(*arguments: Any, **options: Any) -> sqlite3.Connection:
        connection: sqlite3.Connection = connect(*arguments, **options)
        connection.set_trace_callback(trace)
        return connection

    sqlite3.connect = sqlite3.dbapi2.connect = connect_traced  # SQLAlchemy looks there


def full_at(number: int) -> None:
    """Let no file of this process grow beyond so many pages."""
    size = (number - 1) * PAGE
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


def cut_at(number: int) -> None:
    """Kill this process where it writes beyond so many pages of a file."""
    signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    full_at(number)


HOW: dict[str, Callable[[int], None]] = {"killed": killed_before, "cut": cut_at, "full": full_at}


def interrupted(path: Path, prepare: Callable[[], None]) -> tuple[int, str]:
    """How a start ended in a child: its exit code, or the signal as a negative number; and what it said."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        code = FAILED
        try:
            prepare()
            asyncio.run(start(path))
            code = DONE
        except OSError as error:
            os.write(writing, str(error).encode())
            code = SAID
        except BaseException as error:  # noqa: BLE001  the parent has to hear of whatever it is
            os.write(writing, repr(error).encode())
        finally:
            os._exit(code)
    os.close(writing)
    with os.fdopen(reading, "rb") as said:
        text = said.read().decode()
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), text


def interrupt(folder: Path, schema: str, how: str) -> list[dict[str, Any]]:
    """Run this module, and give its lines: one for each point."""
    command = [sys.executable, "-m", "tests.support.interrupted", str(folder), schema, how]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]


def main(folder: Path, schema: str, how: str) -> None:
    """Interrupt at one point after the other, until a start is through."""
    original, whole = folder / "original.db", folder / "whole.db"
    if schema != FIRST_START:
        build(original, schema)
        shutil.copy(original, whole)
    asyncio.run(start(whole))
    expected = dump_of(whole)
    intact: dict[tuple[bytes, ...], bool] = {}
    for number in range(1, MOST):
        path = folder / f"{number}.db"
        if original.exists():
            shutil.copy(original, path)
        ended, said = interrupted(path, lambda number=number: HOW[how](number))  # type: ignore[misc]  # a default for the loop
        left = left_of(path)
        if left not in intact:  # the same bytes go on in the same way
            for file in folder.glob(f"{number}.db*"):
                shutil.copy(file, file.with_name(f"left-{file.name}"))
            asyncio.run(start(path))
            intact[left] = dump_of(path) == expected
        sys.stdout.write(json.dumps({"ended": ended, "said": said, "intact": intact[left]}) + "\n")
        if ended == DONE:
            break


def left_of(path: Path) -> tuple[bytes, ...]:
    """What an interrupted start has left: the database and its logs. What is in shared memory nobody reads any more."""
    files = (path, path.with_name(f"{path.name}-journal"), path.with_name(f"{path.name}-wal"))
    return tuple(file.read_bytes() if file.exists() else b"" for file in files)


if __name__ == "__main__":
    main(Path(sys.argv[1]), *sys.argv[2:])
