"""Bad clients: every one of their calls must be refused, for the right reason, and change nothing."""

from collections.abc import Callable
from typing import Any, cast
from uuid import uuid4

from google.protobuf.any_pb2 import Any as Packed
from google.protobuf.message import Message
from monsters.cabbages.v1 import cabbages_pb2 as cabbages
from monsters.heads.v1 import heads_pb2 as heads
from monsters.session.v1 import session_pb2 as wire

import lair
from lair._calls import SERVICE, Call
from lair._known import KnownFacts
from loadtests.crowd.stories.story import IDLE, KEEP, Story, Wrong

NOWHERE = "sessions/000000000000"

Misdeed = tuple[str, Callable[[], object]]
"""The reason that is due, and what is done."""


class Junk:
    """Sent as it is: a field whose length lies."""

    def SerializeToString(self) -> bytes:  # noqa: N802  protobuf's name
        return b"\x0a\xff\xff\xff\xff\x07"


class Stranger(Story):
    """Does to a session, and to the rules, whatever must not be done."""

    weight = 1

    def play(self) -> None:
        options = {"first_seat": 0}
        session = self.client.create("cabbages", seats=["Ann", "Ben"], options=options, idle_limit=IDLE, keep=KEEP)
        used = str(uuid4())
        session.seats[0].play("harvest", request_id=used)
        before = session.facts()
        misdeeds = [
            *self._against_session(session, used),
            *self._against_play(session),
            *self._malformed(session.seats[1]),
        ]
        self.chance.shuffle(misdeeds)
        for reason, misdeed in misdeeds:
            with self.checking("bad calls are refused"), self.refused(reason):
                misdeed()
        with self.checking("bad calls change nothing"):
            if session.facts() != before:
                raise Wrong(f"{session.name} was changed by calls that were refused")
        session.abort()
        with self.checking("bad calls are refused"), self.refused("SESSION_ABORTED"):
            session.seats[1].play("harvest")

    def _against_session(self, session: lair.Session, used: str) -> list[Misdeed]:
        """By those who may not, and about what is not there."""
        ann, ben = session.seats
        known = KnownFacts(session.known_facts)
        impostor = lair.Seat(session, self.connection, known, ann.index, ben.token)
        nobody = lair.Seat(session, self.connection, known, ben.index, "")
        forger = lair.Seat(session, self.connection, known, ben.index, "A" * 43)
        visitor = self.client.session(session.name)
        unknown = wire.CreateSessionRequest(game="chess", seats=[wire.SeatRequest()] * 2, all_tokens=True)
        return [
            ("SESSION_NOT_FOUND", lambda: self.client.session(NOWHERE)),
            ("JOIN_CODE_NOT_FOUND", lambda: self.client.join("AAAA-AAAA")),
            ("GAME_NOT_FOUND", lambda: self._send("CreateSession", unknown)),
            ("REVISION_NOT_FOUND", lambda: ann.view(999)),
            ("SESSION_NOT_OVER", visitor.reveal),
            ("BAD_TOKEN", lambda: nobody.play("harvest")),
            ("BAD_TOKEN", lambda: forger.play("harvest")),
            ("BAD_TOKEN", lambda: next(forger.watch())),
            ("BAD_TOKEN", visitor.abort),
            ("NOT_YOUR_SEAT", lambda: impostor.play("harvest")),
            ("HOST_ONLY", lambda: self._send("AbortSession", wire.AbortSessionRequest(name=session.name), ann.token)),
            ("REQUEST_ID_REUSED", lambda: ann.play("feed", request_id=used)),
        ]

    def _against_play(self, session: lair.Session) -> list[Misdeed]:
        """Moves that can't be played now, or never."""
        ann, ben = session.seats
        return [
            ("NOT_YOUR_TURN", lambda: ann.play("harvest")),
            ("NOT_YOUR_TURN", lambda: self._play_on_stream(ann)),
            ("STALE_SESSION", lambda: ben.play("harvest", etag='"0"')),
            ("WRONG_GAME", lambda: ben.play(heads.Move())),
            ("MALFORMED_REQUEST", lambda: ben.play("fly to the moon")),
            ("MALFORMED_REQUEST", lambda: ben.play("harvest", request_id="not a UUID")),
        ]

    def _malformed(self, seat: lair.Seat) -> list[Misdeed]:
        """Requests that are wrong whatever the position."""
        junk = Packed(type_url="type.googleapis.com/monsters.cabbages.v1.Move", value=b"\xff")
        damaged = wire.SubmitMoveRequest(name=seat.session_name, move=junk)
        rules = self.client.rules("cabbages")
        impossible = cabbages.Position(cabbages=[-7, 900], cup_gap=99)
        return [
            ("MALFORMED_REQUEST", lambda: self._send("GetSession", Junk())),
            ("MALFORMED_REQUEST", lambda: self._send("SubmitMove", damaged, seat.token)),
            ("MALFORMED_REQUEST", lambda: self._send("ListSessions", wire.ListSessionsRequest(page_size=-1))),
            ("MALFORMED_REQUEST", lambda: self.client.create("cabbages", seats=["Ann"] * 99)),
            ("MALFORMED_REQUEST", lambda: rules.start(seats=0)),
            ("MALFORMED_REQUEST", lambda: rules.start(seats=2, seed=b"short")),
            ("IMPOSSIBLE_POSITION", lambda: rules.moves(impossible, seat=0)),
        ]

    def _play_on_stream(self, seat: lair.Seat) -> None:
        with seat.stream() as line:
            line.play("harvest")

    def _send(self, method: str, request: object, token: str = "") -> Any:
        """What the SDK would not send."""
        answer = getattr(wire, f"{method}Response")
        call: Call[Any] = Call(f"/{SERVICE}/{method}", cast("Message", request), answer, lambda given: given, token)
        return self.connection.run(call)
