"""A game in which everybody plays at once, at one terminal: each has a key, and the first line that is typed counts.

The screen shows what a spectator may see, and tells what a spectator is told. What one player alone may know, such as
the cards of everybody's own pile, is not shown here to anybody.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from rich.columns import Columns
from rich.console import Group, RenderableType
from rich.text import Text

from lair import IllegalMove, InvalidRequest, LegalMove, Snapshot, State, Update
from lair.cli.answers import HELP, LEAVE, RULES, listed, meant, own_number, written
from lair.cli.changes import show_changes
from lair.cli.choosing import HINT, no_such_move
from lair.cli.clocks import time_left
from lair.cli.describing import describe_game, show_how_to_play, show_rules
from lair.cli.failures import Failure
from lair.cli.opening import Opened
from lair.cli.output import Output
from lair.cli.records import snapshot_record, update_record
from lair.cli.rendering import draw_view, plays_together, tell_event
from lair.cli.reporting import report
from lair.cli.screen import Left, Screen
from lair.cli.sitting import Sitting
from lair.cli.watching import ENDED_WITHOUT_RESULT

KEYS = "abcdefghijklmnop"
"""For so many seats. The next letter leaves."""
LINE = re.compile(r"(?P<key>[a-z])(?: +|(?=[0-9]))(?P<text>.+)", re.IGNORECASE)
"""A key and a move. A number can follow at once: "a17"."""
BEFORE_THE_START = -1


class Race:
    """The game on the seats that are held here; other seats may be played elsewhere at the same time."""

    def __init__(self, game: Opened, output: Output) -> None:
        """Go on where the game stands."""
        self._game = game
        self._output = output
        self._screen = Screen(output)
        self._seats = {index: game.take(index) for index in game.held}
        self._keys = dict(zip(KEYS, self._seats, strict=False))
        self._told = game.facts.revision - 1
        """The last revision that the table was told of."""
        self._stage: int | None = None
        """The turn or round that a line was asked for last."""
        self._shown: tuple[LegalMove[Any], ...] = ()
        """What could be done when the table was drawn last."""

    def play_to_the_end(self) -> Opened:
        """Take line after line until the game is over. Gives it with the names of all who have come meanwhile.

        Raises Left, and LairError when the session can't go on.
        """
        while True:
            now = self._game.session.snapshot()
            if now.state is State.ABORTED:
                raise Failure(ENDED_WITHOUT_RESULT)
            if now.standing is None:
                self._wait(now, "players to join")
                continue
            self._catch_up(now.revision)
            if now.standing.over:
                return self._game
            able = [seat for seat in now.standing.awaited if seat in self._seats]
            if able:
                self._take_line(now, able)
            else:
                self._wait(now, self._game.sitting.everyone(now.standing.awaited))

    def _wait(self, now: Snapshot[Any], whom: str) -> None:
        """Wait for what is done elsewhere."""
        left = time_left(now)
        self._output.say(f"Waiting for {whom}{left and f', {left}'}.")
        for news in self._game.session.watch(BEFORE_THE_START if now.standing is None else now.revision):
            self._look_around()
            if isinstance(news, Update):
                return

    def _look_around(self) -> None:
        """Tell the table who has come and gone, as far as a stream has told it."""
        self._game = show_changes(self._game, self._game.session.known_facts, self._output)

    def _catch_up(self, revision: int) -> None:
        """Tell the table what has happened up to this revision."""
        if self._told >= revision:
            return
        for update in self._game.session.watch(self._told):
            self._look_around()
            if isinstance(update, Update):
                self._told = update.revision
                told = [tell_event(event, self._game.sitting) for event in update.events]
                self._output.show(update_record(self._game.facts.name, update), *told)
            if self._told >= revision:
                return

    def _take_line(self, now: Snapshot[Any], able: Sequence[int]) -> None:
        """Play one line. The table is drawn anew when it offers something new; until then what is told is enough."""
        moves = distinct([move for seat in able for move in self._seats[seat].snapshot().moves])
        if not moves:  # the game has gone on meanwhile, by a time-out or elsewhere
            return
        if not {move.text for move in moves} <= {move.text for move in self._shown}:
            self._shown = moves
            self._output.show(snapshot_record(self._game.facts.name, replace(now, moves=moves)), self._drawn(now))
        text = self._ask(now)
        if text.casefold() in LEAVE:
            raise Left
        if text.casefold() in HELP:
            show_how_to_play(describe_game(self._game.client, self._game.facts.game), self._output)
            self._output.say("", self._hint())
        elif text.casefold() in RULES:
            show_rules(describe_game(self._game.client, self._game.facts.game), self._output)
        elif self._gone_by(now):
            self._output.say("That came too late: the table has changed meanwhile.")
        else:
            self._play(text, able)

    def _ask(self, now: Snapshot[Any]) -> str:
        """A line. What was typed for another turn or round is discarded; within one, every line counts."""
        stage = None if now.standing is None else now.standing.stage
        fresh, self._stage = stage != self._stage, stage
        return self._screen.ask("> ", fresh=fresh, offers=[self._game.sitting.told(move.text) for move in self._shown])

    def _play(self, line: str, able: Sequence[int]) -> None:
        try:
            seat, text = read_line(line, self._keys, able)
            self._seats[seat].play(find_move(text, self._shown, self._game.sitting))
        except InvalidRequest:  # in the server's words it would name every move, also those that are no player's
            report(Failure(no_such_move(line, self._shown, self._game.sitting)), self._output)
        except (Failure, IllegalMove) as refusal:
            report(refusal, self._output, self._game.sitting.names)

    def _gone_by(self, shown: Snapshot[Any]) -> bool:
        """Whether the turn or round that was shown is over, so that a line that was typed for it says nothing now."""
        standing = self._game.session.facts().standing
        return standing is not None and shown.standing is not None and standing.stage != shown.standing.stage

    def _drawn(self, now: Snapshot[Any]) -> RenderableType:
        keys = "   ".join(f"{key} {self._game.sitting.who(seat)}" for key, seat in self._keys.items())
        parts: list[RenderableType] = [
            Columns([Text(self._game.sitting.told(move.text)) for move in self._shown], padding=(0, 3)),
            Text(f"Keys:  {keys}", style="bold"),
            Text(self._hint(), style="dim"),
        ]
        if left := time_left(now):
            parts.append(Text(f"{left}.", style="dim"))
        if now.view is not None and now.standing is not None:
            parts.insert(0, draw_view(now.view, now.standing, self._game.sitting))
        return Group("", *parts)

    def _hint(self) -> str:
        example = f"{KEYS[0]} {self._shown[0].text.split()[-1]}"
        return f"A line is a key and a move, or the end of a move: {example}. {HINT}"


def can_race(game: Opened) -> bool:
    """Whether everybody who plays here can have a key, in a game that they can play looking at one screen."""
    return 0 < len(game.held) <= len(KEYS) and plays_together(game.facts.game)


def distinct(moves: Sequence[LegalMove[Any]]) -> tuple[LegalMove[Any], ...]:
    """Each move once, by its text, in order."""
    return tuple({move.text: move for move in moves}.values())


def read_line(text: str, keys: Mapping[str, int], able: Sequence[int]) -> tuple[int, str]:
    """The seat of a line's key, and the rest; without a key, of the only seat that is awaited. Raises Failure."""
    line = LINE.fullmatch(text)
    if line is not None and line["key"].lower() in keys:
        return keys[line["key"].lower()], line["text"]
    if len(able) > 1 or not text:
        raise Failure(f"Begin a line with your key, {KEYS[0]} to {KEYS[len(keys) - 1]}, and a blank.")
    return able[0], text


def find_move(text: str, moves: Sequence[LegalMove[Any]], sitting: Sitting) -> LegalMove[Any] | str:
    """The only move that a text means; else the text as it is, for the server to judge. Raises Failure.

    A number is the game's own, such as a card's: it is never the place of a move in a list.
    """
    if text.isdecimal():
        found = tuple(move for move in moves if own_number(move) == int(text))
        if not found:
            raise Failure(f"There is no move with {text} now.")
    else:
        found = meant(text, moves, sitting)
    if len(found) > 1:
        raise Failure(f'"{text}" can be {listed(found, sitting)}: type more of it.')
    return found[0] if found else written(text, sitting)
