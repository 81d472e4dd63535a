"""The order of checks, and the one transaction of a move.

Session, token, request id, etag, state, game, then the rules, outside any transaction, then the transaction:
compare-and-swap on the version, append the revision, remember the request. If the etag came before the request id, the
retry of a move that had been accepted would be told that its own first attempt made it stale.
"""

from collections.abc import Set as AbstractSet
from functools import partial
from hashlib import sha256

from monsters.rules.v1 import opaque_pb2 as opaque
from msgspec import Struct

from services.kernel.refusals import Flaw
from services.runtime.failure import Failure, malformed
from services.session.domain import failures
from services.session.domain.callers import Caller
from services.session.domain.clocks import deadline_after
from services.session.domain.secrets import hash_of
from services.session.domain.session import LONGEST, Record, Revision, Session
from services.session.ports import Change, News, Ports, RememberedRequest, Viewer
from services.session.usecases.access import Access, check_goes_on


class Action(Struct, frozen=True):
    """What is played: a move of some type, or its one-line text."""

    type_name: str
    move: bytes
    text: str


class Submission(Struct, frozen=True):
    """One submit, whichever way it came in."""

    action: Action
    request_id: str
    etag: str

    def body_of(self, caller: Caller) -> bytes:
        """The hash of everything but the request id."""
        action = self.action
        said = (caller.seat, caller.host, action.type_name, action.move, action.text, self.etag)
        return sha256(repr(said).encode()).digest()


class Submitted(Struct, frozen=True):
    """A move that is durable, and what it led to."""

    caller: Caller
    revision: Revision


class Submitting:
    """Plays moves."""

    def __init__(self, ports: Ports, access: Access, longest: int = LONGEST) -> None:
        self._ports = ports
        self._access = access
        self._longest = longest
        """How many moves a session may have."""

    async def submit(self, session_id: str, token: str | None, seat: int | None, submission: Submission) -> Submitted:
        """Play a move once. Raises Failure: one for each check, in their order.

        Whether the request has had its answer is only looked up when the move is not accepted. Nearly every request is
        new, and one that was accepted before never is again: its id is taken. It is tried first on the session as it
        was last seen here. What that accepts is proven when it is saved; what it refuses may be out of date.
        """
        session = await self._access.recall(session_id)
        while True:
            answer = await self._attempt(session, token, seat, submission)
            if isinstance(answer, Submitted):
                return answer
            latest = await self._access.load(session_id)
            if answer and latest.version == session.version:
                raise answer
            session = latest

    async def _attempt(
        self, session: Session, token: str | None, seat: int | None, submission: Submission
    ) -> Submitted | Failure | None:
        """One attempt on a session as it was. None: somebody was faster."""
        try:
            caller = self._access.player(session, token, seat)
        except Failure as failure:
            return failure
        body = submission.body_of(caller)
        refusal = None
        try:
            if submitted := await self._submit(session, caller, submission, body):
                return submitted
        except Failure as failure:
            refusal = failure
        if submission.request_id and (answered := await self._answered(session.id, submission, body)):
            return Submitted(caller, answered)
        return refusal

    async def _submit(self, session: Session, caller: Caller, submission: Submission, body: bytes) -> Submitted | None:
        if submission.etag and submission.etag != session.etag:
            raise failures.stale_session(session.etag)
        remember = (
            RememberedRequest(session.id, hash_of(submission.request_id), body, session.id, session.revision + 1)
            if submission.request_id
            else None
        )
        return await self.play(session, caller, submission.action, remember)

    async def play(
        self,
        session: Session,
        caller: Caller,
        action: Action,
        remember: RememberedRequest | None = None,
        *,
        by_player: bool = True,
    ) -> Submitted | None:
        """Play a move on this very revision, or give None when somebody was faster. Raises Failure.

        A player is answered, and has touched the session. For a time-out or a stand-in's move views are made for those
        alone who watch.
        """
        head = _head(session)
        _same_game(session, action)
        revision = head.revision + 1
        viewers = {*self._ports.fanout.viewers(session.id), *((caller.seat,) if by_player else ())}
        step = await self._apply(session, self._request(session, caller, action, head, viewers))
        views: dict[Viewer, opaque.SeatView] = {
            view.seat if view.HasField("seat") else None: view for view in step.views
        }
        rules_version = step.rules_version
        step.ClearField("views")
        step.ClearField("rules_version")  # of the record
        step.ClearField("chance")  # derived from the server seed: neither stored nor told before the end
        now = session.after(self._ports.now())
        deadline = deadline_after(session, step, now, by_host=caller.host)
        record = Record(revision, caller.seat, step, now, deadline, rules_version)
        after = session.with_record(record, touched=by_player, longest=self._longest)
        told = Revision(after, record, views)
        tell = partial(self._ports.fanout.publish, session.id, News(after, told))
        change = Change(after, record, remember=remember, moves_alarm=after.alarm != session.alarm)
        if not await self._ports.store.save(change, tell):
            return None
        return Submitted(caller, told)

    async def _answered(self, session_id: str, submission: Submission, body: bytes) -> Revision | None:
        """The revision that this very request has led to before."""
        seen = await self._ports.store.find_request(session_id, hash_of(submission.request_id))
        if seen is None:
            return None
        if seen.body != body:
            raise failures.request_id_reused(submission.request_id)
        session = await self._access.load(session_id)  # the one before may be from before the request's revision
        return Revision(session, await self._access.record(session, seen.number))

    async def _apply(self, session: Session, request: opaque.ApplyMoveRequest) -> opaque.ApplyMoveResponse:
        try:
            return await self._ports.rules.apply(session.game, session.rules_version, request)
        except Failure as failure:
            failures.hide_position(failure)
            if any(flaw.field == "move_text" for flaw in failure.flaws):  # our own requests call it text
                raise malformed(*(Flaw("text", flaw.description) for flaw in failure.flaws)) from None
            raise

    def _request(
        self, session: Session, caller: Caller, action: Action, head: Record, viewers: AbstractSet[Viewer]
    ) -> opaque.ApplyMoveRequest:
        request = opaque.ApplyMoveRequest(
            position=head.step.position, move=action.move, move_text=action.text, seat=caller.seat
        )
        # Filled in place: a message that is built first and then put into another is copied.
        request.chance.seed = session.seed_of(head.revision + 1)
        request.view_for.moves, request.view_for.spectator = True, None in viewers
        request.view_for.seats.extend(sorted(seat for seat in viewers if seat is not None))
        return request


def _head(session: Session) -> Record:
    check_goes_on(session)
    if session.head is None:
        raise failures.session_not_started(session.name)
    return session.head


def _same_game(session: Session, action: Action) -> None:
    if not action.text and action.type_name != f"monsters.{session.game}.v1.Move":
        raise failures.wrong_game(session.game, action.type_name)
