"""Health says what the probes have said, and nothing before they have."""

import asyncio

import pytest
from grpc_health.v1._async import HealthServicer

from services.runtime import health
from services.runtime.health import NOT_SERVING, SERVING, Health, Probe
from tests.support.replicas import running_beside, until


class Told(HealthServicer):
    """Keeps what is told."""

    def __init__(self) -> None:
        super().__init__()
        self.said: list[tuple[str, int]] = []

    async def set(self, service: str, status: int) -> None:
        self.said.append((service, status))
        await super().set(service, status)


class Thing:
    """Something that a server needs: there, away, or saying nothing."""

    def __init__(self, *, there: bool | None) -> None:
        self.there = there
        self.asked = 0

    async def probe(self) -> bool:
        self.asked += 1
        while self.there is None:  # noqa: ASYNC110  set by the test
            await asyncio.sleep(0.001)
        return self.there


@pytest.fixture(autouse=True)
def often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health, "PROBE_EVERY", 0.001)


def keeping(told: Told, *things: Thing) -> Health:
    probes: list[Probe] = [thing.probe for thing in things]
    return Health(told, ("", "lair"), probes)


async def test_a_server_that_needs_nothing_serves() -> None:
    told = Told()
    await keeping(told).keep()
    assert told.said == [("", SERVING), ("lair", SERVING)]


async def test_it_is_told_whenever_it_changes_and_not_again() -> None:
    told, one, other = Told(), Thing(there=True), Thing(there=True)
    async with running_beside(keeping(told, one, other).keep()):
        for number, there in enumerate((True, False, True), start=1):
            other.there = there
            await until(lambda: len(told.said) == 2 * number)  # noqa: B023  called here
            asked = one.asked
            await until(lambda: one.asked > asked + 2)  # noqa: B023  as above
    statuses = [SERVING, NOT_SERVING, SERVING]
    assert told.said == [(name, status) for status in statuses for name in ("", "lair")]


async def test_nothing_is_told_before_it_is_known() -> None:
    """One that is away is enough to know."""
    told, silent, away = Told(), Thing(there=None), Thing(there=True)
    async with running_beside(keeping(told, silent, away).keep()):
        await until(lambda: away.asked > 2)
        assert told.said == []
        away.there = False
        await until(lambda: told.said)
        assert told.said[0] == ("", NOT_SERVING)
