"""How the page opens games: for those who have the link, and for everybody to find in a list."""

import pytest
from playwright.sync_api import Browser, expect

from tests.support.browsers import Visitor, needs_browser
from tests.support.edge import needs_envoy
from tests.support.page import Door, open_game, sit_down
from tests.support.servers import Stubs
from tests.support.sessions import open_lobby

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600), needs_browser, needs_envoy]
PAGE = 20
"""How many the server lists at once."""


def test_a_game_that_waits_is_found_in_the_list_and_joined_there(browser: Browser, door: Door, server: Stubs) -> None:
    hidden, ann, ben = (Visitor(browser, door.home) for _ in range(3))
    open_game(hidden, "cabbages", 2, {}, host="Hidden Hal")
    open_game(ann, "cabbages", 2, {}, turn=600, listed=True, host="Listed Lea")
    ben.go()
    lobbies = ben.page.locator("#lobbies")
    found = lobbies.get_by_role("listitem").filter(has_text="Listed Lea")
    expect(found).to_contain_text("1 of 2 seats free, 600 seconds for each turn")
    expect(lobbies).not_to_contain_text("Hidden Hal")
    lobbies.get_by_label("Which game").select_option("sprinkleton")
    expect(found).to_have_count(0)
    lobbies.get_by_label("Which game").select_option("cabbages")
    found.get_by_role("link").click()
    sit_down(ben, "Ben")
    expect(ann.page.locator("#seats")).to_contain_text("Ben")
    for visitor in (ann, ben):
        expect(visitor.page.locator("#view")).to_be_visible()
    seat = ben.page.url
    ben.page.goto(seat.replace("#session", "#listed"))
    expect(ben.page).to_have_url(seat)
    open_lobby(server, listed=True, seats=3)
    ben.go()
    expect(lobbies.get_by_text("3 of 3 seats free")).not_to_have_count(0)
    expect(found).to_have_count(0)


def test_a_long_list_of_games_is_shown_page_by_page(browser: Browser, door: Door, server: Stubs) -> None:
    names = [open_lobby(server, listed=True).session.name for _ in range(PAGE + 1)]
    visitor = Visitor(browser, door.home)
    visitor.go()
    listed = visitor.page.locator("#lobbies").get_by_role("link")
    expect(listed).to_have_count(PAGE)
    visitor.page.get_by_role("button", name="Show more").click()
    expect(listed.nth(PAGE)).to_be_visible()
    shown = [link.get_attribute("href") for link in listed.all()]
    assert shown[: PAGE + 1] == [f"#listed={name.removeprefix('sessions/')}" for name in reversed(names)]
