"""Whole games by PlaySeat: every seat has a stream, and a move is complete when all of them have heard of it."""

import time
from collections.abc import Sequence
from contextlib import ExitStack

import lair
from loadtests.crowd.stories.greenlets import patience
from loadtests.crowd.stories.story import Story, Wrong

Seen = lair.Snapshot | lair.Update


class SeatPlayer(Story):
    """Plays every seat of a game over its own stream."""

    weight = 4

    def play(self) -> None:
        session = self.create()
        with ExitStack() as open_lines:
            lines = [open_lines.enter_context(seat.stream()) for seat in session.seats]
            seen: list[Seen] = [self._first(line) for line in lines]
            while (outcome := _outcome(seen[0])) is None:
                seen = self._move(lines, seen)
            with self.checking("streams end with the game"), patience(Wrong("a stream goes on after the end")):
                if any(list(line) for line in lines):
                    raise Wrong(f"{session.name}: something came after the end")
        self.verify(session, outcome)

    def _first(self, line: lair.Line) -> Seen:
        started = time.perf_counter()
        with patience(Wrong("a stream does not begin")):
            first = _next(line)
        self.tell("stream", "PlaySeat/first-event", started)
        return first

    def _move(self, lines: Sequence[lair.Line], seen: Sequence[Seen]) -> list[Seen]:
        """Play one move. Each line is read right after the acknowledgement, so the last one seems a little later."""
        mover = self.chance.choice([seat for seat, now in enumerate(seen) if now.moves])
        self.pace()
        started = time.perf_counter()
        try:
            update = lines[mover].play(self.chance.choice(seen[mover].moves), etag=seen[mover].etag)
        except lair.LairError as error:
            self.tell("call", "PlaySeat", started, error)
            raise
        self.tell("call", "PlaySeat", started)
        heard: list[Seen] = []
        for seat, line in enumerate(lines):
            with patience(Wrong("a move does not arrive")):
                heard.append(_next(line))
            if seat != mover:
                self.tell_span("stream", "PlaySeat/propagation", time.time() - update.commit_time.timestamp())
        if any((now.revision, now.standing) != (update.revision, update.standing) for now in heard):
            raise Wrong(f"the seats were told different things of revision {update.revision}")
        return heard


def _next(line: lair.Line) -> Seen:
    """The next that is told of the game. Who comes and goes is not looked at here."""
    return next(now for now in line if not isinstance(now, lair.FactsChanged))


def _outcome(now: Seen) -> lair.Outcome | None:
    return now.standing.outcome if now.standing else None
