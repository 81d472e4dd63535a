"""PlaySeat: submits go in; acknowledgements and updates come out, in one order that a player can rely on.

An accepted move is acknowledged with the update of its revision in the same message where that is the next one, and
never before it: whoever reads an acknowledgement has seen the position that it led to.
"""

import asyncio
import contextlib
from collections import deque
from collections.abc import AsyncIterator, Callable

from google.protobuf.message import Message
from monsters.session.v1 import session_pb2 as wire

from services.runtime.calls import Read, Write
from services.runtime.failure import Failure
from services.runtime.status import to_status
from services.session import failures
from services.session.domain import Caller, Session
from services.session.ports import Ports
from services.session.reading import Snapshot
from services.session.submitting import Submission, Submitting
from services.session.watching import Closed, Item, Quiet, Told, Watching, Woken
from services.session.wire import (
    read_action,
    read_request_id,
    write_acknowledgement,
    write_closing,
    write_heartbeat,
    write_snapshot,
    write_update,
)


class Incoming:
    """Reads submits and plays them one after the other, for as long as the player sends."""

    def __init__(self, submitting: Submitting, session: Session, token: str | None, wake: Callable[[], None]) -> None:
        self._submitting = submitting
        self._session = session
        self._token = token
        self._wake = wake
        self.answers: deque[wire.Acknowledgement] = deque()
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
                self.answers.append(await self._answer(_submit(message)))
                self._idle.set()
                self._wake()
        except Exception as error:  # noqa: BLE001  handed to the stream, which raises it
            self.failure = error
        self.finished = True
        self._idle.set()
        self._wake()

    async def _answer(self, submit: wire.PlaySeatSubmit) -> wire.Acknowledgement:
        try:
            submission = Submission(read_action(submit), read_request_id(submit.request_id), submit.etag)
            submitted = await self._submitting.submit(self._session.id, self._token, None, submission)
        except Failure as failure:
            return write_acknowledgement(submit.request_id, 0, to_status(failure))
        return write_acknowledgement(submit.request_id, submitted.record.revision, None)


def _submit(message: Message) -> wire.PlaySeatSubmit:
    if not isinstance(message, wire.PlaySeatRequest) or not message.HasField("submit"):
        raise failures.absurd("submit", "is required: the stream is open")
    return message.submit


class Playing:
    """Plays seats over streams."""

    def __init__(self, ports: Ports, submitting: Submitting, watching: Watching) -> None:
        self._ports = ports
        self._submitting = submitting
        self._watching = watching

    async def play(
        self, session: Session, caller: Caller, token: str | None, after: int | None, read: Read, write: Write
    ) -> None:
        """Serve one stream until the player leaves, the session ends, or the server goes away."""
        with self._ports.fanout.subscribe(session.id, caller.seat) as subscription:
            incoming = Incoming(self._submitting, session, token, subscription.wake)
            taking = asyncio.create_task(incoming.run(read))
            try:
                async with contextlib.aclosing(self._watching.follow(session, caller, after, subscription)) as items:
                    # A refusal has revision 0 and waits for nothing, also where nothing has been told yet.
                    await self._answer(items, incoming, max(after or 0, 0), write)
            finally:
                taking.cancel()
                with contextlib.suppress(asyncio.CancelledError):
                    await taking

    async def _answer(self, items: AsyncIterator[Item], incoming: Incoming, last: int, write: Write) -> None:
        answers = incoming.answers
        async for item in items:
            response = self._response(item)
            if isinstance(item, Closed):
                await incoming.settle()
                await _acknowledge(answers, last, write)
            if isinstance(item, Snapshot):
                last = item.session.revision
            elif isinstance(item, Told):
                last = item.record.revision
                if answers and answers[0].revision == last:
                    response.acknowledgement.CopyFrom(answers.popleft())
            if not isinstance(item, Woken):
                await write(response)
            await _acknowledge(answers, last, write)
            if incoming.failure:
                raise incoming.failure
            if incoming.finished and not answers:
                return

    def _response(self, item: Item) -> wire.PlaySeatResponse:
        match item:
            case Snapshot():
                return wire.PlaySeatResponse(snapshot=write_snapshot(item, self._ports.now()))
            case Told(session, caller, record, view):
                return wire.PlaySeatResponse(update=write_update(session, caller, record, view))
            case Quiet():
                return wire.PlaySeatResponse(heartbeat=write_heartbeat(item, self._ports.now()))
            case Closed():
                return wire.PlaySeatResponse(closing=write_closing(item))
            case Woken():
                return wire.PlaySeatResponse()


async def _acknowledge(answers: deque[wire.Acknowledgement], last: int, write: Write) -> None:
    """Give the answers that are due: those whose updates have been told, up to this revision."""
    while answers and answers[0].revision <= last:
        await write(wire.PlaySeatResponse(acknowledgement=answers.popleft()))
