"""Playing a seat over one stream: what was sent, what came back, what is owed. Pure, once for both shells."""

from collections import deque
from typing import Generic

from monsters.session.v1 import session_pb2 as wire

from lair import _calls as calls
from lair._calls import Call, Playable
from lair._known import KnownFacts
from lair._translation import from_status
from lair.changes import WatchItem
from lair.errors import LairError
from lair.types import Update, View
from lair.watching import Place


class Talk(Place, Generic[View]):
    """One seat's stream. At most one move is under way."""

    def __init__(self, known: KnownFacts, token: str, seat: int, *, until_rematch: bool = False) -> None:
        super().__init__(known)
        self.received: deque[WatchItem[View]] = deque()
        """What has come and was not read yet."""
        self.refusal: LairError | None = None
        """Why the move under way was not accepted."""
        self._name = known.latest.name
        self._token = token
        self._seat = seat
        self._until_rematch = until_rematch
        self._move: Playable = ""
        self._pending: wire.PlaySeatSubmit | None = None
        self._reached: int | None = None
        self._since: dict[int, Update[View]] = {}

    def call(self) -> Call[wire.PlaySeatResponse]:
        """The stream from here on."""
        return calls.play_seat(self._name, self._token, self.after, until_rematch=self._until_rematch)

    def submit(self, move: Playable, etag: str | None, request_id: str | None) -> None:
        """Put a move under way."""
        self._move = move
        fields = {"request_id": request_id or calls.new_request_id(), "etag": etag, **calls.action(move)}
        self._pending = calls.build(wire.PlaySeatSubmit, **fields)
        self._reached = self.refusal = None
        self._since.clear()

    @property
    def pending(self) -> wire.PlaySeatRequest | None:
        """The move under way as it is sent, also again over a new stream: it has the same request_id."""
        return None if self._pending is None else wire.PlaySeatRequest(submit=self._pending)

    def take(self, message: wire.PlaySeatResponse) -> None:
        """Take what has come. Raises Unavailable when a revision is missing."""
        if message.HasField("session") and (change := self.session(message.session)) is not None:
            self.received.append(change)
        if message.HasField("snapshot"):
            self.received.append(self.snapshot(message.snapshot))
        if message.HasField("update") and (update := self.update(message.update)) is not None:
            self.received.append(update)
            if self._pending is not None:
                self._since[update.revision] = update
        if message.HasField("acknowledgement"):
            self._acknowledge(message.acknowledgement)
        if message.HasField("heartbeat"):
            self.alive()
        if message.HasField("closing"):
            self.closing(message.closing)

    def _acknowledge(self, message: wire.Acknowledgement) -> None:
        self.alive()
        if self._pending is None or message.request_id != self._pending.request_id:
            return
        if message.HasField("error"):
            self.refusal = from_status(message.error)
        else:
            self._reached = message.revision

    @property
    def answered(self) -> bool:
        """Whether the move under way has its answer, or will get none over the stream because the session ended."""
        return self.refusal is not None or self._reached is not None or self.ended

    def settle(self) -> Update[View] | Call[Update[View]]:
        """The update that the move led to. When the stream has not brought it, the call that gives it: the same move.

        Raises the refusal.
        """
        pending, self._pending = self._pending, None
        if self.refusal is not None:
            raise self.refusal
        if self._reached is not None and (update := self._since.get(self._reached)) is not None:
            return update
        request_id, etag = (pending.request_id, pending.etag) if pending is not None else ("", "")
        return calls.submit(self._name, self._token, self._seat, self._move, etag=etag, request_id=request_id)

    def give_up(self) -> None:
        """Forget the move under way. Its answer is not waited for any more."""
        self._pending = None
