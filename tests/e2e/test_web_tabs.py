"""Many tabs of one browser: they share streams, leave connections for calls, rest when hidden, and wait for nobody."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest
from monsters.session.v1 import session_pb2 as wire
from playwright.sync_api import Browser, Page, expect

from services.edge.limits import Rates
from tests.support.browsers import Visitor, needs_browser
from tests.support.edge import needs_envoy
from tests.support.page import Door
from tests.support.servers import Stubs, bearer, running
from tests.support.sessions import Created, create, endless, feed_on, submit

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600), needs_browser, needs_envoy]
TABS = 8
"""More than HTTP/1.1 has connections to one server: six."""
HIDE = "(hidden) => { window.unseen = hidden; document.dispatchEvent(new Event('visibilitychange')); }"
HIDDEN = "Object.defineProperty(document, 'hidden', { get: () => window.unseen ?? false })"


def sit(visitor: Visitor, created: Created, seat: int = 0) -> str:
    """Give a browser the key to a seat, and give the part of the page that has it."""
    name = created.session.name
    key = {"name": name, "game": created.session.game, "seat": seat, "token": created.seat_tokens[seat]}
    more = {"entropy": "", "commitment": created.session.commitment.hex()}
    visitor.page.evaluate("([name, key]) => localStorage.setItem(`lair/${name}`, key)", [name, json.dumps(key | more)])
    return f"{visitor.home}/#session={name.removeprefix('sessions/')}"


def opened(visitor: Visitor, address: str) -> Page:
    """One more tab."""
    page = visitor.new_tab()
    page.goto(address)
    return page


@pytest.fixture
def visitor(browser: Browser, door: Door) -> Visitor:
    visitor = Visitor(browser, door.home)
    visitor.go()
    return visitor


def test_many_tabs_of_one_table_have_one_stream(browser: Browser, server: Stubs) -> None:
    """The edge lets this browser open no second one."""
    door = Door(server.address, rates=Rates(streams=1))
    with door.open():
        visitor = Visitor(browser, door.home)
        visitor.go()
        created = create(server, **endless(TABS))
        address = sit(visitor, created)
        tabs = [opened(visitor, address) for _ in range(TABS)]
        for page in tabs:
            expect(page.locator("#seats")).to_contain_text("(you)")
        feed_on(server, created)
        for page in tabs:
            expect(page.locator("#revision")).to_have_text(str(TABS))
            expect(page.locator("#history li")).to_have_count(TABS + 1)
            expect(page.get_by_role("alert")).to_have_count(0)
        assert visitor.failures == []


def test_many_tabs_with_a_table_each_all_go_on(visitor: Visitor, server: Stubs) -> None:
    """Pages load, moves are made in each of them, and each hears of the others' moves."""
    games = [create(server, **endless(4)) for _ in range(TABS)]
    tabs = [opened(visitor, sit(visitor, created)) for created in games]
    for page in tabs:
        expect(page.locator("#seats")).to_contain_text("(you)")
    for created, page in zip(games, tabs, strict=True):
        page.locator(".move:enabled").first.click()
        expect(page.locator("#revision")).to_have_text("1")
        submit(server, created, 1)
    for page in tabs:
        expect(page.locator("#revision")).to_have_text("2")
    tabs[0].reload()
    expect(tabs[0].locator("#revision")).to_have_text("2")
    visitor.go()
    expect(visitor.page.locator("#lobbies")).to_contain_text(re.compile("None waits now|seats free"))
    assert visitor.failures == []


def test_what_one_tab_hears_by_its_token_another_browser_does_not(browser: Browser, door: Door, server: Stubs) -> None:
    """And two seats of one table in one browser, one after the other, have their own views."""
    created = create(server)
    views = []
    for seat in (0, 1):
        visitor = Visitor(browser, door.home)
        visitor.go()
        page = opened(visitor, sit(visitor, created, seat))
        expect(page.locator("#seats")).to_contain_text("(you)")
        views.append(page.locator("#moves").inner_text())
    assert views[0] != views[1], "one of them is to move"


@pytest.fixture
def narrow(tmp_path: Path) -> Iterator[Stubs]:
    """A server with room for one stream."""
    with running(tmp_path / "lair.db", max_streams=1) as stubs:
        yield stubs


def test_a_tab_that_nobody_sees_rests(browser: Browser, narrow: Stubs) -> None:
    """Its stream is somebody else's then. Whoever looks at it again sees what has happened."""
    door = Door(narrow.address)
    created = create(narrow, **endless(4))
    with door.open():
        visitor, other = (Visitor(browser, door.home) for _ in range(2))
        for each in (visitor, other):
            each.context.add_init_script(HIDDEN)
            each.go()
        first = opened(visitor, sit(visitor, created))
        expect(first.locator("#seats")).to_contain_text("(you)")
        second = opened(other, sit(other, created, 1))
        expect(second.get_by_text("One moment")).to_be_visible()
        first.evaluate(HIDE, True)
        expect(second.locator("#seats")).to_contain_text("(you)")
        submit(narrow, created, 0)
        expect(second.locator("#revision")).to_have_text("1")
        expect(first.locator("#revision")).to_have_text("0")
        second.evaluate(HIDE, True)
        first.evaluate(HIDE, False)
        expect(first.locator("#revision")).to_have_text("1")
        # A tab that is closed rests, too.
        first.close()
        second.evaluate(HIDE, False)
        expect(second.locator("#revision")).to_have_text("1")
        submit(narrow, created, 1)
        expect(second.locator("#revision")).to_have_text("2")


def test_every_call_has_a_deadline(visitor: Visitor, server: Stubs) -> None:
    """And a stream has none."""
    sent: list[tuple[str, Any]] = []
    visitor.context.on("request", lambda request: sent.append((request.url, request.headers.get("grpc-timeout"))))
    page = opened(visitor, sit(visitor, create(server)))
    page.locator(".move:enabled").first.click()
    expect(page.locator("#revision")).to_have_text("1")
    visitor.go()
    expect(visitor.page.locator("#lobbies li, #lobbies p")).not_to_have_count(0)
    calls = {url.rpartition("/")[2]: timeout for url, timeout in sent if "/monsters." in url}
    assert {"SubmitMove", "ListEvents", "ListGames", "ListSessions", "DescribeGame"} <= set(calls)
    assert {name for name, timeout in calls.items() if not timeout} <= {"WatchSession"}
    assert calls.get("WatchSession") is None


def test_an_edge_that_says_nothing_is_not_waited_for(browser: Browser, server: Stubs) -> None:
    """It takes connections, and then nothing comes. The page says so in the end, and goes on when it is back."""
    door = Door(server.address)
    with door.open():
        (envoy,) = [each for each in psutil.Process().children(recursive=True) if listens(each, door.address)]
        visitor = Visitor(browser, door.home)
        visitor.page.clock.install()
        visitor.go()
        lobbies = visitor.page.locator("#lobbies")
        expect(lobbies.locator("p, li")).not_to_have_count(0)
        envoy.suspend()
        try:
            lobbies.get_by_role("button", name="Look again").click()
            for _ in range(20):
                visitor.page.clock.fast_forward(16_000)
                if lobbies.get_by_role("alert").count():
                    break
                visitor.page.wait_for_timeout(100)
            expect(lobbies.get_by_role("alert")).to_contain_text("The server can't be reached")
        finally:
            envoy.resume()
        visitor.page.clock.resume()
        lobbies.get_by_role("button", name="Look again").click()
        expect(lobbies.get_by_role("alert")).to_have_count(0)


def listens(process: psutil.Process, address: str) -> bool:
    """Whether a process has this address."""
    port = int(address.rpartition(":")[2])
    try:
        connections = process.net_connections()
    except psutil.NoSuchProcess:  # it has ended since it was listed
        return False
    return any(each.laddr.port == port and each.status == psutil.CONN_LISTEN for each in connections)


def test_a_browser_without_shared_workers_goes_on_alone(browser: Browser, door: Door, server: Stubs) -> None:
    visitor = Visitor(browser, door.home, workers=False)
    visitor.go()
    created = create(server)
    page = opened(visitor, sit(visitor, created))
    expect(page.locator("#seats")).to_contain_text("(you)")
    token = created.seat_tokens[created.session.standing.may_act[0]]
    request = wire.SubmitMoveRequest(name=created.session.name, text="harvest")
    server.sessions.SubmitMove(request, metadata=bearer(token))
    expect(page.locator("#revision")).to_have_text("1")
    assert "WatchSession" in {call.method for call in visitor.calls.values()}
