"""A seat of one's own: others play elsewhere, and what they do is told at once, also while one is asked."""

from dataclasses import replace
from typing import Any

from lair import (
    FactsChanged,
    IllegalMove,
    InvalidRequest,
    LegalMove,
    Seat,
    SessionFacts,
    Snapshot,
    StaleSession,
    State,
    Update,
    WatchItem,
)
from lair.cli.answers import HELP, LEAVE, RULES
from lair.cli.changes import tell_changes
from lair.cli.choosing import GiveWay
from lair.cli.clocks import time_left
from lair.cli.describing import describe_game, show_rules
from lair.cli.failures import Failure
from lair.cli.hints import join_line
from lair.cli.news import News
from lair.cli.opening import Opened
from lair.cli.output import Output
from lair.cli.records import facts_record, snapshot_record, update_record
from lair.cli.rendering import draw_view, tell_event
from lair.cli.reporting import report
from lair.cli.screen import Left, Screen, Woken
from lair.cli.turn import Turn, turn_of
from lair.cli.watching import ENDED_WITHOUT_RESULT

OFTEN_ENOUGH = 20
"""So often a move is sent anew when others, who may act at the same time, were faster each time."""
WAITING = "waiting> "
HELP_WHILE_WAITING = (
    "You are asked when it is your turn. rules shows the rules, q or exit leaves, and the game is kept."
)


class OwnSeat:
    """One seat, from now to the end of the game."""

    def __init__(self, game: Opened, seat: Seat[Any], output: Output) -> None:
        """At this screen."""
        self._game = game
        self._seat = seat
        self._output = output
        self._screen = Screen(output)
        self._now: Snapshot[Any] = seat.snapshot()
        self._turn: Turn | None = None
        """What was drawn last, while it can be answered."""
        self._said = ""
        """For whom the seat waits, as it was told last."""

    def play_to_the_end(self) -> Opened:
        """Tell what happens and ask when the seat may act, until the game is over. Gives the game as it is then.

        Raises Left, Failure when the session is aborted, and LairError when it can't go on.
        """
        after = -1 if self._now.standing is None else self._now.revision
        if self._now.view is not None and self._now.standing is not None and not self._now.moves:
            self._output.show(
                snapshot_record(self._game.facts.name, self._now),
                draw_view(self._now.view, self._now.standing, self._game.sitting),
            )
        with News(self._seat.watch(after), self._screen) as news:
            self._screen.waking = news.waking
            while True:
                for item in news.waiting():
                    self._hear(item)
                if self._now.state is State.ABORTED:
                    raise Failure(ENDED_WITHOUT_RESULT)
                if self._now.standing is not None and self._now.standing.over:
                    return self._game
                if self._now.moves:
                    self._ask(news)
                else:
                    self._wait(news)

    def _wait(self, news: News) -> None:
        """Wait for what others do. At a terminal one can ask for the rules meanwhile, or leave."""
        self._turn = None
        line = self._waits_for()
        if line != self._said:
            self._output.say(line)
            self._said = line
            if self._now.standing is None and self._game.note is not None and self._game.note.join_code:
                self._output.hint(f"Others join with:  {join_line(self._game.note.join_code, self._game.server)}")
        try:
            if self._screen.interactive:
                self._chat()
        except Woken as woken:  # what was typed while waiting is for no move
            self._screen.take_back(WAITING, woken.typed)
        item = news.next()
        if item is not None:
            self._hear(item)
        elif self._now.state is not State.ABORTED:
            self._now = self._seat.snapshot()

    def _chat(self) -> None:
        """Answer what is asked at the terminal until something happens. Raises Woken and Left."""
        fresh = True
        while True:
            text = self._screen.ask(WAITING, fresh=fresh).casefold()
            fresh = False
            if text in LEAVE:
                raise Left
            if text in HELP:
                self._output.say(HELP_WHILE_WAITING)
            elif text in RULES:
                show_rules(describe_game(self._game.client, self._game.facts.game), self._output)
            else:
                self._output.say(f"It is not your turn. {self._waits_for()}" if text else self._waits_for())

    def _waits_for(self) -> str:
        if self._now.standing is None:
            return "Waiting for players to join."
        left = time_left(self._now)
        return f"Waiting for {self._game.sitting.everyone(self._now.standing.awaited)}{left and f', {left}'}."

    def _ask(self, news: News) -> None:
        """Ask for a move, and play it. What is typed stays as long as what is offered does."""
        self._said = ""
        fresh = self._turn is None or self._anew(self._turn)
        turn = self._draw() if self._turn is None or fresh else self._turn
        typed = ""
        while True:
            try:
                answer = turn.answer(fresh=fresh, typed=typed)
            except Woken as woken:
                self._screen.take_back(turn.prompt, woken.typed)
                for item in news.waiting():
                    self._hear(item)
                if self._anew(turn):
                    return
                typed, fresh = woken.typed, False
                continue
            if isinstance(answer, GiveWay):  # an empty line looks again; what is typed after it is for what is shown
                turn, typed, fresh = self._draw(), "", False
                continue
            self._play(turn, answer, news)
            return

    def _draw(self) -> Turn:
        self._turn = turn_of(self._game, self._seat.index, self._now, self._screen, self._output)
        self._turn.show(self._output)
        return self._turn

    def _anew(self, turn: Turn) -> bool:
        """Whether what was drawn says too little by now: another turn or round, or something new to choose from."""
        offered = {move.text for move in turn.choosing.moves}
        over = self._now.standing is None or self._now.standing.over
        return over or not self._same_stage(turn) or not {move.text for move in self._now.moves} <= offered

    def _same_stage(self, turn: Turn) -> bool:
        shown = turn.snapshot.standing
        return self._now.standing is not None and shown is not None and self._now.standing.stage == shown.stage

    def _play(self, turn: Turn, answer: LegalMove[Any] | str, news: News) -> None:
        """Play what was answered for the turn or round that was shown, or not at all."""
        for _ in range(OFTEN_ENOUGH):
            if not self._same_stage(turn):
                break
            try:
                update = self._seat.play(answer, etag=self._now.etag)
            except StaleSession:
                self._catch_up(self._seat.snapshot().revision, news)
                continue
            except IllegalMove as refusal:
                report(refusal, self._output, self._game.sitting.names)
            except InvalidRequest as refusal:
                turn.choosing.refused(answer, refusal)
            else:
                self._catch_up(update.revision, news)
                self._turn = None
            return
        self._output.say("That came too late: the table has changed meanwhile.")

    def _catch_up(self, revision: int, news: News) -> None:
        """Tell everything up to this revision."""
        while self._now.revision < revision and (item := news.next()) is not None:
            self._hear(item)

    def _hear(self, item: WatchItem[Any]) -> None:
        """Tell what has happened, and remember how things stand."""
        if isinstance(item, FactsChanged):
            self._meet(item.facts)
        elif isinstance(item, Update):
            self._meet(self._seat.known_facts)
            told = [tell_event(event, self._game.sitting) for event in item.events]
            self._output.show(update_record(self._game.facts.name, item), *told)
            state = State.OVER if item.standing.over else State.PLAYING
            self._now = Snapshot(
                state,
                item.revision,
                item.etag,
                self._seat.index,
                item.view,
                item.moves,
                item.standing,
                item.deadline,
                item.commit_time,
            )

    def _meet(self, facts: SessionFacts) -> None:
        """Tell who has come and gone."""
        change, self._game = FactsChanged(self._game.facts, facts), self._game.with_facts(facts)
        lines = tell_changes(change, self._game.sitting, self._game.server)
        if lines or change.aborted:
            self._output.show(facts_record(facts), *lines)
        if change.aborted:
            self._now = replace(self._now, state=State.ABORTED)
