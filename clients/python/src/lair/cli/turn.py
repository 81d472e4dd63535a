"""One seat at the screen: what it sees, and what it answers."""

from dataclasses import dataclass
from typing import Any

from rich.console import Group, RenderableType
from rich.text import Text

from lair import LegalMove, Snapshot
from lair.cli.choosing import Choosing, GiveWay
from lair.cli.clocks import time_left
from lair.cli.opening import Opened
from lair.cli.output import Output
from lair.cli.records import snapshot_record
from lair.cli.rendering import draw_view, remind
from lair.cli.screen import Screen


@dataclass(frozen=True, slots=True)
class Turn:
    """How things stand for the seat that is asked."""

    game: Opened
    index: int
    snapshot: Snapshot[Any]
    choosing: Choosing

    @property
    def prompt(self) -> str:
        """Whose answer is asked for, as the line begins."""
        return f"{self.game.sitting.who(self.index)}> "

    def show(self, output: Output) -> None:
        """Show the view, the legal moves with their numbers, and what else can be answered."""
        output.show(snapshot_record(self.game.facts.name, self.snapshot), self._drawn())

    def answer(self, *, fresh: bool = True, typed: str = "") -> LegalMove[Any] | str | GiveWay:
        """A legal move, a text that the server shall judge, or neither. Raises Left and Woken."""
        return self.choosing.choose(self.prompt, fresh=fresh, typed=typed)

    def _drawn(self) -> RenderableType:
        parts: list[RenderableType] = [self.choosing.drawn()]
        if left := time_left(self.snapshot):
            parts.append(Text(f"{left}.", style="dim"))
        if self.snapshot.view is not None and self.snapshot.standing is not None:
            parts.insert(0, draw_view(self.snapshot.view, self.snapshot.standing, self.game.sitting))
        return Group("", *parts)


def turn_of(
    game: Opened, index: int, snapshot: Snapshot[Any], screen: Screen, output: Output, others: tuple[int, ...] = ()
) -> Turn:
    """The turn of a seat on what it sees. The others are the seats here that may act before it."""
    reminder = "" if snapshot.view is None else remind(snapshot.view)
    return Turn(game, index, snapshot, Choosing(game, snapshot.moves, screen, output, others, reminder))
