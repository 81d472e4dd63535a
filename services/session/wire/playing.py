"""PlaySeat: submits go in; acknowledgements and updates come out, in one order that a player can rely on.

An accepted move is acknowledged with the update of its revision in the same message where that is the next one, and
never before it: whoever reads an acknowledgement has seen the position that it led to.
"""

import asyncio
import contextlib
from collections import deque
from collections.abc import AsyncIterator, Callable

from google.protobuf.message import Message
from google.rpc.status_pb2 import Status
from monsters.session.v1 import session_pb2 as wire
from msgspec import Struct

from services.runtime.calls import Read, Write
from services.runtime.failure import Failure
from services.runtime.status import to_status
from services.session.domain import failures
from services.session.domain.callers import Caller
from services.session.ports import Ports
from services.session.usecases.access import Access
from services.session.usecases.items import Closed, FactsChanged, Heartbeat, Item, Told
from services.session.usecases.reading import Snapshot
from services.session.usecases.submitting import Submission, Submitting
from services.session.usecases.watching import Turn, Watching
from services.session.wire.bounds import read_action
from services.session.wire.encoding import delimited, tag_of
from services.session.wire.messages import (
    read_request_id,
    write_closing,
    write_heartbeat,
    write_session,
    write_snapshot,
)
from services.session.wire.updates import UpdateWriter

UPDATE = tag_of(wire.PlaySeatResponse, "update")
ACKNOWLEDGEMENT = tag_of(wire.PlaySeatResponse, "acknowledgement")
MOST_UNREAD = 32
"""Answers that wait to be written: so many more submits of a player are taken who doesn't read."""


class Answer(Struct, frozen=True):
    """The acknowledgement of one submit: a wire.PlaySeatResponse, to be sent by itself or with an update."""

    revision: int
    """What it led to. 0 when it was refused."""
    message: bytes


class Incoming:
    """Reads submits and plays them one after the other, for as long as the player sends and reads the answers."""

    def __init__(
        self, submitting: Submitting, session_id: str, token: str | None, turn: Turn, wake: Callable[[], None]
    ) -> None:
        self._submitting = submitting
        self._session_id = session_id
        self._token = token
        self._turn = turn
        self._wake = wake
        self._answers: deque[Answer] = deque()
        self._room = asyncio.Event()
        self._room.set()
        self.finished = False
        self.failure: Exception | None = None
        self._idle = asyncio.Event()
        self._idle.set()

    async def settle(self) -> None:
        """Wait for the answer to a submit that has been taken."""
        await self._idle.wait()

    async def run(self, read: Read) -> None:
        """Take submits until the player has no more. What breaks the stream is kept as the failure."""
        try:
            while (message := await read(wire.PlaySeatRequest)) is not None:
                self._idle.clear()
                await self._turn()
                self._answers.append(await self._answer(_submit(message)))
                self._idle.set()
                self._wake()
                if len(self._answers) >= MOST_UNREAD:
                    self._room.clear()
                    await self._room.wait()
        except Exception as error:  # noqa: BLE001  handed to the stream, which raises it
            self.failure = error
        self.finished = True
        self._idle.set()
        self._wake()

    @property
    def next(self) -> Answer | None:
        """The answer to be given next."""
        return self._answers[0] if self._answers else None

    def take(self) -> Answer:
        """Take it."""
        self._room.set()
        return self._answers.popleft()

    async def _answer(self, submit: wire.PlaySeatSubmit) -> Answer:
        try:
            submission = Submission(read_action(submit), read_request_id(submit.request_id), submit.etag)
            submitted = await self._submitting.submit(self._session_id, self._token, None, submission)
        except Failure as failure:
            return _answer(submit.request_id, 0, to_status(failure))
        return _answer(submit.request_id, submitted.revision.record.revision)


def _answer(request_id: str, revision: int, error: Status | None = None) -> Answer:
    acknowledgement = wire.Acknowledgement(request_id=request_id, revision=revision, error=error)
    return Answer(revision, delimited(ACKNOWLEDGEMENT, acknowledgement.SerializeToString()))


def _submit(message: Message) -> wire.PlaySeatSubmit:
    if not isinstance(message, wire.PlaySeatRequest) or not message.HasField("submit"):
        raise failures.invalid_field("submit", "is required: the stream is open")
    return message.submit


class Playing:
    """Plays seats over streams."""

    def __init__(
        self, ports: Ports, access: Access, submitting: Submitting, watching: Watching, updates: UpdateWriter
    ) -> None:
        self._ports = ports
        self._access = access
        self._submitting = submitting
        self._watching = watching
        self._updates = updates

    async def play(
        self,
        session_id: str,
        token: str | None,
        after: int | None,
        read: Read,
        write: Write,
        turn: Turn,
        *,
        await_rematch: bool,
    ) -> None:
        """Serve one stream until the player leaves, the session ends, or the server goes away."""
        with self._ports.fanout.subscribe(session_id) as subscription:
            session = await self._access.load(session_id)
            caller = self._access.player(session, token, None)
            subscription.viewers = (caller.seat,)
            incoming = Incoming(self._submitting, session_id, token, turn, subscription.wake)
            taking = asyncio.create_task(incoming.run(read))
            try:
                follow = self._watching.follow(session, caller, after, subscription, turn, await_rematch=await_rematch)
                async with contextlib.aclosing(follow) as items:
                    # A refusal has revision 0 and waits for nothing, also where nothing has been told yet.
                    await self._answer(caller, items, incoming, max(after or 0, 0), write)
            finally:
                taking.cancel()
                with contextlib.suppress(asyncio.CancelledError):
                    await taking

    async def _answer(
        self, caller: Caller, items: AsyncIterator[Item], incoming: Incoming, last: int, write: Write
    ) -> None:
        begun = False
        async for item in items:
            match item:
                case Told(revision):
                    last = item.revision
                    message = delimited(UPDATE, await self._updates.write(caller, revision))
                    if incoming.next and incoming.next.revision == last:
                        message += incoming.take().message
                    await write(message)
                case FactsChanged(session):
                    await write(wire.PlaySeatResponse(session=write_session(session)))
                case Snapshot(session):
                    last = session.revision
                    await write(wire.PlaySeatResponse(snapshot=write_snapshot(item, self._ports.now())))
                case Heartbeat():
                    await write(wire.PlaySeatResponse(heartbeat=write_heartbeat(item, self._ports.now())))
                case Closed():
                    await incoming.settle()
                    await _acknowledge(incoming, last, write)
                    await write(wire.PlaySeatResponse(closing=write_closing(item)))
            await _acknowledge(incoming, last, write)
            if incoming.failure:
                raise incoming.failure
            # A stream begins with the session and then a snapshot: who has no more to send hears both.
            if incoming.finished and not incoming.next and begun:
                return
            begun = True


async def _acknowledge(incoming: Incoming, last: int, write: Write) -> None:
    """Give the answers that are due: those whose updates have been told, up to this revision."""
    while incoming.next and incoming.next.revision <= last:
        await write(incoming.take().message)
