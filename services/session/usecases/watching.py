"""Streams: every revision once and in order, whatever news is lost on the way.

A stream hears news from the fan-out, and takes a revision from it when it is the next one. Everything else comes from
the store: what it missed while nobody listened, while its reader was slow, or between two replicas. So its memory stays
small however slow the reader is, and a lost piece of news costs at most one heartbeat.
"""

from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator, Sequence
from functools import partial

from services.runtime.failure import Code, Failure
from services.runtime.single_flight import SingleFlight
from services.session.domain import failures
from services.session.domain.callers import Caller
from services.session.domain.session import Revision, Session, State
from services.session.ports import News, Ports, Subscription
from services.session.usecases.access import Access
from services.session.usecases.items import Closed, Ending, FactsChanged, Heartbeat, Item, Told, Woken
from services.session.usecases.reading import Reading

SECOND = 1_000_000
"""In microseconds."""
CATCH_UP = 32
"""Revisions read from the store at once."""
ASK_AGAIN = 1.0
"""In seconds: when a stream asks a store again that was away."""

LOOKS = 10
"""Looks at the store in a heartbeat for one session, however many streams of it are quiet."""

Missed = tuple[str, int, int]
"""So many revisions of a session, after one."""

Turn = Callable[[], Awaitable[None]]
"""Waits until another piece of the reader's work may begin: a long game is caught up with beside what others want."""


class Watching:
    """Follows sessions."""

    def __init__(self, ports: Ports, access: Access, reading: Reading, heartbeat: float) -> None:
        self._ports = ports
        self._access = access
        self._reading = reading
        self._heartbeat = heartbeat
        self._looks: SingleFlight[str, Session] = SingleFlight(kept_for=heartbeat / LOOKS)
        self._missed: SingleFlight[Missed, Sequence[Revision]] = SingleFlight(kept_for=heartbeat / LOOKS)

    async def follow(
        self,
        session: Session,
        caller: Caller,
        after: int | None,
        subscription: Subscription,
        turn: Turn,
        *,
        await_rematch: bool = False,
    ) -> AsyncGenerator[Item, None]:
        """Everything that happens, as the caller may know it: from a snapshot on, or from after a revision on.

        The session was loaded after the subscription began, so that whatever comes later is news. What everybody may
        know of it comes first. The stream ends with the session, or where a rematch is awaited with that. Raises
        Failure BAD_TOKEN once the caller has given its seat up, as what comes next may be another's; SESSION_NOT_FOUND
        once the session is deleted.
        """
        reader = _Reader(self._ports, self._access, session, caller, self._heartbeat)
        reader.begin(after)
        # Made before anything is told: whoever can't be shown the game is refused, and not broken off.
        snapshot = await self._reading.snapshot(session, caller) if after is None else None
        yield reader.facts_changed()
        if snapshot:
            yield snapshot
        while True:
            if reader.behind:
                async for item in reader.catch_up(turn, self._missed):
                    yield item
            if ending := _ending(reader, subscription, await_rematch=await_rematch):
                yield Closed(ending, reader.last)
                return
            woken, news = await subscription.wait(reader.patience()), subscription.take()
            if not news and not woken:
                await reader.look(self._looks)  # news may have been lost
                news = subscription.take()  # what has come meanwhile need not be read
            for item in reader.hear(news):
                yield item
            if not reader.patience():
                yield reader.heartbeat()
            elif woken and not news:
                yield Woken()


class _Reader:
    """What one reader has been told, and what is to be told next."""

    def __init__(self, ports: Ports, access: Access, session: Session, caller: Caller, heartbeat: float) -> None:
        self.session = session
        self.last = -1
        """The last revision that was told."""
        self._ports = ports
        self._access = access
        self._caller = caller
        self._seat = _seat_of(session, caller)
        self._known = session
        """The session whose public facts were told."""
        self._heartbeat = heartbeat
        self._told_at = ports.now()

    def begin(self, after: int | None) -> None:
        """Tell what comes after this revision, or after the newest. Raises Failure REVISION_NOT_FOUND."""
        self.last = self._newest if after is None else after
        if not -1 <= self.last <= self._newest:
            raise failures.revision_not_found(self.last)

    def _take(self, session: Session) -> None:
        self.session = session
        if _seat_of(session, self._caller) != self._seat:
            raise failures.bad_token()

    async def look(self, looks: SingleFlight[str, Session]) -> None:
        """See how the session is, or was a moment ago when another stream has looked. Raises Failure BAD_TOKEN.

        When the store is away, it is looked at again later.
        """
        try:
            seen = await looks.call(self.session.id, partial(self._access.load, self.session.id))
        except Failure as failure:
            if failure.code is not Code.UNAVAILABLE:
                raise
        else:
            if seen.version > self.session.version:
                self._take(seen)

    @property
    def behind(self) -> bool:
        """Whether there are revisions that were not told, as the store is away."""
        return self.last < self._newest

    @property
    def _newest(self) -> int:
        return self.session.head.revision if self.session.head else -1

    def patience(self) -> float:
        """How many seconds the stream may be silent from now on; or until the store is asked again that was away."""
        silence = max(self._heartbeat - (self._ports.now() - self._told_at) / SECOND, 0.0)
        return min(silence, ASK_AGAIN) if self.behind else silence

    def heartbeat(self) -> Heartbeat:
        """Nothing has happened for a heartbeat."""
        self._told_at = self._ports.now()
        return Heartbeat(self.last)

    def facts_changed(self) -> FactsChanged:
        """What everybody may know now."""
        self._known = self.session
        self._told_at = self._ports.now()
        return FactsChanged(self.session, self.last)

    def hear(self, news: Sequence[News]) -> Iterator[Item]:
        """What is told of the news: facts that have changed, and the revisions that go on from the last one.

        Raises Failure BAD_TOKEN once the caller has given its seat up.
        """
        for heard in news:
            if heard.session.version > self.session.version:
                self._take(heard.session)
        if not _same_facts(self.session, self._known):
            yield self.facts_changed()
        self._known = self.session
        for heard in news:
            if heard.revision and heard.revision.record.revision == self.last + 1:
                yield self._tell(heard.revision)

    async def catch_up(
        self, turn: Turn, missed: SingleFlight[Missed, Sequence[Revision]]
    ) -> AsyncGenerator[Item, None]:
        """What the session has beyond what was told, from the store, as far as that answers.

        Of many who have missed the same, one reads it, and what is written of it for one is there for all.
        """
        while self.last < (newest := self._newest):
            which = (self.session.id, self.last, min(CATCH_UP, newest - self.last))
            try:
                revisions = await missed.call(which, partial(self._read, *which))
            except Failure as failure:
                if failure.code is not Code.UNAVAILABLE:
                    raise
                return
            if not revisions:
                return  # they were deleted meanwhile: the next look says so
            for revision in revisions:
                await turn()
                yield self._tell(revision)

    async def _read(self, session_id: str, after: int, limit: int) -> Sequence[Revision]:
        records = await self._ports.store.records(session_id, after, limit)
        return [Revision(self.session, record) for record in records]

    def _tell(self, revision: Revision) -> Told:
        self.last = revision.record.revision
        self._told_at = self._ports.now()
        return Told(revision)


def _seat_of(session: Session, caller: Caller) -> bytes | None:
    """What tells whether a seat is still the caller's."""
    return None if caller.seat is None else session.seats[caller.seat].token_hash


def _same_facts(one: Session, other: Session) -> bool:
    """Whether all is the same that everybody may know of a session and no revision tells."""
    return (
        one.seats == other.seats
        and one.rematch == other.rematch
        and (one.state is State.ABORTED) == (other.state is State.ABORTED)
    )


def _ending(reader: _Reader, subscription: Subscription, *, await_rematch: bool) -> Ending | None:
    """Why the stream ends now, if it does. Raises Failure SESSION_NOT_FOUND once the session is deleted."""
    session = reader.session
    if not reader.behind and session.state.ended and (session.rematch or not await_rematch):
        return Ending.SESSION_ENDED
    if subscription.deleted:
        raise failures.session_not_found(session.name)
    return Ending.GOING_AWAY if subscription.leaving else None
