"""A prompt for one seat's move: what is offered there, and what the answers mean."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from rich.console import Group, RenderableType
from rich.text import Text

from lair import InvalidRequest, LegalMove
from lair.cli.answers import BACK, HELP, LEAVE, RULES, YES, Moves, alike, listed, written
from lair.cli.describing import describe_game, show_how_to_play, show_rules
from lair.cli.failures import Failure
from lair.cli.menus import MOST_LISTED, Menu
from lair.cli.opening import Opened
from lair.cli.output import Output
from lair.cli.rendering import has_own_numbers
from lair.cli.reporting import report
from lair.cli.screen import Left, Screen
from lair.cli.sitting import Sitting

HINT = "help explains, rules shows the rules, q leaves."
HOW = """\
A move can be typed as its {number}as its text, or as the beginning of its text where no other begins so; upper and
lower case are the same. A line with dots behind it opens more of its kind, and an empty line goes back.
{others}help or ? shows this, rules shows every rule, q or exit leaves, and the game is kept."""

MOST_SHOWN = 40
"""Characters of what was typed."""


@dataclass(frozen=True, slots=True)
class GiveWay:
    """Nothing is played yet: look again, or let this seat act first."""

    to: int | None = None


class Choosing:
    """What one seat is offered, until it has answered."""

    def __init__(
        self, game: Opened, moves: Moves, screen: Screen, output: Output, others: Sequence[int] = (), reminder: str = ""
    ) -> None:
        """For a seat with these legal moves; others here may act first, and are called by name.

        The reminder is what the seat has to see wherever it looks, such as its own cards.
        """
        self._game, self._screen, self._output = game, screen, output
        self._others = others
        self._reminder = reminder
        self._menus = [Menu(moves, game.sitting, own_numbers=has_own_numbers(game.facts.game))]
        self._nearly: LegalMove[Any] | None = None
        """What was asked: did you mean this?"""

    @property
    def moves(self) -> Moves:
        """All that is offered, also behind doors."""
        return self._menus[0].moves

    def drawn(self) -> RenderableType:
        """What is offered, and what else can be answered."""
        menu = self._menus[-1]
        hints = [f"{self._how_numbered()}plays. {HINT}"]
        if len(self._menus) > 1:
            hints = ["An empty line goes back."]
        elif self._others:
            hints.append(f"A name hands over to {self._game.sitting.everyone(self._others)}.")
        return Group(menu.drawn(), Text(" ".join(hints), style="dim"))

    def choose(self, prompt: str, *, fresh: bool = False, typed: str = "") -> LegalMove[Any] | str | GiveWay:
        """A legal move, a text that the server shall judge, or neither. Raises Left and Woken."""
        while True:
            text = self._screen.ask(prompt, fresh=fresh, typed=typed, offers=self._menus[-1].names())
            fresh, typed = False, ""
            answer = self._take(text)
            if answer is not None:
                return answer

    def refused(self, answer: LegalMove[Any] | str, refusal: InvalidRequest) -> None:
        """Say that what was typed is no move of the game, and ask for what is nearly called so.

        In the server's words it would name every move that there is, also those that are no player's.
        """
        if not isinstance(answer, str):
            report(refusal, self._output, self._game.sitting.names)
            return
        near = alike(answer, self.moves, self._game.sitting)
        if len(near) == 1:
            self._nearly = near[0]
            self._output.say(f'Did you mean "{listed(near, self._game.sitting)}"? y plays it.')
        else:
            report(Failure(no_such_move(answer, self.moves, self._game.sitting)), self._output)

    def _take(self, text: str) -> LegalMove[Any] | str | GiveWay | None:
        word = text.casefold()
        nearly, self._nearly = self._nearly, None
        if word in LEAVE:
            raise Left
        if nearly is not None and word in YES:
            return nearly
        if word in HELP:
            self._help()
        elif word in RULES:
            show_rules(describe_game(self._game.client, self._game.facts.game), self._output)
        elif len(self._menus) > 1 and (not word or word in BACK):
            del self._menus[1:]
            self._output.say(self.drawn())
        else:
            return self._somebody(text) or self._offered(text)
        return None

    def _offered(self, text: str) -> LegalMove[Any] | str | GiveWay | None:
        menu = self._menus[-1]
        if not text:
            return GiveWay()
        found = menu.find(text)
        if len(found) == 1:
            if not isinstance(found[0], Menu):
                return found[0]
            self._menus.append(found[0])
            self._output.say(self._reminder, self.drawn())
        elif found:
            several = [offer for offer in found if not isinstance(offer, Menu)]
            report(Failure(f'"{text}" can be {listed(several, self._game.sitting)}: type more of it.'), self._output)
        elif text.isdecimal():
            report(Failure(self._no_number(menu, text)), self._output)
        else:
            return written(text, self._game.sitting)
        return None

    def _no_number(self, menu: Menu, text: str) -> str:
        if menu.numbered:
            return f"There is no move {text}: the numbers go to {len(menu.offers())}."
        return f"There is no move with {text} now."

    def _somebody(self, text: str) -> GiveWay | None:
        called = [seat for seat in self._others if self._game.sitting.who(seat).casefold() == text.casefold()]
        return GiveWay(called[0]) if called else None

    def _how_numbered(self) -> str:
        return "A number or a text " if self._menus[-1].numbered else "A move, or its end, "

    def _help(self) -> None:
        number = "number, " if self._menus[-1].numbered else "own number, "
        everyone = self._game.sitting.everyone(self._others)
        others = f"A name hands over to {everyone}. " if self._others else ""
        show_how_to_play(describe_game(self._game.client, self._game.facts.game), self._output)
        self._output.say("", " ".join(HOW.format(number=number, others=others).split()))


def no_such_move(text: str, moves: Moves, sitting: Sitting) -> str:
    """What to say of a text that is no move of the game: what is called alike, or what there is."""
    near = alike(text, moves, sitting)
    if near:
        there = f"Did you mean {listed(near, sitting)}?"
    elif len(moves) > MOST_LISTED:
        there = "help explains what can be typed."
    else:
        there = f"There is {listed(moves, sitting)}."
    return f'No move is called "{sitting.told(text)[:MOST_SHOWN]}". {there}'
