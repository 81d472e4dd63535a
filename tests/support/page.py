"""Lair's page as people use it: open a game, follow its link, click on moves until it is over."""

import random
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import Browser, expect

from tests.support.browsers import SITE, Visitor
from tests.support.edge import edge
from tests.support.processes import free_port

PATIENCE = 60.0
MOST_ROUNDS = 600
PAUSE = 50
"""Milliseconds until somebody looks again whether there is something to click on."""
expect.set_options(timeout=PATIENCE * 1000)


class Door:
    """An edge with the page, that can be stopped and started at the same address."""

    def __init__(self, server: str, **more: Any) -> None:
        self._server = server
        self._more = more
        self.address = f"127.0.0.1:{free_port()}"
        self.home = f"http://{self.address}"

    @contextmanager
    def open(self) -> Iterator[None]:
        """Let people in, for as long as the context lasts."""
        with edge(self._server, listen=self.address, site=SITE, **self._more):
            yield


def open_game(
    visitor: Visitor,
    game: str,
    seats: int,
    options: Mapping[str, str],
    *,
    turn: int | None = None,
    listed: bool = False,
    host: str = "Player 0",
) -> str:
    """Open a game by its form, with its options, and give the link that the others get."""
    open_table(visitor, game, seats, options, turn=turn, listed=listed, host=host)
    return visitor.page.locator("#link").input_value()


def open_table(
    visitor: Visitor,
    game: str,
    seats: int,
    options: Mapping[str, str],
    *,
    turn: int | None = None,
    listed: bool = False,
    host: str = "Player 0",
    bots: Collection[int] = (),
) -> None:
    """Open a game by its form, with bots at some seats: where no other person is needed, it begins at once."""
    visitor.go()
    form = visitor.page.locator(f"#{game}")
    form.locator("summary").first.click()
    form.get_by_label("Your name").fill(host)
    form.get_by_label("Players").fill(str(seats))
    for seat in bots:
        form.get_by_label(f"Seat {seat}").select_option("a bot")
    form.get_by_label("Listed").set_checked(listed)
    if turn is not None:
        form.get_by_label("Seconds for each turn").fill(str(turn))
    form.get_by_text("Options").click()
    for option, value in options.items():
        form.locator(f"#{game}-{option}").fill(value)
    form.get_by_role("button", name="Open").click()
    expect(visitor.page.locator("#seats")).to_be_visible()


def follow_link(visitor: Visitor, link: str, name: str) -> None:
    """Come in by a link, and sit down."""
    visitor.page.goto(link)
    sit_down(visitor, name)


def sit_down(visitor: Visitor, name: str) -> None:
    """Take the seat that one is invited to."""
    visitor.page.get_by_label("Your name").fill(name)
    visitor.page.get_by_role("button", name="Sit down").click()
    expect(visitor.page.locator("#seats")).to_contain_text(f"{name} (you)")


def give_up(visitor: Visitor) -> None:
    """Give the seat up, as one who is sure of it."""
    visitor.page.once("dialog", lambda dialog: dialog.accept())
    visitor.page.get_by_role("button", name="Give my seat up").click()
    expect(visitor.page.get_by_role("heading", name="Play a game")).to_be_visible()


def gather(browser: Browser, door: Door, game: str, seats: int, options: Mapping[str, str]) -> Sequence[Visitor]:
    """As many as a game needs, at its table."""
    visitors = [Visitor(browser, door.home) for _ in range(seats)]
    link = open_game(visitors[0], game, seats, options)
    for number, visitor in enumerate(visitors[1:], start=1):
        follow_link(visitor, link, f"Player {number}")
    for visitor in visitors:
        expect(visitor.page.locator("#view")).to_be_visible()
    return visitors


def click_something(visitor: Visitor, whim: random.Random) -> bool:
    """Click on one of the moves that are shown, each kind as likely as any other, and say whether there was one."""
    moves = visitor.moves
    if not moves:
        return False
    kind = whim.choice(sorted({text.split()[0] for text in moves}))
    text = whim.choice([text for text in moves if text.split()[0] == kind])
    button = visitor.page.locator(".move:enabled", has_text=re.compile(f"^{re.escape(text)}$"))
    # Found and clicked at once: a moment later, what another has done may have taken it away.
    button.evaluate_all("(buttons) => buttons[0]?.click()")
    return True


def write_move(visitor: Visitor, text: str) -> None:
    """Write a move instead, and send it."""
    visitor.page.get_by_label("A move in words").fill(text)
    visitor.page.get_by_role("button", name="Play it").click()


def is_over(visitor: Visitor) -> bool:
    """Whether the page says so."""
    return visitor.page.get_by_text("Check every die").count() == 1


def revision_of(visitor: Visitor) -> int:
    """The revision that is shown."""
    return int(visitor.text("#revision"))


def play_until(visitors: Sequence[Visitor], whim: random.Random, revision: int | None = None) -> None:
    """Click until the game is over, or has come to a revision."""
    for _ in range(MOST_ROUNDS):
        clicked = [click_something(visitor, whim) for visitor in visitors]
        if not any(clicked):
            visitors[0].page.wait_for_timeout(PAUSE)
        if is_over(visitors[0]) or (revision is not None and revision_of(visitors[0]) >= revision):
            return
    raise AssertionError("the game does not come to its end")


def play_alone(visitor: Visitor, whim: random.Random, revision: int | None = None) -> None:
    """Click whenever it is one's turn, until the game is over, or has come to a revision: bots play the other seats."""
    for _ in range(MOST_ROUNDS):
        expect(
            visitor.page.locator(".move:enabled").or_(visitor.page.get_by_text("Check every die")).first
        ).to_be_visible()
        if is_over(visitor) or (revision is not None and revision_of(visitor) >= revision):
            return
        click_something(visitor, whim)
    raise AssertionError("the game does not come to its end")
