"""lair.testing: a server for users' own tests."""

import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
import structlog

import lair
import lair.testing
from services.runtime import calls


def test_two_servers_know_nothing_of_each_other() -> None:
    with lair.testing.client() as one, lair.testing.client() as other:
        session = one.create("cabbages", seats=["Ann", "Ben"])
        with pytest.raises(lair.NotFound):
            other.session(session.name)


def test_a_server_is_gone_afterwards_also_when_streams_are_open() -> None:
    before = set(threading.enumerate())
    with lair.testing.server() as target, lair.connect(target) as client:
        session = client.create("cabbages", seats=["Ann", "Ben"])
        watch = session.watch()
        assert next(watch).revision == 0
    assert "lair.testing" not in {thread.name for thread in set(threading.enumerate()) - before}
    with lair.connect(target, timeout=0.2) as late, pytest.raises(lair.Unavailable):
        late.games()


def test_a_failing_test_stops_its_server_too() -> None:
    with pytest.raises(ZeroDivisionError), lair.testing.server() as target:
        1 / 0  # noqa: B018  a test that fails
    with lair.connect(target, timeout=0.2) as late, pytest.raises(lair.Unavailable):
        late.games()


def test_a_server_that_cannot_start_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    @asynccontextmanager
    async def broken(_: Any) -> AsyncIterator[str]:
        raise OSError("no room on the disk")
        yield ""

    monkeypatch.setattr(lair.testing, "serving", broken)
    with pytest.raises(OSError, match="no room"), lair.testing.server():
        pass


async def test_both_clients_can_use_it_at_the_same_time() -> None:
    with lair.testing.server() as target, lair.connect(target) as blocking:
        async with lair.aconnect(target) as client:
            session = await client.create("cabbages", seats=["Ann", "Ben"])
            assert blocking.session(session.name).facts() == await session.facts()


def test_what_is_logged_can_be_captured_after_a_server_of_this_process() -> None:
    with lair.testing.client() as client:
        client.games()
    with structlog.testing.capture_logs() as captured:
        calls.log.error("defect")
    assert [event["event"] for event in captured] == ["defect"]
