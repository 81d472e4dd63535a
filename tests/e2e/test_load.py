"""The load test finds nothing wrong with a right server, and what is wrong with a wrong one."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from services.session.domain import failures
from services.session.domain.session import Session
from services.session.usecases.submitting import Submission
from services.session.wire import servicer
from tests.support.edge import needs_envoy
from tests.support.processes import free_port
from tests.support.servers import running

ROOT = Path(__file__).parents[2]
FINISHED = "Nothing was wrong."
STORIES = {"GamePlayer", "LobbyVisitor", "Racer", "RulesCaller", "SeatPlayer", "Stranger", "Watcher"}


def load(folder: Path, *arguments: str) -> tuple[int, str, dict[str, Any]]:
    """Run it as `make load` does: its exit code, what it prints, and its figures."""
    output = folder / "load.json"
    command = [sys.executable, "-m", "loadtests.crowd", "--output", str(output), "--html", str(folder / "load.html")]
    done = subprocess.run([*command, *arguments], cwd=ROOT, capture_output=True, text=True, check=False)
    assert output.exists(), done.stdout + done.stderr
    return done.returncode, done.stdout, json.loads(output.read_text())


def load_until(shown: str, folder: Path, *arguments: str) -> tuple[int, str, dict[str, Any]]:
    """The same, again and longer until what it prints has this: a busy machine finishes no game in a few seconds."""
    for seconds in (8, 20, 60):
        told = load(folder, *arguments, "--seconds", str(seconds))
        if shown in told[1]:
            break
    return told


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_a_right_server_passes_with_every_story_and_its_games_verified(tmp_path: Path) -> None:
    code, printed, figures = load_until(FINISHED, tmp_path, "--users", "12", "--rate", "60")

    assert code == 0, printed
    assert FINISHED in printed
    assert figures["games"] > 0
    assert figures["refusals"] > 0
    assert figures["stories"].keys() <= STORIES
    for name in ("WatchSession/first-event", "WatchSession/propagation", "PlaySeat/first-event"):
        assert figures["streams"][name]["count"] > 0
    assert figures["lag"]["count"] > 0
    assert min(figures["server"]["memory"].values()) > 1
    assert "<html" in (tmp_path / "load.html").read_text()


@needs_envoy
@pytest.mark.slow
@pytest.mark.timeout(300)
def test_a_right_server_passes_through_the_edge(tmp_path: Path) -> None:
    code, printed, figures = load_until(FINISHED, tmp_path, "--edge", "--users", "12", "--rate", "60")

    assert code == 0, printed
    assert figures["games"] > 0
    assert figures["streams"]["PlaySeat/propagation"]["count"] > 0
    for process in (figures["server"], figures["edge"]):
        assert process["processor_share"] > 0
        assert min(process["memory"].values()) > 1


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_loaded_dice_are_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Session, "seed_of", lambda *_: bytes(32))
    with running(tmp_path / "lair.db") as server:
        crowd = ("--users", "12", "--rate", "60", "--stories", "SeatPlayer")
        code, printed, figures = load_until("the seed gives", tmp_path, "--host", server.address, *crowd)

    assert code == 1
    assert any("the seed gives" in problem for problem in figures["wrong"]), printed
    assert "game verified" in printed


@pytest.mark.slow
@pytest.mark.timeout(180)
def test_a_refusal_for_the_wrong_reason_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(failures, "stale_session", lambda _: failures.session_not_found("sessions/7f3k"))
    with running(tmp_path / "lair.db") as server:
        crowd = ("--users", "4", "--rate", "20", "--seconds", "8", "--stories", "Stranger")
        code, printed, figures = load(tmp_path, "--host", server.address, *crowd)

    assert code == 1
    assert any("call SubmitMove: NotFound" in problem for problem in figures["wrong"]), printed


@pytest.mark.slow
@pytest.mark.timeout(180)
def test_a_call_that_is_taken_although_it_should_be_refused_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(servicer, "Submission", lambda action, request_id, _: Submission(action, request_id, ""))
    with running(tmp_path / "lair.db") as server:
        crowd = ("--users", "4", "--rate", "20", "--seconds", "8", "--stories", "Stranger")
        code, printed, figures = load(tmp_path, "--host", server.address, *crowd)

    assert code == 1
    assert any("accepted, where STALE_SESSION was due" in problem for problem in figures["wrong"]), printed


@pytest.mark.slow
@pytest.mark.timeout(180)
def test_a_server_that_is_not_there_is_found(tmp_path: Path) -> None:
    crowd = ("--users", "2", "--seconds", "2", "--rate", "2")
    code, printed, figures = load(tmp_path, "--host", f"127.0.0.1:{free_port()}", *crowd)

    assert code == 1
    assert any("nobody answers" in problem for problem in figures["wrong"]), printed


@pytest.mark.parametrize(("patched", "expected"), [("patch.activate()", "True"), ("", "False")])
def test_grpc_lets_other_users_run_while_a_call_waits_only_with_the_patch(patched: str, expected: str) -> None:
    script = f"import locust; from loadtests.crowd.stories import patch; {patched or 'None'}; print(patch.is_active())"

    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)

    assert done.stdout.strip() == expected


MANY_WAIT = """
import locust, gevent, grpc, time
from contextlib import suppress
from loadtests.crowd.stories import patch
patch.activate()
def wait(seconds):
    with grpc.insecure_channel("unix:/nonexistent/nobody") as channel, suppress(grpc.RpcError):
        channel.unary_unary("/nobody/Answers")(b"", timeout=seconds, wait_for_ready=True)
many = [gevent.spawn(wait, 30) for _ in range(40)]
gevent.sleep(1)
started = time.monotonic()
wait(0.2)
print(time.monotonic() - started, flush=True)
__import__("os")._exit(0)
"""


@pytest.mark.timeout(60)
def test_a_call_does_not_stand_in_line_behind_others_that_wait() -> None:
    """gevent's pool has ten threads unless told otherwise: with forty calls that wait, the next would wait, too."""
    done = subprocess.run([sys.executable, "-c", MANY_WAIT], cwd=ROOT, capture_output=True, text=True, check=True)

    assert float(done.stdout) < 15


def test_the_locustfile_activates_the_patch() -> None:
    script = "import loadtests.crowd.locustfile; from loadtests.crowd.stories import patch; print(patch.is_active())"

    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)

    assert done.stdout.strip() == "True"


def test_a_share_of_an_unknown_peak_is_refused_with_the_way_to_find_it(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "loadtests.crowd", "--of-peak", "60", "--peak", str(tmp_path / "none.json")]

    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)

    assert done.returncode == 2
    assert "--find-peak" in done.stdout
