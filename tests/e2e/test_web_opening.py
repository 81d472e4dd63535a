"""How the page opens games: for those who have the link, for everybody to find in a list, and with bots."""

import random
import re

import pytest
from playwright.sync_api import Browser, expect

from services.games import Entry
from tests.support.browsers import Visitor, needs_browser
from tests.support.edge import needs_envoy
from tests.support.games import every_game
from tests.support.page import Door, open_game, open_table, play_alone, sit_down
from tests.support.servers import Stubs
from tests.support.sessions import open_lobby

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600), needs_browser, needs_envoy]
PAGE = 20
"""How many the server lists at once."""
FEW = 2
HEBREW, EMOJI = "\u05d3\u05e0\u05d4", "\U0001f600"


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


def test_names_keep_to_themselves_and_are_counted_as_the_server_does(browser: Browser, door: Door) -> None:
    """A name that is written from right to left moves nothing else, and an emoji is one character of 64."""
    ann, ben = (Visitor(browser, door.home) for _ in range(2))
    link = open_game(ann, "cabbages", 2, {"first_seat": "0"}, host=HEBREW)
    ben.page.goto(link)
    field = ben.page.get_by_label("Your name")
    field.fill(EMOJI * 65)
    ben.page.get_by_role("button", name="Sit down").click()
    assert "at most 64 characters" in field.evaluate("field => field.validationMessage")
    field.fill(EMOJI * 64)
    ben.page.get_by_role("button", name="Sit down").click()
    for visitor in (ann, ben):
        expect(visitor.page.locator("#seats bdi")).to_have_text([HEBREW, EMOJI * 64])
    expect(ben.page.locator("#standing")).to_have_text(f"Waiting for {HEBREW}.")
    expect(ben.page.locator("#standing bdi")).to_have_text(HEBREW)
    ann.page.locator("#moves button.move").first.click()
    expect(ben.page.locator("#history bdi").first).to_have_text(HEBREW)
    for visitor in (ann, ben):
        assert not set(visitor.text("body")) & set("\u2068\u2069"), "elements isolate, and nothing else is shown"


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


@every_game
def test_one_person_plays_every_game_with_bots(browser: Browser, door: Door, entry: Entry) -> None:
    """It begins at once, whoever begins, and nobody is asked to wait for others."""
    ann, seats = Visitor(browser, door.home), max(2, entry.game.seats[0])
    open_table(ann, entry.game.token, seats, {}, host="Ann", bots=range(1, seats))
    expect(ann.page.locator("#view")).to_be_visible()
    expect(ann.page.locator("#seats")).to_contain_text("Ann (you)")
    expect(ann.page.locator("#seats").get_by_text("(a program)")).to_have_count(seats - 1)
    play_alone(ann, random.Random(7), FEW)


def test_a_game_with_a_bot_is_played_to_its_end_and_played_again(browser: Browser, door: Door) -> None:
    """The person has the first seat that is a person's, and the bot stays for the rematch."""
    ann = Visitor(browser, door.home)
    open_table(ann, "cabbages", 2, {"max_turns": "4"}, host="Ann", bots=[0])
    play_alone(ann, random.Random(7))
    expect(ann.page.locator("#seats")).to_contain_text(re.compile(r"\(a program\).*Ann \(you\)"))
    over = ann.page.url
    ann.page.get_by_role("button", name="Play again").click()
    expect(ann.page).not_to_have_url(over)
    play_alone(ann, random.Random(8))
    ann.page.get_by_text("Check every die").click()
    expect(ann.page.locator("#verdict")).to_contain_text("Verified: 4 moves")
    expect(ann.page.locator(".recorded")).to_have_count(0)


def test_whoever_opens_a_game_of_bots_alone_looks_on(browser: Browser, door: Door) -> None:
    ann = Visitor(browser, door.home)
    open_table(ann, "cabbages", 2, {"max_turns": "2"}, bots=range(2))
    expect(ann.page.get_by_text("Check every die")).to_be_visible()
    expect(ann.page.locator("#seats")).not_to_contain_text("(you)")
    assert ann.keys == []
