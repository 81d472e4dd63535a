"""An Envoy that is there and answers nothing is started again; one that is late now and then is left alone."""

import itertools
import threading
import time
from collections.abc import Callable

import psutil
import pytest

from services.edge import admin, envoy
from services.edge.admin import Admin
from tests.support.edge import Web, edge, needs_envoy
from tests.support.servers import PATIENCE, Stubs

pytestmark = needs_envoy


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is asked often."""
    monkeypatch.setattr(envoy, "PROBE_SECONDS", 0.05)
    monkeypatch.setattr(admin, "SECONDS", 0.5)


def until(look: Callable[[], object]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not look():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def process_of(web: Web) -> psutil.Process:
    """The process that listens there."""
    port = int(web.address.rpartition(":")[2])
    (pid,) = {
        each.pid
        for each in psutil.net_connections("tcp")
        if each.status == psutil.CONN_LISTEN and each.laddr.port == port
    }
    return psutil.Process(pid)


def answers(web: Web) -> bool:
    """Whether it is served there."""
    try:
        return web.ask("GET", "/v1/games").status == 200
    except OSError:
        return False


def test_one_that_hangs_is_started_again_at_the_same_address(server: Stubs) -> None:
    with edge(server.address) as web:
        hanging = process_of(web)
        hanging.suspend()
        psutil.wait_procs([hanging], PATIENCE)
        assert not hanging.is_running()
        until(lambda: answers(web))
        assert process_of(web) != hanging


def test_one_that_is_late_now_and_then_is_left_alone(server: Stubs, monkeypatch: pytest.MonkeyPatch) -> None:
    """However often it is late in all."""
    rounds = [*[False] * (envoy.MOST_SILENT - 1), True] * 3
    asked, enough = itertools.chain(rounds, itertools.repeat(True)), threading.Event()
    count = itertools.count()

    async def late(_: Admin) -> bool:
        if next(count) > len(rounds):
            enough.set()
        return next(asked)

    monkeypatch.setattr(Admin, "answers", late)
    with edge(server.address) as web:
        process = process_of(web)
        assert enough.wait(PATIENCE)
        assert process_of(web) == process
