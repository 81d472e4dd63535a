"""One seat at the screen: what it sees, and what it answers."""

from dataclasses import dataclass
from typing import Any

from rich.columns import Columns
from rich.console import Group, RenderableType
from rich.text import Text

from lair import LegalMove, Snapshot
from lair.cli.clocks import time_left
from lair.cli.describing import describe_game, rules_list
from lair.cli.failures import Failure
from lair.cli.opening import Opened
from lair.cli.output import Output
from lair.cli.records import snapshot_record
from lair.cli.rendering import draw_view
from lair.cli.reporting import report
from lair.cli.screen import Left, Screen
from lair.cli.sitting import Sitting

LEAVE = "q"
RULES = "?"
HELP = f"A number or a text plays. {RULES} shows the rules, {LEAVE} leaves."


@dataclass(frozen=True, slots=True)
class GiveWay:
    """Nothing is played yet: look again, or let this seat act first."""

    to: int | None = None


@dataclass(frozen=True, slots=True)
class Turn:
    """How things stand for the seat that is asked."""

    game: Opened
    index: int
    snapshot: Snapshot[Any]
    others: tuple[int, ...]
    """The other seats here that may act now."""

    def show(self, output: Output) -> None:
        """Show the view, the legal moves with their numbers, and what else can be answered."""
        output.show(snapshot_record(self.game.facts.name, self.snapshot), self._drawn())

    def answer(self, screen: Screen, output: Output) -> LegalMove[Any] | str | GiveWay:
        """A legal move, a text that the server shall judge, or neither. Raises Left."""
        moves = self.snapshot.moves
        while True:
            text = screen.ask(f"{self.game.sitting.who(self.index)}> ")
            if text == LEAVE:
                raise Left
            if text == RULES:
                output.say(rules_list(describe_game(self.game.client, self.game.facts.game)))
            elif text.isdecimal() and not 1 <= int(text) <= len(moves):
                report(Failure(f"There is no move {text}: the numbers go to {len(moves)}."), output)
            else:
                return find_move(text, moves, self.game.sitting) or self._somebody(text) or text or GiveWay()

    def _somebody(self, text: str) -> GiveWay | None:
        called = [seat for seat in self.others if self.game.sitting.who(seat).casefold() == text.casefold()]
        return GiveWay(called[0]) if called else None

    def _drawn(self) -> RenderableType:
        sitting = self.game.sitting
        hint = f"{HELP} A name hands over to {sitting.everyone(self.others)}." if self.others else HELP
        texts = [sitting.told(move.text) for move in self.snapshot.moves]
        moves = [Text(f"{number:>3}  {text}") for number, text in enumerate(texts, start=1)]
        parts: list[RenderableType] = [Columns(moves, column_first=True, padding=(0, 3)), Text(hint, style="dim")]
        if left := time_left(self.snapshot):
            parts.append(Text(f"{left}.", style="dim"))
        if self.snapshot.view is not None and self.snapshot.standing is not None:
            parts.insert(0, draw_view(self.snapshot.view, self.snapshot.standing, sitting))
        return Group("", *parts)


def find_move(text: str, moves: tuple[LegalMove[Any], ...], sitting: Sitting) -> LegalMove[Any] | None:
    """The legal move of a number from 1, or of a text as it is shown or without names, whatever its case and blanks.

    What two moves are shown as, since two players have one name, is neither of them.
    """
    if text.isdecimal():
        return moves[int(text) - 1]
    wanted = text.casefold().split()
    shown = [move for move in moves if sitting.told(move.text).casefold().split() == wanted]
    written = [move for move in moves if move.text.casefold().split() == wanted]
    return next(iter(shown if len(shown) == 1 else written), None)
