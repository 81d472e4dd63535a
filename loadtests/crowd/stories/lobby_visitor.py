"""Lobbies: opened, listed, joined, left, joined again; then everybody leaves the game, and stand-ins end it."""

from itertools import islice

import lair
from loadtests.crowd.stories.greenlets import patience
from loadtests.crowd.stories.story import IDLE, KEEP, SHORT, Story, Wrong

LISTED = 300
"""How many lobbies are looked through, the newest first."""


class LobbyVisitor(Story):
    """Opens a lobby, fills it, and leaves."""

    weight = 1

    def play(self) -> None:
        description = self.chance.choice(self.games)
        seats = description.min_seats
        lobby = self.client.open(
            description.token,
            seats=seats,
            options=SHORT.get(description.token),
            listed=True,
            idle_limit=IDLE,
            keep=KEEP,
        )
        self._look_for(lobby)
        first, *others = [self.client.join(lobby.join_code, name=f"Guest {number}") for number in range(seats - 1)]
        first.leave()
        with self.checking("a seat that was left is free again"):
            facts = lobby.facts()
            if facts.state is not lair.State.LOBBY or facts.seats[first.index].taken:
                raise Wrong(f"{lobby.name}: {facts}")
        if self.chance.random() < 1 / 2:
            self._close(lobby)
        else:
            self._fill_and_leave(lobby, others)

    def _look_for(self, lobby: lair.Session) -> None:
        with self.checking("a lobby is listed"):
            names = {facts.name for facts in islice(self.client.lobbies(), LISTED)}
            if lobby.name not in names:
                raise Wrong(f"{lobby.name} is not among {len(names)} lobbies")

    def _close(self, lobby: lair.Session) -> None:
        with self.checking("an aborted lobby takes nobody in"):
            if lobby.abort().state is not lair.State.ABORTED:
                raise Wrong(f"{lobby.name} goes on")
            with self.refused("SESSION_ABORTED"):
                self.client.join(lobby.join_code)

    def _fill_and_leave(self, lobby: lair.Session, guests: list[lair.Seat]) -> None:
        free = [seat.index for seat in lobby.facts().seats if not seat.taken]
        guests += [self.client.join(lobby.join_code, seat=index) for index in free]
        with self.checking("the last seat starts the game"):
            if lobby.facts().state is not lair.State.PLAYING:
                raise Wrong(f"{lobby.name} has not started")
        for guest in guests:
            with self.perhaps_refused("GAME_OVER"):  # the stand-ins of those who left first don't wait for the last
                guest.leave()
        with self.checking("stand-ins end the game"), patience(Wrong(f"{lobby.name} does not end")):
            *_, last = (now for now in lobby.watch() if not isinstance(now, lair.FactsChanged))
            if last.standing is None or last.standing.outcome is None:
                raise Wrong(f"{lobby.name}: the stream ended with {last}")
        self.verify(guests[0].session, last.standing.outcome)
