"""Sessions of Cabbages over the raw wire: created, played, read, without any client of ours."""

import queue
import random
import uuid
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Self

from google.protobuf.any_pb2 import Any as Packed
from monsters.cabbages.v1 import cabbages_pb2 as cabbages
from monsters.session.v1 import session_pb2 as wire

from tests.support.servers import Stubs, bearer

Created = wire.CreateSessionResponse
TYPE_URL = "type.googleapis.com/"


def new_id() -> str:
    """A request id that nobody has used."""
    return str(uuid.uuid4())


def pack(message: Any) -> Packed:
    """A message as an Any."""
    packed = Packed()
    packed.Pack(message)
    return packed


def options(**fields: Any) -> Packed:
    """Options of Cabbages in which seat 0 begins, so that tests know whose turn it is."""
    return pack(cabbages.Options(**{"first_seat": 0, **fields}))


def move(kind: str) -> Packed:
    """A move of Cabbages: harvest, feed or timeout."""
    chosen = cabbages.Move()
    getattr(chosen, kind).SetInParent()
    return pack(chosen)


Seats = int | Sequence[wire.SeatRequest]
"""So many people, or who shall sit where."""


def create(stubs: Stubs, seats: Seats = 2, **fields: Any) -> Created:
    """A session that is being played: everybody's token is in the answer. Seat 0 begins."""
    people = range(seats) if isinstance(seats, int) else ()
    request = {
        "game": "cabbages",
        "seats": [wire.SeatRequest(name=f"Player {seat}") for seat in people] or seats,
        "options": options(),
        "all_tokens": True,
    }
    return stubs.sessions.CreateSession(wire.CreateSessionRequest(**{**request, **fields}))


def open_lobby(stubs: Stubs, seats: Seats = 2, **fields: Any) -> Created:
    """A session that waits for players."""
    return create(stubs, seats, **{"all_tokens": False, **fields})


def submit(stubs: Stubs, created: Created, seat: int, /, text: str = "harvest", **fields: Any) -> wire.Update:
    """Play a move of a seat."""
    action = {} if "move" in fields else {"text": text}
    request = wire.SubmitMoveRequest(**{"name": created.session.name, **action, **fields})
    return stubs.sessions.SubmitMove(request, metadata=bearer(created.seat_tokens[seat])).update


def endless(turns: int, seats: int = 2) -> dict[str, Any]:
    """What to create so that a game takes so many turns when everybody feeds: the cup never has three dice."""
    fields = {"max_turns": turns, "empty_feed": cabbages.EMPTY_FEED_FREE}
    return {"seats": seats, "options": options(**fields)}


def join(stubs: Stubs, lobby: Created, /, **fields: Any) -> wire.JoinSessionResponse:
    """Take a seat by the join code."""
    return stubs.sessions.JoinSession(wire.JoinSessionRequest(**{"join_code": lobby.join_code, **fields}))


def leave(stubs: Stubs, created: Created, seat: int, /, **fields: Any) -> wire.Session:
    """Give a seat up."""
    request = wire.LeaveSessionRequest(name=created.session.name, **fields)
    return stubs.sessions.LeaveSession(request, metadata=bearer(created.seat_tokens[seat])).session


def rematch_of(stubs: Stubs, created: Created) -> wire.CreateRematchResponse:
    """Open its rematch as its host."""
    request = wire.CreateRematchRequest(name=created.session.name)
    return stubs.sessions.CreateRematch(request, metadata=bearer(created.host_token))


def abort(stubs: Stubs, created: Created) -> wire.Session:
    """End it as its host."""
    request = wire.AbortSessionRequest(name=created.session.name)
    return stubs.sessions.AbortSession(request, metadata=bearer(created.host_token)).session


def session_of(stubs: Stubs, created: Created) -> wire.Session:
    """Its public facts as they are now."""
    return stubs.sessions.GetSession(wire.GetSessionRequest(name=created.session.name)).session


def view_of(stubs: Stubs, created: Created, seat: int | None = None, /, **fields: Any) -> wire.Snapshot:
    """How it stands for a seat, or for a spectator."""
    metadata = () if seat is None else bearer(created.seat_tokens[seat])
    request = wire.GetViewRequest(name=created.session.name, **fields)
    return stubs.sessions.GetView(request, metadata=metadata).snapshot


def history_of(stubs: Stubs, created: Created, **fields: Any) -> list[wire.Update]:
    """Everything that has happened, as a spectator may know it, page by page."""
    request = wire.ListEventsRequest(name=created.session.name, **fields)
    updates: list[wire.Update] = []
    while True:
        page = stubs.sessions.ListEvents(request)
        updates += page.updates
        if not page.next_page_token:
            return updates
        request.page_token = page.next_page_token


def reveal_of(stubs: Stubs, created: Created) -> wire.RevealSessionResponse:
    """Everything of a session that has ended, on one page."""
    return stubs.sessions.RevealSession(wire.RevealSessionRequest(name=created.session.name, page_size=1000))


def play_out(
    stubs: Stubs, created: Created, choose: Callable[[Any], Any] | None = None, most: int | None = None
) -> list[wire.Update]:
    """Play random legal moves until the session is over, or so many; gives what each led to."""
    choose = choose or random.Random(created.session.name).choice
    updates: list[wire.Update] = []
    standing = session_of(stubs, created).standing
    while not standing.HasField("outcome") and len(updates) != most:
        seat = standing.awaited[0]
        chosen = choose(view_of(stubs, created, seat).moves)
        updates.append(submit(stubs, created, seat, move=chosen.move, request_id=new_id()))
        standing = updates[-1].standing
    return updates


def feed_on(stubs: Stubs, created: Created, most: int | None = None) -> list[wire.Update]:
    """Play a session of `endless` to its end, or so many moves: everybody feeds."""
    session = session_of(stubs, created)
    updates: list[wire.Update] = []
    while session.state == wire.STATE_PLAYING and len(updates) != most:
        seat = (session.revision + len(updates)) % len(session.seats)
        updates.append(submit(stubs, created, seat, "feed"))
        if updates[-1].standing.HasField("outcome"):
            break
    return updates


def watch(stubs: Stubs, created: Created, seat: int | None = None, /, **fields: Any) -> Any:
    """The stream of a watch after its first message, the session: iterable, and to be cancelled."""
    stream = watch_from_the_first(stubs, created, seat, **fields)
    assert next(stream).HasField("session")
    return stream


def updates_of(stream: Any, most: int) -> list[wire.Update]:
    """So many updates of a stream, whatever else it says."""
    updates: list[wire.Update] = []
    for message in stream:
        if message.HasField("update"):
            updates.append(message.update)
            if len(updates) == most:
                break
    return updates


def watch_from_the_first(stubs: Stubs, created: Created, seat: int | None = None, /, **fields: Any) -> Any:
    """The whole stream of a watch."""
    metadata = () if seat is None else bearer(created.seat_tokens[seat])
    return stubs.sessions.WatchSession(wire.WatchSessionRequest(name=created.session.name, **fields), metadata=metadata)


class Player:
    """One seat at the end of a PlaySeat stream."""

    def __init__(self, stubs: Stubs, created: Created, seat: int, **opening: Any) -> None:
        self._sent: queue.SimpleQueue[wire.PlaySeatRequest | None] = queue.SimpleQueue()
        self.send(open=wire.PlaySeatOpen(name=created.session.name, **opening))
        metadata = bearer(created.seat_tokens[seat])
        self.received: Any = stubs.sessions.PlaySeat(iter(self._sent.get, None), metadata=metadata)

    def send(self, **message: Any) -> None:
        """Send a message."""
        self._sent.put(wire.PlaySeatRequest(**message))

    def submit(self, text: str = "harvest", **fields: Any) -> None:
        """Send a move."""
        action = {} if "move" in fields else {"text": text}
        self.send(submit=wire.PlaySeatSubmit(**{**action, **fields}))

    def half_close(self) -> None:
        """Have nothing more to send."""
        self._sent.put(None)

    def take(self) -> wire.PlaySeatResponse:
        """The next message that is neither a heartbeat nor the session."""
        while True:
            message: wire.PlaySeatResponse = next(self.received)
            if not message.HasField("heartbeat") and not message.HasField("session"):
                return message

    def answer(self) -> Iterator[wire.PlaySeatResponse]:
        """The messages up to the next acknowledgement, which is in the last of them."""
        while True:
            message = self.take()
            yield message
            if message.HasField("acknowledgement"):
                return

    def leave(self) -> None:
        """Break the stream off."""
        self.received.cancel()
        self.half_close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.leave()
