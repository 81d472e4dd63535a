"""Streams: every revision once and in order, whatever news is lost on the way.

A stream hears news from the fan-out, and takes a revision from it when it is the next one. Everything else comes from
the store: what it missed while nobody listened, while its reader was slow, or between two replicas. So its memory stays
small however slow the reader is, and a lost piece of news costs at most one heartbeat.
"""

from collections.abc import AsyncGenerator, Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum

from services.session.domain import failures
from services.session.domain.callers import Caller
from services.session.domain.session import Revision, Session
from services.session.ports import News, Ports, Subscription
from services.session.usecases.access import Access
from services.session.usecases.reading import Reading, Snapshot

CATCH_UP = 100
"""Revisions read from the store at once."""


class Ending(IntEnum):
    """Why a stream ends. The numbers are the wire's."""

    SESSION_ENDED = 1
    GOING_AWAY = 2


@dataclass(frozen=True, slots=True)
class Told:
    """The next revision."""

    what: Revision

    @property
    def revision(self) -> int:
        """The reader has it now."""
        return self.what.record.revision


@dataclass(frozen=True, slots=True)
class Heartbeat:
    """Nothing has happened for a heartbeat."""

    revision: int


@dataclass(frozen=True, slots=True)
class Woken:
    """A wait is over, and nothing was to be told."""


@dataclass(frozen=True, slots=True)
class Closed:
    """The last item: why the stream ends, and where to resume."""

    ending: Ending
    revision: int


Item = Snapshot | Told | Heartbeat | Woken | Closed


class Watching:
    """Follows sessions."""

    def __init__(self, ports: Ports, access: Access, reading: Reading, heartbeat: float) -> None:
        self._ports = ports
        self._access = access
        self._reading = reading
        self._heartbeat = heartbeat

    async def follow(
        self, session: Session, caller: Caller, after: int | None, subscription: Subscription
    ) -> AsyncGenerator[Item, None]:
        """Everything that happens, as the caller may know it: from a snapshot on, or from after a revision on.

        Raises Failure BAD_TOKEN once the caller has given its seat up: what comes next may be another's.
        """
        seat = _seat_of(session, caller)
        # Loaded anew since the subscription began: whatever comes later is news.
        session = await self._load(session.id, caller, seat)
        newest = session.head.revision if session.head else -1
        if after is None:
            yield await self._reading.snapshot(session, caller)
        elif not -1 <= after <= newest:
            raise failures.revision_not_found(after)
        last = newest if after is None else after
        while True:
            if session.head and last < session.head.revision:
                async for told in self._missed(session, session.head.revision, last):
                    yield told
                    last = told.revision
            if ending := _ending(session, subscription):
                yield Closed(ending, last)
                return
            before, woken, news = last, await subscription.wait(self._heartbeat), subscription.take()
            # Whatever comes after this is news, too.
            session = await self._load(session.id, caller, seat)
            for revision in _following(last, news):
                yield Told(revision)
                last = revision.record.revision
            if not woken or (news and last == before):
                # A join is news and no revision: the silence must not begin anew with each.
                yield Heartbeat(last)
            elif last == before:
                yield Woken()

    async def _load(self, session_id: str, caller: Caller, seat: bytes | None) -> Session:
        """The session as it is now, for as long as the caller's seat is its own."""
        session = await self._access.load(session_id)
        if _seat_of(session, caller) != seat:
            raise failures.bad_token()
        return session

    async def _missed(self, session: Session, newest: int, last: int) -> AsyncGenerator[Told, None]:
        """What the session has beyond the last revision told."""
        while last < newest:
            for record in await self._ports.store.records(session.id, last, min(CATCH_UP, newest - last)):
                yield Told(Revision(session, record))
                last = record.revision


def _seat_of(session: Session, caller: Caller) -> bytes | None:
    """What tells whether a seat is still the caller's."""
    return None if caller.seat is None else session.seats[caller.seat].token_hash


def _ending(session: Session, subscription: Subscription) -> Ending | None:
    if session.state.ended:
        return Ending.SESSION_ENDED
    return Ending.GOING_AWAY if subscription.leaving else None


def _following(last: int, heard: Sequence[News]) -> Iterator[Revision]:
    """The revisions among the news that go on from the last one without a gap."""
    for news in heard:
        if news.revision and news.revision.record.revision == last + 1:
            yield news.revision
            last += 1
