"""The page in real browsers, through a real edge: every game, to its end, and checked."""

import json
import random
from pathlib import Path

import pytest
from monsters.session.v1 import session_pb2 as wire
from msgspec.structs import replace
from playwright.sync_api import Browser, expect

from services.games import Entry, find_games
from tests.support.browsers import Visitor, needs_browser
from tests.support.edge import needs_envoy
from tests.support.games import every_game
from tests.support.page import Door, follow_link, gather, give_up, open_game, play_until, revision_of, write_move
from tests.support.servers import Stubs, bearer, running
from tests.support.sessions import create, endless, feed_on

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600), needs_browser, needs_envoy]
FEW = 4
"""Revisions after which somebody reloads, and the edge goes away for a moment."""
TURNS = 6
OPTIONS = {"cabbages": {"max_turns": "6"}, "heads": {"stall_limit": "3"}, "sprinkleton": {"max_rounds": "2"}}
"""So that games of clicks at random are short."""


@every_game
def test_a_game_is_played_to_its_end_and_checked(server: Stubs, browser: Browser, entry: Entry) -> None:
    """One reloads in the middle, the edge is away for a moment, and somebody looks on from the middle on."""
    whim, door, game = random.Random(7), Door(server.address), entry.game
    with door.open():
        visitors = gather(browser, door, game.token, max(2, game.seats[0]), OPTIONS.get(game.token, {}))
        name = f"sessions/{visitors[0].page.url.rpartition('=')[2]}"
        play_until(visitors, whim, FEW)
        visitors[0].page.reload()
        expect(visitors[0].page.locator("#seats")).to_contain_text("Player 0 (you)")
    for visitor in visitors:
        expect(visitor.page.get_by_text("The connection is lost")).to_be_visible()
    with door.open():
        for visitor in visitors:
            expect(visitor.page.get_by_text("Connected")).to_be_visible()
        watcher = Visitor(browser, door.home)
        watcher.page.goto(visitors[0].page.url)
        everybody = [*visitors, watcher]
        play_until(visitors, whim)
        for visitor in everybody:
            expect(visitor.page.get_by_text("Check every die")).to_be_visible()
        session = server.sessions.GetSession(wire.GetSessionRequest(name=name)).session
        assert {revision_of(visitor) for visitor in everybody} == {session.revision}
        (told,) = {visitor.text("#standing") for visitor in everybody}
        winners = " and ".join(f"Player {seat}" for seat in session.standing.outcome.winners)
        assert told.startswith(f"Won by {winners}." if winners else "Nobody has won.")
        for visitor in everybody:
            visitor.page.get_by_text("Check every die").click()
            expect(visitor.page.locator("#verdict")).to_contain_text(f"Verified: {session.revision} moves")
            expect(visitor.page.locator(".recorded")).to_have_count(0)
    assert [failure for visitor in everybody for failure in visitor.failures] == []


def test_a_move_that_is_refused_says_why_and_names_its_rule(browser: Browser, door: Door) -> None:
    ann, _ = gather(browser, door, "cabbages", 2, {"first_seat": "1"})
    write_move(ann, "harvest")
    problem = ann.page.get_by_role("alert")
    expect(problem).to_contain_text("NOT_YOUR_TURN")
    expect(problem).to_contain_text("C-R4 ")
    write_move(ann, "plough")
    expect(problem).to_contain_text("MALFORMED_REQUEST")


def test_no_address_has_a_token_in_it(browser: Browser, door: Door) -> None:
    """What is shared by its address is the code, after the #: servers and logs don't even see that."""
    visitors = [Visitor(browser, door.home) for _ in range(2)]
    link = open_game(visitors[0], "cabbages", 2, {})
    follow_link(visitors[1], link, "Ben")
    keys = [key for visitor in visitors for key in visitor.keys]
    assert len(keys) == 2
    for visitor in visitors:
        seen = [*visitor.urls, visitor.page.url, link]
        secrets = [key[secret] for key in keys for secret in ("token", "hostToken") if secret in key]
        assert len(secrets) == len(keys) + 1
        assert not [url for url in seen for secret in secrets if secret in url]
        assert not [url for url in visitor.urls for key in keys if key["joinCode"] in url.partition("#")[0]]


def test_who_follows_the_link_again_comes_back_to_the_own_seat(browser: Browser, door: Door) -> None:
    visitors = [Visitor(browser, door.home) for _ in range(2)]
    link = open_game(visitors[0], "cabbages", 3, {})
    follow_link(visitors[1], link, "Ben")
    visitors[1].go()
    visitors[1].page.goto(link)
    expect(visitors[1].page.locator("#seats")).to_contain_text("Ben (you)")
    expect(visitors[0].page.locator("#seats")).to_contain_text("free")


def test_the_rules_begin_with_the_aim_and_say_what_is_lairs_own(browser: Browser, door: Door) -> None:
    ann = Visitor(browser, door.home)
    open_game(ann, "cabbages", 2, {})
    rules = ann.page.locator("#rules")
    rules.locator("summary", has_text="The rules").click()
    expect(rules.locator("> p").first).to_contain_text("Feed the monster just enough.")
    expect(rules.locator("h3")).to_have_text(["Set-up", "A turn", "The end", "Time"])
    expect(rules.locator("div", has_text="C-L1")).to_contain_text("(Lair's own)")
    expect(rules.locator("div", has=ann.page.get_by_text("C-R8", exact=True))).not_to_contain_text("(")
    rules.locator("summary", has_text="How to play").click()
    expect(rules.get_by_text("Harvest: roll two dice and take as many Cabbages as they show. Feed:")).to_be_visible()


def test_an_address_that_changes_before_the_page_is_painted_is_followed(browser: Browser, door: Door) -> None:
    stray = Visitor(browser, door.home)
    stray.page.add_init_script("addEventListener('DOMContentLoaded', () => { location.hash = 'join=code' })")
    stray.go()
    expect(stray.page.get_by_role("heading", name="You are asked to play")).to_be_visible()


def test_whoever_sat_at_a_game_that_is_over_plays_again(browser: Browser, door: Door) -> None:
    """The host opens the rematch, of which the others hear by themselves; a second click leads to the same table."""
    ann, ben = gather(browser, door, "cabbages", 2, {"max_turns": "2"})
    over = ann.page.url
    play_until([ann, ben], random.Random(7))
    expect(ben.page.get_by_role("button", name="Play again")).to_be_disabled()
    ann.page.get_by_role("button", name="Play again").click()
    expect(ann.page.get_by_text("1 more player is needed")).to_be_visible()
    ben.page.get_by_role("button", name="Take your seat again").click()
    for visitor, name in ((ann, "Player 0"), (ben, "Player 1")):
        expect(visitor.page.locator("#view")).to_be_visible()
        expect(visitor.page.locator("#seats")).to_contain_text(f"{name} (you)")
    rematch = ann.page.url
    assert ben.page.url == rematch != over
    ann.page.goto(over)
    ann.page.get_by_role("button", name="Take your seat again").click()
    expect(ann.page).to_have_url(rematch)
    play_until([ann, ben], random.Random(8))
    ben.page.get_by_text("Check every die").click()
    expect(ben.page.locator("#verdict")).to_contain_text("Verified: 2 moves")


def test_what_is_public_is_seen_as_it_happens(browser: Browser, door: Door, server: Stubs) -> None:
    """Who joins, who leaves, and that a game is ended: the stream tells it, and nobody asks."""
    ann, ben, cid = (Visitor(browser, door.home) for _ in range(3))
    seats = ann.page.locator("#seats")
    link = open_game(ann, "cabbages", 3, {}, host="Ann")
    follow_link(ben, link, "Ben")
    expect(seats).to_contain_text("Ben")
    give_up(ben)
    expect(seats).not_to_contain_text("Ben")
    for visitor, name in ((ben, "Ben again"), (cid, "Cid")):
        follow_link(visitor, link, name)
    expect(seats).to_contain_text("Cid")
    give_up(cid)
    expect(seats).to_contain_text("Cid (has left; a stand-in plays)")
    (key,) = ann.keys
    server.sessions.AbortSession(wire.AbortSessionRequest(name=key["name"]), metadata=bearer(key["hostToken"]))
    for visitor in (ann, ben):
        expect(visitor.page.locator("#standing")).to_have_text("The game was ended without a result.")
    assert "GetSession" not in {call.method for visitor in (ann, ben, cid) for call in visitor.calls.values()}


def test_a_link_that_leads_nowhere_says_so(browser: Browser, door: Door) -> None:
    stray = Visitor(browser, door.home)
    stray.go("#session=nowhere")
    expect(stray.page.get_by_role("alert")).to_contain_text("SESSION_NOT_FOUND")


def test_a_game_that_is_gone_can_be_forgotten(browser: Browser, door: Door) -> None:
    visitor = Visitor(browser, door.home)
    visitor.go()
    key = json.dumps({"name": "sessions/gone", "game": "cabbages", "seat": 0, "token": "x", "joinCode": "y"})
    visitor.page.evaluate("(key) => localStorage.setItem('lair/sessions/gone', key)", key)
    visitor.page.reload()
    visitor.page.get_by_role("link", name="sessions/gone").click()
    visitor.page.get_by_role("button", name="Forget this game").click()
    expect(visitor.page.get_by_role("heading", name="Play a game")).to_be_visible()
    assert visitor.keys == []


def test_a_clock_counts_down_and_its_end_is_told(browser: Browser, door: Door) -> None:
    visitors = [Visitor(browser, door.home) for _ in range(2)]
    link = open_game(visitors[0], "cabbages", 2, {}, turn=3)
    follow_link(visitors[1], link, "Ben")
    expect(visitors[1].page.get_by_role("timer")).to_contain_text("0:0")
    expect(visitors[1].page.locator("#history")).to_contain_text("is out of time")


def test_moves_under_rules_that_are_gone_are_told_to_be_as_recorded(browser: Browser, tmp_path: Path) -> None:
    entry = find_games()["cabbages"]
    older = replace(entry, game=replace(entry.game, version="older"))
    with running(tmp_path / "lair.db", [older]) as server:
        feed_on(server, created := create(server, **endless(TURNS)))
    with running(tmp_path / "lair.db", [entry]) as server:
        door = Door(server.address)
        with door.open():
            visitor = Visitor(browser, door.home)
            visitor.go(f"#verify={created.session.name.removeprefix('sessions/')}")
            expect(visitor.page.locator("#verdict")).to_contain_text(f"Verified: {TURNS} moves")
            recorded = f"By their record: the start to move {TURNS}, under rules version older"
            expect(visitor.page.locator(".recorded")).to_contain_text(recorded)
