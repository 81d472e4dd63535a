"""`make run` with HTTP: real processes, started, drained and killed; curl as people use it."""

import contextlib
import itertools
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import psutil
import pytest

from services.runtime.settings import Settings
from tests.support.edge import Web, needs_envoy
from tests.support.processes import ROOT, environment
from tests.support.servers import PATIENCE, Stubs
from tests.support.sessions import abort, create, session_of, submit, watch

pytestmark = needs_envoy
COMMAND = ("-m", "services", "--address", "127.0.0.1:0")
HIDDEN = "import runpy, sys; sys.modules['envoy'] = None; runpy.run_module('services', run_name='__main__')"
"""Runs the servers as on a machine for which Envoy has no wheel."""
IDLE = float(os.environ.get("LAIR_IDLE_SECONDS", "4"))
"""How long nobody moves in a game that is watched."""
HEARTBEAT = min(Settings().heartbeat, IDLE / 8)
BETWEEN_MESSAGES = 15.0
"""Seconds at most, by the contract."""


class Run:
    """Lair as `make run` starts it, and what its banner says."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self.process = process
        self.banner = ""
        for line in process.stdout or ():
            self.banner += line
            if "autoplay" in line:
                break

    @property
    def grpc(self) -> str:
        """Where gRPC is served."""
        return str(re.findall(r"gRPC +(\S+)", self.banner)[0])

    @property
    def http(self) -> Web:
        """Where HTTP is served."""
        return Web(re.findall(r"HTTP +http://(\S+)", self.banner)[0])

    def envoys(self) -> list[psutil.Process]:
        """Its Envoys."""
        return [
            child for child in psutil.Process(self.process.pid).children() if child.status() != psutil.STATUS_ZOMBIE
        ]


@contextlib.contextmanager
def run(folder: Path, *command: str, **settings: str) -> Iterator[Run]:
    full = [sys.executable, *(command or (*COMMAND, "--edge", "127.0.0.1:0")), "--database", str(folder / "lair.db")]
    with (folder / "lair.log").open("wb") as log:
        process = subprocess.Popen(
            full, cwd=ROOT, env=environment(**settings), stdout=subprocess.PIPE, stderr=log, text=True
        )
    with process:
        try:
            yield Run(process)
        finally:
            process.terminate()
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(PATIENCE)
            process.kill()


@pytest.fixture(scope="module")
def lasting(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Run]:
    """One that nobody ends."""
    with run(tmp_path_factory.mktemp("lasting"), LAIR_HEARTBEAT="0.3") as lair:
        yield lair


@contextlib.contextmanager
def curl(*arguments: str) -> Iterator["subprocess.Popen[str]"]:
    program = shutil.which("curl")
    assert program, "these tests do what people do with curl: install it"
    command = [program, "-sS", "--max-time", str(60 + IDLE), *arguments]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield process
        finally:
            process.kill()


def said(*arguments: str) -> Any:
    """The JSON that curl gets."""
    with curl(*arguments) as process:
        return json.loads(process.communicate(timeout=PATIENCE)[0])


def told_by(process: "subprocess.Popen[str]") -> Iterator[Any]:
    """The messages that curl gets, as they come."""
    for line in process.stdout or ():
        if line.startswith("data: "):
            yield json.loads(line.removeprefix("data: "))


def test_it_says_where_and_curl_plays(lasting: Run) -> None:
    """The journey of a frontend author, word for word."""
    at = f"{lasting.http.address}/v1/sessions"
    new = {"game": "cabbages", "seats": [{"name": "Ann"}, {"name": "Ben"}], "allTokens": True}
    created = said(at, "--json", json.dumps(new))
    here = f"{lasting.http.address}/v1/{created['session']['name']}"
    ann, ben = (f"authorization: Bearer {token}" for token in created["seatTokens"])
    with curl("-N", f"{here}:watch", "-H", ben) as watching:
        told = told_by(watching)
        assert next(told)["session"]["name"] in here
        assert next(told)["snapshot"]["seat"] == 1
        mover = (ann, ben)[created["session"]["standing"]["mayAct"][0]]
        moves = said(f"{here}/view", "-H", mover)["snapshot"]["moves"]
        update = said(f"{here}:submitMove", "-H", mover, "--json", json.dumps({"move": moves[0]["move"]}))["update"]
        assert update["revision"] == "1"
        heard = [next(told) for _ in range(8)]
        assert [message["update"]["revision"] for message in heard if "update" in message] == ["1"]
        assert sum("heartbeat" in message for message in heard) == 7, "it is quiet, and the stream goes on"
        said(f"{here}:abort", "--json", "{}", "-H", f"authorization: Bearer {created['hostToken']}")
        *_, last = told
        assert last["closing"]["reason"] == "CLOSING_REASON_SESSION_ENDED"
        assert watching.wait(PATIENCE) == 0


@pytest.mark.timeout(60 + 2 * IDLE)
def test_an_idle_game_is_watched_for_as_long_as_it_is_idle(tmp_path: Path) -> None:
    """Neither the edge nor a server loses patience: heartbeats come, then the next move, and the end in band."""
    with run(tmp_path, LAIR_HEARTBEAT=str(HEARTBEAT)) as lair, Stubs(lair.grpc) as stubs:
        created = create(stubs)
        with curl("-N", f"{lair.http.address}/v1/{created.session.name}:watch") as watching:
            told = timed(told_by(watching))
            assert "session" in next(told)[1]
            assert "snapshot" in next(told)[1]
            began = time.monotonic()
            arrived = [began]
            while arrived[-1] < began + IDLE:
                at, message = next(told)
                assert message["heartbeat"]["revision"] == "0"
                arrived.append(at)
            submit(stubs, created, 0)
            abort(stubs, created)
            messages = [message for _, message in told if "heartbeat" not in message]
            assert watching.wait(PATIENCE) == 0
    assert len(arrived) - 1 >= IDLE // HEARTBEAT - 1
    assert max(after - before for before, after in itertools.pairwise(arrived)) < BETWEEN_MESSAGES
    assert [set(message) for message in messages] == [{"update"}, {"session"}, {"closing"}]
    assert messages[2]["closing"] == {"reason": "CLOSING_REASON_SESSION_ENDED", "revision": "1"}


def timed(messages: Iterator[Any]) -> Iterator[tuple[float, Any]]:
    """Each with the time at which it came."""
    return ((time.monotonic(), message) for message in messages)


def test_ctrl_c_in_a_terminal_reaches_the_server_alone(lasting: Run) -> None:
    (envoy,) = lasting.envoys()
    assert os.getsid(envoy.pid) != os.getsid(lasting.process.pid)


def test_it_drains_through_the_edge_and_leaves_nothing_behind(tmp_path: Path) -> None:
    with run(tmp_path, LAIR_DRAIN="4.0") as lair, Stubs(lair.grpc) as stubs:
        created = create(stubs)
        (envoy,) = lair.envoys()
        with curl("-N", f"{lair.http.address}/v1/{created.session.name}:watch") as watching:
            told = told_by(watching)
            assert "session" in next(told)
            assert "snapshot" in next(told)
            lair.process.send_signal(signal.SIGINT)
            time.sleep(0.3)
            assert lair.http.ask("GET", f"/v1/{created.session.name}").status == 200, "it serves while it drains"
            submit(stubs, created, 0)
            messages = [message for message in told if "heartbeat" not in message]
            assert [set(message) for message in messages] == [{"update"}, {"closing"}]
            assert messages[1]["closing"] == {"reason": "CLOSING_REASON_GOING_AWAY", "revision": "1"}
            assert watching.wait(PATIENCE) == 0
        assert lair.process.wait(PATIENCE) == 0
        assert not envoy.is_running()


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux ends a child with its parent")
def test_a_server_that_is_killed_takes_its_edge_along(tmp_path: Path) -> None:
    with run(tmp_path) as lair:
        (envoy,) = lair.envoys()
        lair.process.kill()
        psutil.wait_procs([envoy], timeout=PATIENCE)
        assert not envoy.is_running()


def test_an_edge_that_dies_is_started_again_at_the_same_address_and_grpc_goes_on(tmp_path: Path) -> None:
    """However often it dies. Streams by HTTP break off, and are taken up again where they were."""
    with run(tmp_path) as lair, Stubs(lair.grpc) as stubs:
        created = create(stubs)
        watching = watch(stubs, created)
        for revision in range(3):
            (envoy,) = until(lair.envoys)
            with lair.http.stream(f"/v1/{created.session.name}:watch") as events:
                assert next(events)["session"]["revision"] == str(revision)
                envoy.kill()
                assert not any("closing" in event for event in events), "it is broken off without a word"
            submit(stubs, created, session_of(stubs, created).standing.may_act[0])
            until(lambda: envoy not in lair.envoys())  # noqa: B023  called here
            assert until(lambda: answered(lair.http)) == 200
            until(lambda: (tmp_path / "lair.log").read_text().count("edge is back") == revision + 1)  # noqa: B023  as above
        told = [message.update.revision for message in itertools.islice(watching, 4) if message.HasField("update")]
        assert told == [1, 2, 3]
        watching.cancel()
        (envoy,) = lair.envoys()
        lair.process.terminate()
        assert lair.process.wait(PATIENCE) == 0
        assert not envoy.is_running()
    log = (tmp_path / "lair.log").read_text()
    assert (log.count("edge ended"), log.count("edge is back")) == (3, 3)


def test_an_edge_whose_port_is_taken_in_the_meantime_comes_back_when_it_is_free(tmp_path: Path) -> None:
    with run(tmp_path) as lair:
        (envoy,) = lair.envoys()
        envoy.suspend()
        host, _, port = lair.http.address.rpartition(":")
        envoy.kill()
        with until(lambda: taken(host, int(port))):
            until(lambda: (tmp_path / "lair.log").read_text().count("edge ended") >= 2)
        assert until(lambda: answered(lair.http)) == 200


def test_a_server_that_stops_while_its_edge_is_away_leaves_nothing_behind(tmp_path: Path) -> None:
    with run(tmp_path) as lair:
        (envoy,) = lair.envoys()
        server = psutil.Process(lair.process.pid)
        envoy.kill()
        lair.process.terminate()
        known = {envoy}
        while lair.process.poll() is None:
            with contextlib.suppress(psutil.NoSuchProcess):
                known |= set(server.children(recursive=True))
            time.sleep(0.01)
        assert lair.process.returncode == 0
        psutil.wait_procs(known, timeout=PATIENCE)
        assert [each for each in known if each.is_running()] == []


Found = TypeVar("Found")


def until(look: Callable[[], Found]) -> Found:
    """What is found at last."""
    deadline = time.monotonic() + PATIENCE
    while not (found := look()):
        assert time.monotonic() < deadline
        time.sleep(0.02)
    return found


def answered(web: Web) -> int | None:
    """The status of an answer, or None where nobody listens."""
    try:
        return web.ask("GET", "/v1/sessions").status
    except OSError:
        return None


def taken(host: str, port: int) -> socket.socket | None:
    """A port of one's own, or None while somebody else has it."""
    try:
        return socket.create_server((host, port))
    except OSError:
        return None


def test_without_a_wheel_it_serves_grpc_alone_and_says_so(tmp_path: Path) -> None:
    with run(tmp_path, "-c", HIDDEN, *COMMAND[2:], "--edge", "127.0.0.1:0") as lair, Stubs(lair.grpc) as stubs:
        assert "HTTP   not here: Envoy has no wheel for this machine, so gRPC is served alone" in lair.banner
        assert create(stubs).session.name
        assert not lair.envoys()
