"""A whole game of canaries through the real server: all of them play, watch, read, err, and try what is not allowed.

Three seats play, one of them over a stream; a spectator and the host watch. What each of them hears is kept.
"""

import queue
import random
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from google.protobuf.message import Message
from monsters.session.v1 import session_pb2 as wire

from tests.support.canary.codec import wire as canary
from tests.support.canary.proto import TOKEN
from tests.support.leaks.hearing import Ear, Table
from tests.support.leaks.secrets import Cards, Secret, secrets_of, secrets_of_rematch
from tests.support.servers import PATIENCE, Stubs
from tests.support.sessions import new_id, pack

SEATS = 3
KINDS = ("show", "play", "draw")
LONG, SHORT = 9, 4
"""Turns of a game."""
NOWHERE = "sessions/000000000000"
GUEST = Ear("a spectator")
CREATOR = Ear("the creator")
GONE = Ear("somebody who has left")
"""May know what a spectator may."""


@dataclass(frozen=True, slots=True)
class Evening:
    """What was heard, and what was secret."""

    table: Table
    cards: Cards
    secrets: Sequence[Secret]
    ears: Sequence[Ear]


class Host:
    """Leads through the evening."""

    def __init__(self, stubs: Stubs, seed: int, turns: int, *, sound: bool = True) -> None:
        self.table = Table(stubs)
        self.turns = turns
        self.sound = sound
        self.whim = random.Random(seed)
        self.request_ids: dict[str, str] = {}
        self.joined: dict[Ear, wire.JoinSessionResponse] = {}
        self.sent: queue.SimpleQueue[wire.PlaySeatRequest | None] = queue.SimpleQueue()
        self.kept: queue.SimpleQueue[wire.PlaySeatRequest | None] = queue.SimpleQueue()
        """Of who has left: kept open, for the server to end."""

    def lead(self) -> Evening:
        """From the lobby to the last question."""
        self.open()
        self.fill()
        self.listen()
        while not self.table.over:
            self.ask_around()
            self.err()
            self.play()
        self.sent.put(None)
        self.table.settle()
        self.kept.put(None)
        self.look_back()
        again = self.play_again()
        revealed = self.call(GUEST, "RevealSession", wire.RevealSessionRequest(name=self.name, page_size=1000))
        secrets = secrets_of(CREATOR, self.created, self.joined, self.request_ids, revealed)
        return Evening(self.table, Cards(revealed.steps), [*secrets, *again], self.ears)

    def call(self, ear: Ear, method: str, request: Message) -> Any:
        """Call as somebody."""
        return self.table.call(ear, method, request)

    def open(self) -> None:
        """Open a lobby, also twice, and let a spectator look."""
        self.request_ids[CREATOR.name] = new_id()
        request = wire.CreateSessionRequest(
            game=TOKEN,
            options=pack(canary.Options(turns=self.turns)),
            seats=[wire.SeatRequest(name=f"Player {seat}") for seat in range(SEATS)],
            request_id=self.request_ids[CREATOR.name],
        )
        self.created = self.call(CREATOR, "CreateSession", request)
        self.call(CREATOR, "CreateSession", request)
        self.name = self.created.session.name
        self.host = Ear("the host", None, self.created.host_token)
        self.call(GUEST, "ListSessions", wire.ListSessionsRequest())
        self.table.watch(GUEST, self.name)
        self.ask(GUEST)

    def fill(self) -> None:
        """Take the seats, also twice, and also without the code. Somebody gives one up, and goes on listening."""
        gone = self.join(GONE, 0)
        self.table.watch(gone, self.name)
        self.kept.put(wire.PlaySeatRequest(open=wire.PlaySeatOpen(name=self.name)))
        self.table.play(gone, iter(self.kept.get, None))
        self.call(gone, "LeaveSession", wire.LeaveSessionRequest(name=self.name))
        self.seats = [self.join(Ear(f"seat {seat}"), seat) for seat in range(SEATS)]
        self.ears = [GUEST, self.host, *self.seats]
        self.call(gone, "GetView", wire.GetViewRequest(name=self.name))

    def join(self, ear: Ear, seat: int) -> Ear:
        """Take a seat; gives the ear with its token."""
        request = wire.JoinSessionRequest(
            join_code=self.created.join_code,
            seat=seat,
            entropy=self.whim.randbytes(24),
            request_id=self.request_ids.setdefault(ear.name, new_id()),
        )
        answer = self.joined[ear] = self.call(ear, "JoinSession", request)
        self.call(ear, "JoinSession", request)
        self.call(GUEST, "JoinSession", wire.JoinSessionRequest(join_code="0000-0000"))
        self.call(GUEST, "ListSessions", wire.ListSessionsRequest())
        return replace(ear, seat=None if ear == GONE else seat, token=answer.seat_token)

    def listen(self) -> None:
        """Streams of every kind: from the lobby on, from now on, from the start on, and one to play on."""
        self.table.watch(self.host, self.name, -1)
        self.table.watch(self.seats[1], self.name)
        self.table.watch(self.seats[2], self.name, -1)
        self.sent.put(wire.PlaySeatRequest(open=wire.PlaySeatOpen(name=self.name)))
        self.table.play(self.seats[0], iter(self.sent.get, None))

    def ask(self, ear: Ear) -> Any:
        """Ask as somebody for everything that there is to read."""
        self.session(ear)
        keys = [
            wire.SeatKey(name=name, token=token) for name in (self.name, NOWHERE) for token in (ear.token or "", "no")
        ]
        self.call(ear, "BatchGetStandings", wire.BatchGetStandingsRequest(seats=keys))
        self.call(ear, "ListEvents", wire.ListEventsRequest(name=self.name, page_size=1000))
        return self.look(ear)

    def look(self, ear: Ear, revision: int | None = None) -> Any:
        """Ask for somebody's view, now or at a revision."""
        return self.call(ear, "GetView", wire.GetViewRequest(name=self.name, revision=revision))

    def session(self, ear: Ear) -> wire.Session:
        """Ask for the public facts."""
        session: wire.Session = self.call(ear, "GetSession", wire.GetSessionRequest(name=self.name)).session
        return session

    def ask_around(self) -> None:
        """Everybody looks at what is, and at what was."""
        self.shown = {ear: self.ask(ear).snapshot for ear in self.ears}
        self.revision = self.shown[GUEST].revision
        for ear in self.ears:
            self.look(ear, self.whim.randint(0, self.revision))

    def submit(self, ear: Ear, **fields: Any) -> wire.SubmitMoveResponse | None:
        """Try a move."""
        answer: wire.SubmitMoveResponse | None = self.call(
            ear, "SubmitMove", wire.SubmitMoveRequest(**{"name": self.name, **fields})
        )
        return answer

    def err(self) -> None:
        """Everything that is refused, for every reason there is."""
        (active,) = self.shown[GUEST].standing.awaited
        mover, other = self.seats[active], self.seats[(active + 1) % SEATS]
        guessed = f"play {self.whim.randbytes(12).hex()}"
        for ear in (mover, other, self.host, GUEST, Ear("a stranger", None, "no token of anybody")):
            self.submit(ear, text=guessed)
            self.submit(ear, text="no move at all")
        for text in ("draw", "timeout", *(move.text for move in self.shown[other].moves)):
            self.submit(other, text=text)
        self.submit(mover, text="timeout")
        self.submit(mover, text="draw", etag='"1000"')
        self.submit(mover, text="draw", seat=other.seat)
        self.submit(mover, move=self.shown[mover].view)
        self.call(other, "GetView", wire.GetViewRequest(name=self.name, seat=mover.seat))
        self.look(other, self.revision + 1)
        self.call(other, "AbortSession", wire.AbortSessionRequest(name=self.name))
        for ear in (other, self.host, GUEST):
            self.call(ear, "RevealSession", wire.RevealSessionRequest(name=self.name))
        if mover is self.seats[0] and self.sound:  # a defect would end the stream
            self.sent.put(wire.PlaySeatRequest(submit=wire.PlaySeatSubmit(text=guessed)))

    def play(self) -> None:
        """Somebody moves: by a text, by a message, over the stream, or because the host says so."""
        (active,) = self.shown[GUEST].standing.awaited
        mover, other = self.seats[active], self.seats[(active + 1) % SEATS]
        chosen = self.choose(mover)
        if self.revision == SEATS:
            self.submit(self.host, text="timeout")
        elif mover is self.seats[0]:
            self.sent.put(wire.PlaySeatRequest(submit=wire.PlaySeatSubmit(move=chosen.move, request_id=new_id())))
            self.wait()
        else:
            action = {"text": chosen.text} if self.whim.random() < 1 / 2 else {"move": chosen.move}
            request_id = new_id()
            for ear in (mover, mover, other, self.host, GUEST):
                self.submit(ear, request_id=request_id, **action)
        self.table.over = self.session(GUEST).state == wire.STATE_OVER

    def choose(self, mover: Ear) -> wire.LegalMove:
        """A move of the kind whose turn it is, if there is one. Drawing is always possible."""
        listed = [*self.shown[mover].moves] or [wire.LegalMove(move=pack(canary.Move(draw=canary.Draw())), text="draw")]
        kind = KINDS[self.revision % len(KINDS)]
        chosen: wire.LegalMove = self.whim.choice([move for move in listed if move.text.startswith(kind)] or listed)
        return chosen

    def wait(self) -> None:
        """Until the move on the stream has come."""
        deadline = time.monotonic() + PATIENCE
        while self.session(GUEST).revision == self.revision:
            assert time.monotonic() < deadline, "a move on a stream does not come"
            time.sleep(0.005)

    def look_back(self) -> None:
        """After the end everybody reads everything once more, from the start on."""
        for ear in self.ears:
            self.ask(ear)
            for revision in range(self.revision + 2):
                self.look(ear, revision)
            self.table.watch(ear, self.name, -1)
            self.table.watch(ear, self.name)
            self.submit(ear, text="draw")
        for ear in self.seats:
            opening = wire.PlaySeatRequest(open=wire.PlaySeatOpen(name=self.name, after_revision=-1))
            self.table.play(ear, [opening])
        self.table.settle()

    def play_again(self) -> Sequence[Secret]:
        """Everybody asks for a rematch, and for the seat of one, who has it again. Gives what nobody else may hear."""
        asking = wire.CreateRematchRequest(name=self.name)
        answers = {ear: self.call(ear, "CreateRematch", asking) for ear in (*self.ears, self.host)}
        entropy, request_id, player = self.whim.randbytes(24), new_id(), self.seats[1]
        sitting = wire.JoinRematchRequest(name=self.name, entropy=entropy, request_id=request_id)
        taken = [self.call(ear, "JoinRematch", sitting) for ear in (player, player, self.host, GUEST)]
        self.ask(GUEST)
        self.call(GUEST, "GetSession", wire.GetSessionRequest(name=answers[self.host].session.name))
        self.call(GUEST, "ListSessions", wire.ListSessionsRequest())
        return secrets_of_rematch(self.host, answers[self.host], player, taken[0], (entropy, request_id))
