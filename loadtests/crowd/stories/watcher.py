"""Watching: how long a move takes from its commit to everybody who watches, and what a watcher who was away gets."""

import time
from contextlib import closing
from math import inf

import lair
from loadtests.crowd.stories.greenlets import Signal, beside
from loadtests.crowd.stories.story import Story, Wrong

AWAY = 0.1
"""How often a watcher goes away after a move."""


class Viewer:
    """One who watches a session, in a greenlet of its own."""

    def __init__(self, story: Story, reader: lair.Seat | lair.Session) -> None:
        self._story = story
        self._reader = reader
        self._news = Signal()
        self._known = 0.0
        self._goes_away = False
        self.first: int | None = None
        self.seen: list[int] = []
        """Revisions that came as updates."""
        self.outcome: lair.Outcome | None = None

    def go_away(self) -> None:
        """Close the stream when something has come, and open it again after the move that is missed then."""
        self._goes_away = True

    def moved(self, revision: float) -> None:
        """Be told what there is to be seen by now, so that who is away comes back when something was missed."""
        self._known = revision
        self._news.give()

    def watch(self) -> None:
        """Watch until the session has ended."""
        while not self._follow():
            while self._known <= self._last:
                self._news.take()

    def _follow(self) -> bool:
        """Read one stream. Gives whether the session has ended."""
        after = None if self.first is None else self._last
        opened, opened_at, begun = time.perf_counter(), time.time(), False
        with closing(self._reader.watch(after)) as stream:  # type: ignore[type-var]  # it is a generator
            for item in stream:
                if not begun:
                    begun = True
                    self._story.tell(
                        "stream", f"WatchSession/{'first-event' if after is None else 'reconnect'}", opened
                    )
                self._take(item, opened_at)
                if self._goes_away:
                    self._goes_away = False
                    return False
        return True

    def _take(self, item: lair.WatchItem, opened_at: float) -> None:
        if isinstance(item, lair.FactsChanged):
            return
        self.outcome = item.standing.outcome if item.standing else None
        if isinstance(item, lair.Snapshot):
            self.first = item.revision
            return
        self.seen.append(item.revision)
        committed = item.commit_time.timestamp()
        if committed > opened_at:  # what was missed is no measure of how fast news travels
            self._story.tell_span("stream", "WatchSession/propagation", time.time() - committed)

    @property
    def _last(self) -> int:
        return self.seen[-1] if self.seen else self.first or 0

    def check(self, last: int, outcome: lair.Outcome) -> None:
        """Raise Wrong unless everything was seen, once and in order."""
        if self.first is None or self.seen != list(range(self.first + 1, last + 1)) or self.outcome != outcome:
            what = f"from {self.first}: {self.seen}, {self.outcome}"
            raise Wrong(f"{self._reader}: a watcher has not seen {last} moves and {outcome}, but {what}")


class Watcher(Story):
    """Plays a game while every seat and a spectator watch it."""

    weight = 2

    def play(self) -> None:
        session = self.create()
        viewers = [Viewer(self, session), *(Viewer(self, seat) for seat in session.seats)]

        def moved(update: lair.Update) -> None:
            for viewer in viewers:
                viewer.moved(update.revision)
            if self.chance.random() < AWAY:
                self.chance.choice(viewers).go_away()

        with beside([viewer.watch for viewer in viewers]) as watching:
            outcome = session.play_out(on_move=moved)
            last = session.facts().revision
            with self.checking("watchers saw everything once, in order"):
                for viewer in viewers:
                    viewer.moved(inf)  # whoever is away comes back, if only to hear that it is over
                watching.results()
                for viewer in viewers:
                    viewer.check(last, outcome)
        self.verify(session, outcome)
