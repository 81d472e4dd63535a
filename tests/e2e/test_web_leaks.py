"""A game of recognisable secrets on the page: no byte that a browser receives tells what its player may not know."""

import random
from pathlib import Path

import pytest
from monsters.session.v1 import session_pb2 as wire
from playwright.sync_api import expect

from services.games import Entry
from tests.support.browsers import Visitor, browsing, needs_browser
from tests.support.canary.codec import wire as canary
from tests.support.canary.game import CANARY
from tests.support.edge import needs_envoy
from tests.support.leaks.evening import CREATOR, GUEST, SEATS, Evening
from tests.support.leaks.game_mutants import a_view_is_another_seats
from tests.support.leaks.hearing import NOTHING, SERVICE, Ear, Table
from tests.support.leaks.overhearing import assert_everybody_heard, assert_no_card_is_heard, assert_no_secret_is_heard
from tests.support.leaks.secrets import Cards, secrets_of
from tests.support.page import Door, follow_link, is_over, play_until, write_move
from tests.support.servers import Stubs, running
from tests.support.sessions import new_id, pack

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600), needs_browser, needs_envoy]
TURNS = 6
GUESS = f"play {'5a' * 12}"


def evening_on_the_page(stubs: Stubs) -> Evening:
    """Three play, one of them reloads, all of them write nonsense, and somebody looks on."""
    table, whim, door = Table(stubs), random.Random(3), Door(stubs.address)
    request = wire.CreateSessionRequest(
        game=CANARY.game.token,
        seats=[wire.SeatRequest() for _ in range(SEATS)],
        options=pack(canary.Options(turns=TURNS)),
        request_id=new_id(),
    )
    created = table.call(CREATOR, "CreateSession", request)
    with browsing() as browser, door.open():
        players = [Visitor(browser, door.home, workers=False) for _ in range(SEATS)]
        for seat, player in enumerate(players):
            follow_link(player, f"{door.home}/#join={created.join_code}", f"Player {seat}")
        guest = Visitor(browser, door.home, workers=False)
        guest.go(f"#session={created.session.name.removeprefix('sessions/')}")
        expect(guest.page.locator("#view")).to_be_visible()
        for player in players:
            write_move(player, GUESS)
            expect(player.page.get_by_role("alert")).to_be_visible()
            player.page.get_by_label("A move in words").fill("")
        play_until(players, whim, TURNS // 2)
        players[0].page.reload()
        play_until(players, whim)
        for visitor in (*players, guest):
            expect(visitor.page.get_by_text("Check every die")).to_be_visible()
            assert is_over(visitor)
    table.over = True
    revealed = table.call(GUEST, "RevealSession", wire.RevealSessionRequest(name=created.session.name, page_size=1000))
    ears = {GUEST: guest} | {Ear(f"seat {seat}", seat): player for seat, player in enumerate(players)}
    for ear, visitor in ears.items():
        hear(table, ear, visitor)
    joined = {ear: answer_of(visitor) for ear, visitor in ears.items() if ear != GUEST}
    request_ids = {ear.name: request_of(ears[ear]).request_id for ear in joined} | {CREATOR.name: request.request_id}
    secrets = secrets_of(CREATOR, created, joined, request_ids, revealed)
    return Evening(table, Cards(revealed.steps), secrets, list(ears))


def hear(table: Table, ear: Ear, visitor: Visitor) -> None:
    """Hear what a browser has received, as the kit hears what comes by gRPC."""
    for call in visitor.calls.values():
        table._hear(ear, call.method, NOTHING, call.rest())
        for message in call.messages():
            if call.method in SERVICE.methods_by_name:
                table._hear_parts(ear, call.method, message)
            else:
                table._hear(ear, call.method, NOTHING, message)


def answer_of(visitor: Visitor) -> wire.JoinSessionResponse:
    """What somebody was given who sat down."""
    (call,) = (call for call in visitor.calls.values() if call.method == "JoinSession")
    return wire.JoinSessionResponse.FromString(call.messages()[0])


def request_of(visitor: Visitor) -> wire.JoinSessionRequest:
    """What somebody asked for who sat down."""
    (call,) = (call for call in visitor.calls.values() if call.method == "JoinSession")
    return wire.JoinSessionRequest.FromString(call.messages("request")[0])


def overhear(entry: Entry, folder: Path) -> Evening:
    with running(folder / "lair.db", [entry]) as stubs:
        return evening_on_the_page(stubs)


def test_nothing_secret_comes_to_a_browser(tmp_path: Path) -> None:
    evening = overhear(CANARY, tmp_path)
    assert_no_card_is_heard(evening)
    assert_no_secret_is_heard(evening)
    assert_everybody_heard(evening, set())


def test_a_deliberate_leak_is_found_in_what_comes_to_a_browser(tmp_path: Path) -> None:
    with a_view_is_another_seats(CANARY) as leaky, pytest.raises(AssertionError, match=r" heard .+ in [A-Z]"):
        assert_no_card_is_heard(overhear(leaky, tmp_path))
