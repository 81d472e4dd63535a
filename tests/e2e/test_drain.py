"""A server that is asked to go goes in good order; one that can't begin says why in one sentence."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import grpc
import pytest
from grpc_health.v1 import health_pb2
from monsters.session.v1 import session_pb2 as wire

from tests.support.processes import ROOT, Server
from tests.support.servers import PATIENCE, Stubs
from tests.support.sessions import Player, create, session_of, submit, watch

DRAIN = 4.0
"""Seconds for a few calls, also on a busy machine."""
SERVICES = ("", "monsters.session.v1.SessionService", "monsters.cabbages.v1.RulesService")


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    with Server(tmp_path / "lair.db", anew=True, LAIR_DRAIN=str(DRAIN)) as process:
        yield process


@pytest.fixture(scope="module")
def lasting(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One that has a port and a file."""
    with Server(tmp_path_factory.mktemp("lasting") / "lair.db") as process:
        yield process


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_server_goes_in_good_order(server: Server, number: signal.Signals) -> None:
    """Health first; calls are served while load balancers notice; streams are told in-band; then exit 0."""
    assert server.process is not None
    with Stubs(server.address) as stubs:
        created = create(stubs)
        healthy = stubs.health.Watch(health_pb2.HealthCheckRequest(service=SERVICES[1]))
        assert next(healthy).status == health_pb2.HealthCheckResponse.SERVING
        assert all(stubs.serving(service) for service in SERVICES)
        watching = watch(stubs, created)
        assert next(watching).HasField("snapshot")
        with Player(stubs, created, 0) as player:
            player.take()
            server.process.send_signal(number)
            asked = time.monotonic()
            assert next(healthy).status == health_pb2.HealthCheckResponse.NOT_SERVING
            assert not any(stubs.serving(service) for service in SERVICES)
            assert submit(stubs, created, 0).revision == 1, "calls are served during the drain"
            assert create(stubs).session.state == wire.STATE_PLAYING, "new ones, too"
            assert next(watching).update.revision == 1
            assert player.take().update.revision == 1
            told = [message for message in watching if not message.HasField("heartbeat")]
            assert [message.closing for message in told] == [
                wire.Closing(reason=wire.CLOSING_REASON_GOING_AWAY, revision=1)
            ]
            assert player.take().closing == wire.Closing(reason=wire.CLOSING_REASON_GOING_AWAY, revision=1)
            for stream in (watching, player.received):
                assert stream.code() is grpc.StatusCode.OK
    assert server.process.wait(PATIENCE) == 0
    assert time.monotonic() - asked >= DRAIN
    log = server.log.read_text()
    assert "incident" not in log
    assert "Traceback" not in log


@pytest.mark.slow
def test_whoever_was_sent_away_goes_on_with_the_next_server(tmp_path: Path) -> None:
    with Server(tmp_path / "lair.db") as server:
        with Stubs(server.address) as stubs:
            created = create(stubs)
            watching = watch(stubs, created)
            next(watching)
            submit(stubs, created, 0)
            assert server.stop() == 0
            *_, closing = watching
        server.start()
        with Stubs(server.address) as stubs:
            resumed = watch(stubs, created, after_revision=closing.closing.revision)
            submit(stubs, created, 1)
            told = [next(resumed).update.revision for _ in range(2 - closing.closing.revision)]
            assert told == list(range(closing.closing.revision + 1, 3))
            resumed.cancel()
            assert session_of(stubs, created).revision == 2


def refused(tmp_path: Path, *arguments: str, module: str = "services", **environment: str) -> str:
    """What a server that can't begin says before it ends with code 1."""
    done = subprocess.run(
        [sys.executable, "-m", module, *arguments],
        cwd=ROOT,
        env={**os.environ, "LAIR_DATABASE": str(tmp_path / "lair.db"), **environment},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == 1
    assert not done.stdout
    (sentence,) = done.stderr.splitlines()
    return sentence


def test_a_port_that_is_taken_is_said_in_a_sentence(lasting: Server, tmp_path: Path) -> None:
    sentence = refused(tmp_path, "--address", lasting.address, "--database", str(tmp_path / "another.db"))
    assert sentence == f"can't listen on {lasting.address}: is another server there?"


def test_a_database_that_is_taken_is_said_in_a_sentence(lasting: Server, tmp_path: Path) -> None:
    database = lasting.log.with_suffix(".db")
    sentence = refused(tmp_path, "--address", "127.0.0.1:0", "--database", str(database))
    assert sentence == f"another server has {database}; stop it, or set LAIR_DATABASE to another file"
    with Stubs(lasting.address) as stubs:
        assert create(stubs).session.name, "the one that has it is not disturbed"


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"LAIR_ADDRESS": "nowhere"}, "can't listen on nowhere: "),
        ({"LAIR_ADDRESS": "127.0.0.1:0", "LAIR_DATABASE": "/dev/null/lair.db"}, "[Errno "),
    ],
)
def test_what_can_not_be_used_is_said_in_a_sentence(tmp_path: Path, settings: dict[str, str], sentence: str) -> None:
    assert refused(tmp_path, **settings).startswith(sentence)


def test_a_folder_is_no_database(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    sentence = refused(tmp_path, "--address", "127.0.0.1:0", "--database", str(folder))
    assert sentence == f"can't keep sessions in {folder}: Is a directory"


def test_every_bad_setting_is_named(tmp_path: Path) -> None:
    sentence = refused(tmp_path, LAIR_DRAIN="soon", LAIR_LOG_LEVEL="loud", LAIR_MAX_CALLS="-1", LAIR_HEARTBEAT="60")
    assert sentence.startswith("a setting is wrong: ")
    for name in ("LAIR_DRAIN", "LAIR_LOG_LEVEL", "LAIR_MAX_CALLS", "LAIR_HEARTBEAT"):
        assert f"{name}: " in sentence


def test_a_file_that_is_no_database_is_left_alone(tmp_path: Path) -> None:
    letter = tmp_path / "letter.txt"
    letter.write_text("Dear Ann, " * 1000)
    sentence = refused(tmp_path, "--address", "127.0.0.1:0", "--database", str(letter))
    assert sentence == f"can't keep sessions in {letter}: file is not a database"
    assert letter.read_text() == "Dear Ann, " * 1000
