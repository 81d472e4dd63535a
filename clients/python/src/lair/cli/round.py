"""What goes on at the table: who is asked next, who is told what, and who may look."""

from collections.abc import Mapping, Sequence
from typing import Any

from lair import IllegalMove, InvalidRequest, Seat, Snapshot, StaleSession, Standing, State, Update
from lair.cli.changes import show_changes
from lair.cli.choosing import GiveWay
from lair.cli.clocks import time_left
from lair.cli.failures import Failure
from lair.cli.opening import Opened
from lair.cli.output import Output
from lair.cli.records import update_record
from lair.cli.rendering import tell_event
from lair.cli.reporting import report
from lair.cli.screen import Screen
from lair.cli.turn import Turn, turn_of
from lair.cli.watching import ENDED_WITHOUT_RESULT

BEFORE_THE_START = -1


class Round:
    """A game at one terminal, on all the seats that are held here; other seats may be played elsewhere."""

    def __init__(self, game: Opened, output: Output) -> None:
        """Go on where the game stands. Raises BadToken when a seat is not ours any more."""
        self._game = game
        self._output = output
        self._screen = Screen(output)
        self._seats = {index: game.take(index) for index in game.held}
        self._told = dict.fromkeys(self._seats, game.facts.revision - 1)
        """The last revision that each seat was told of."""
        self._secret = False
        """Whether seats have been seen to know different things. The game itself is never asked."""
        self._last = -1
        """The seat that was asked last."""
        self._called: int | None = None
        """A seat that was called to the screen."""

    def play_to_the_end(self) -> Opened:
        """Ask seat after seat until the game is over. Gives it with the names of all who have come meanwhile.

        Raises Left, and LairError when the session can't go on.
        """
        while True:
            seen = {index: seat.snapshot() for index, seat in self._seats.items()}
            now = next(iter(seen.values()))
            if now.state is State.ABORTED:
                raise Failure(ENDED_WITHOUT_RESULT)
            self._secret = self._secret or differ(seen)
            if now.standing is None:
                self._wait(now, "players to join")
            elif now.standing.over:
                return self._game
            elif (index := self._next(now.standing)) is None:
                self._wait(now, self._game.sitting.everyone(now.standing.awaited))
            else:
                self._turn(index, seen[index])

    def _next(self, standing: Standing) -> int | None:
        """The seat to ask: the one that was called, else the next clockwise that is awaited, else that may act."""
        called, self._called = self._called, None
        if called in standing.may_act:
            return called
        able = [seat for seat in standing.awaited if seat in self._seats] or self._able(standing)
        seats = len(self._game.sitting.names)
        return min(able, key=lambda seat: (seat - self._last - 1) % seats, default=None)

    def _able(self, standing: Standing | None) -> list[int]:
        return [seat for seat in self._seats if standing is not None and seat in standing.may_act]

    def _wait(self, now: Snapshot[Any], whom: str) -> None:
        """Wait for what is done elsewhere, and tell it at once where all may hear it."""
        left = time_left(now)
        self._output.say(f"Waiting for {whom}{left and f', {left}'}.")
        index, seat = next(iter(self._seats.items()))
        for news in seat.watch(BEFORE_THE_START if now.standing is None else now.revision):
            self._look_around(seat)
            if isinstance(news, Update):
                if now.standing is not None and not self._hides([news]):
                    self._tell(index, [news])
                return

    def _look_around(self, seat: Seat) -> None:
        """Tell the table who has come and gone, as far as this seat's stream has told it."""
        self._game = show_changes(self._game, seat.known_facts, self._output)

    def _turn(self, index: int, snapshot: Snapshot[Any]) -> None:
        """Let a seat look and answer; alone, where seats know different things."""
        self._last = index
        news = self._news(index, snapshot.revision)
        if self._hides(news):
            self._screen.hand_over(self._game.sitting.who(index))
            snapshot = self._seats[index].snapshot()  # while nobody looked, the game may have gone on
            if index not in self._able(snapshot.standing):
                self._output.say("The game has gone on meanwhile.")
                return
            news = self._news(index, snapshot.revision)
        try:
            self._tell(index, news)
            others = tuple(seat for seat in self._able(snapshot.standing) if seat != index)
            turn = turn_of(self._game, index, snapshot, self._screen, self._output, others)
            turn.show(self._output)
            self._play(turn)
        finally:
            if self._hides():
                self._screen.hide()

    def _play(self, turn: Turn) -> None:
        """Play what is answered on what was shown, or ask again when it is refused.

        When the game has gone on meanwhile, by a time-out or elsewhere, nothing is played: who is asked next follows
        from how it stands then, and what has happened is told first.
        """
        fresh = True
        while not isinstance(answer := turn.answer(fresh=fresh), GiveWay):
            fresh = False
            try:
                update = self._seats[turn.index].play(answer, etag=turn.snapshot.etag)
            except IllegalMove as refusal:
                report(refusal, self._output, self._game.sitting.names)
                continue
            except InvalidRequest as refusal:
                turn.choosing.refused(answer, refusal)
                continue
            except StaleSession as stale:
                report(stale, self._output)
                self._let_read(turn.index)
                return
            if not self._hides() and self._hides([update]):
                self._screen.hand_over(self._game.sitting.who(turn.index))
            self._tell(turn.index, [update])
            self._let_read(turn.index)
            return
        self._called = answer.to

    def _let_read(self, index: int) -> None:
        if self._hides():
            self._screen.ask(f"{self._game.sitting.who(index)}, press Enter when you have read this: ", fresh=True)

    def _hides(self, updates: Sequence[Update[Any]] = ()) -> bool:
        """Whether each looks alone: from the first time on that something is not for everybody."""
        self._secret = self._secret or any(not event.audience.everybody for each in updates for event in each.events)
        return self._secret and len(self._seats) > 1

    def _news(self, index: int, revision: int) -> list[Update[Any]]:
        """Everything that has happened up to this revision since the seat was last told."""
        news: list[Update[Any]] = []
        if self._told[index] < revision:
            for update in self._seats[index].watch(self._told[index]):
                self._look_around(self._seats[index])
                if isinstance(update, Update):
                    news.append(update)
                    if update.revision >= revision:
                        break
        return news

    def _tell(self, index: int, news: Sequence[Update[Any]]) -> None:
        """Tell a seat what has happened. Where nothing is hidden, all hear it."""
        for update in news:
            self._output.show(
                update_record(self._game.facts.name, update),
                *(tell_event(event, self._game.sitting) for event in update.events),
            )
            for listener in (index,) if self._hides() else self._seats:
                self._told[listener] = update.revision


def differ(snapshots: Mapping[int, Snapshot[Any]]) -> bool:
    """Whether the seats of these snapshots know different things: then the game has something to hide."""
    views = {s.view.SerializeToString(deterministic=True) for s in snapshots.values() if s.view is not None}
    return len(views) > 1
