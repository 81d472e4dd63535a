"""Several want the same thing at the same moment, each over a connection of its own: exactly one gets it."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any
from uuid import uuid4

from locust.env import Environment

import lair
from lair._connection import Connection
from lair._known import KnownFacts
from loadtests.crowd.stories.greenlets import beside
from loadtests.crowd.stories.story import IDLE, KEEP, Story, Wrong

RIVALS = 6
Racing = Callable[[], object]


class Racer(Story):
    """Lets rivals race for a card, a move, an answer and a chair."""

    weight = 1

    def __init__(self, environment: Environment) -> None:
        super().__init__(environment)
        self.rivals = [self.connect(lambda: None) for _ in range(RIVALS)]

    def on_stop(self) -> None:
        for rival in self.rivals:
            rival.close()
        super().on_stop()

    def play(self) -> None:
        races = [self._same_etag, self._same_request, self._last_seat]
        if any(game.token == "sprinkleton" for game in self.games):
            races.append(self._same_card)
        self.chance.choice(races)()

    def _same_card(self) -> None:
        """All seats touch one card of Sprinkleton."""
        session, card = self._rolled()
        picks = [
            partial(self._at(rival, seat).play, f"pick {card}")
            for rival, seat in zip(self.rivals, session.seats, strict=False)
        ]
        self._race(session, picks, "CARD_TAKEN")
        self.verify(session, session.play_out())

    def _rolled(self) -> tuple[lair.Session, int]:
        """A session in which two cards at least match the dice, so that the round goes on after a claim; and one."""
        while True:
            session = self.create("sprinkleton")
            baker = session.snapshot().standing.awaited[0]  # type: ignore[union-attr]  # it has started
            view: Any = session.seats[baker].play("roll").view
            part = ("arms", "legs", "eyes")[view.dice.part - 1]
            matches = [card.id for card in view.table if getattr(card, part) == view.dice.number]
            if len(matches) > 1:
                return session, self.chance.choice(matches)
            session.abort()

    def _same_etag(self) -> None:
        """One seat plays from many places at once, all of them on the same revision."""
        session = self.create()
        seat, now = self._mover(session)
        move = self.chance.choice(now.moves)
        plays = [partial(self._at(rival, seat).play, move, etag=now.etag) for rival in self.rivals]
        self._race(session, plays, "STALE_SESSION")
        self.verify(session, session.play_out())

    def _same_request(self) -> None:
        """The same move with the same request_id comes many times at once: it is played once, and all are told so."""
        session = self.create()
        seat, now = self._mover(session)
        play = partial(lair.Seat.play, move=self.chance.choice(now.moves), request_id=str(uuid4()))
        answers = self._at_once([partial(play, self._at(rival, seat)) for rival in self.rivals], "")
        with self.checking("a repeated request is played once"):
            if any(answer != answers[0] for answer in answers) or session.facts().revision != now.revision + 1:
                raise Wrong(f"{session.name}: a repeated request was told {answers}")
        self.verify(session, session.play_out())

    def _last_seat(self) -> None:
        """All come in for the last seat."""
        description = self.chance.choice(self.games)
        lobby = self.client.open(description.token, seats=description.max_seats, idle_limit=IDLE, keep=KEEP)
        for _ in range(description.max_seats - 1):
            self.client.join(lobby.join_code, name="early")
        self._race(lobby, [partial(lair.Client(rival).join, lobby.join_code) for rival in self.rivals], "SEAT_TAKEN")
        lobby.abort()

    def _mover(self, session: lair.Session) -> tuple[lair.Seat, lair.Snapshot]:
        standing = session.facts().standing
        seat = session.seats[self.chance.choice(standing.may_act)]  # type: ignore[union-attr]  # it has started
        return seat, seat.snapshot()

    def _at(self, rival: Connection, seat: lair.Seat) -> lair.Seat:
        """The same seat from somewhere else."""
        return lair.Seat(seat.session, rival, KnownFacts(seat.known_facts), seat.index, seat.token)

    def _race(self, session: lair.Session, racing: Sequence[Racing], refusal: str) -> None:
        told = self._at_once(racing, refusal)
        reasons = [error.reason for error in told if isinstance(error, lair.LairError)]
        with self.checking("exactly one wins"):
            if reasons != [refusal] * (len(racing) - 1):
                raise Wrong(f"{session.name}: {len(racing) - len(reasons)} of {len(racing)} won, the others: {reasons}")

    def _at_once(self, racing: Sequence[Racing], refusal: str) -> list[object]:
        """What each is told: a result, or the refusal."""

        def race(call: Racing) -> object:
            try:
                return call()
            except lair.LairError as error:
                return error

        self.pace(len(racing))
        for rival in self.rivals:
            rival.expected = {refusal}
        with beside([partial(race, call) for call in racing]) as running:
            return running.results()
