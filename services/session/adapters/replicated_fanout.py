"""The fan-out of one replica of several: what others have changed is followed once for all who watch it here.

A hint says that a session has changed elsewhere. When somebody watches it here, it is loaded once, the revisions that
were not published here yet are read once, and each is published once: so the views of a revision are made once, too,
however many watch. Hints that come meanwhile lead to one look more. Of any other session a hint only makes the store
forget what it has seen of it before.

What is played here is published at once, unless a revision before it was played elsewhere and has not been heard of:
then that one goes first, as streams take revisions in order, and each of them would have to read it by itself.
"""

import asyncio
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from contextlib import contextmanager

import structlog

from services.runtime.failure import Failure
from services.session.adapters.fanout import MOST_NEWS, LocalFanout, LocalSubscription
from services.session.domain.session import Record, Revision, Session
from services.session.ports import Hints, News, SessionStore, Viewer

BEFORE_FIRST = 8
"""Revisions that are read of a session of which nothing was published here: its watchers have seen all but the last."""
AT_ONCE = 16
"""Sessions that are looked at side by side: all of them are once hints were missed."""
ASK_AGAIN = 1.0
"""In seconds: when a store is asked again that was away."""

log = structlog.get_logger()


class _Followed:
    """A session that somebody watches here, and how much of it was published."""

    __slots__ = ("made", "revision", "task", "version", "wanted", "watchers")

    def __init__(self) -> None:
        self.watchers = 0
        self.version = 0
        self.revision: int | None = None
        """The last one that was published here. None: nothing was yet."""
        self.wanted = 0
        """The version to look for."""
        self.made: dict[int, News] = {}
        """What was played here and waits for a revision before it."""
        self.task: asyncio.Task[None] | None = None

    def publishes(self, session: Session) -> None:
        """Note what is published."""
        self.version, self.revision = session.version, _number(session)

    def lacks_one_before(self, news: News) -> bool:
        """Whether there is a revision before the news that was not published here."""
        before = _number(news.session) - (news.revision is not None)
        return self.revision is not None and self.revision < before


class ReplicatedFanout:
    """Tells the streams of this process, and other replicas that there is something new; and hears of them."""

    def __init__(self, local: LocalFanout, hints: Sequence[Hints], store: SessionStore) -> None:
        self._local = local
        self._hints = hints
        self._store = store
        self._followed: dict[str, _Followed] = {}
        self._places = asyncio.Semaphore(AT_ONCE)
        for each in hints:
            each.listen(self._heard, self._missed)

    @contextmanager
    def subscribe(self, session_id: str) -> Iterator[LocalSubscription]:
        """Hear of a session, until the context is left."""
        followed = self._followed.setdefault(session_id, _Followed())
        followed.watchers += 1
        try:
            with self._local.subscribe(session_id) as subscription:
                yield subscription
        finally:
            followed.watchers -= 1
            if not followed.watchers:
                del self._followed[session_id]
                if followed.task:
                    followed.task.cancel()

    def viewers(self, session_id: str) -> AbstractSet[Viewer]:
        """Whose views are worth making with the next revision."""
        return self._local.viewers(session_id)

    def publish(self, session_id: str, news: News) -> None:
        """Tell everybody who listens here, and let other replicas look."""
        for each in self._hints:
            each.tell(session_id, news.session.version)
        followed = self._followed.get(session_id)
        if followed is None or news.session.version <= followed.version:
            return
        if followed.lacks_one_before(news):
            if news.revision:
                followed.made[news.revision.record.revision] = news
            self._look(session_id, followed, news.session.version)
        else:
            followed.publishes(news.session)
            self._local.publish(session_id, news)

    def publish_deletion(self, session_id: str, version: int) -> None:
        """Tell everybody who listens here, and let other replicas look."""
        for each in self._hints:
            each.tell(session_id, version)
        self._local.publish_deletion(session_id, version)

    async def close(self) -> None:
        """Look at nothing any more."""
        tasks = [followed.task for followed in self._followed.values() if followed.task]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _heard(self, session_id: str, version: int) -> None:
        self._store.outdate(session_id, version)
        followed = self._followed.get(session_id)
        if followed and version > followed.version:
            self._look(session_id, followed, version)

    def _missed(self) -> None:
        """Look at everything that is watched here: whatever has changed in it was perhaps not heard of."""
        for session_id, followed in self._followed.items():
            self._look(session_id, followed, followed.version + 1)

    def _look(self, session_id: str, followed: _Followed, version: int) -> None:
        """Look soon whether the session is at this version; one look at a time."""
        followed.wanted = max(followed.wanted, version)
        if followed.task is None or followed.task.done():
            followed.task = asyncio.create_task(self._follow(session_id, followed))

    async def _follow(self, session_id: str, followed: _Followed) -> None:
        """Publish what others have changed, until nothing more is known to be new."""
        while followed.wanted > followed.version:
            wanted = followed.wanted
            try:
                async with self._places:
                    session, records = await self._read(session_id, followed.revision)
            except Failure as failure:
                log.info("a followed session waits", session=session_id, reason=failure.reason)
                self._publish_made(session_id, followed)
                await asyncio.sleep(ASK_AGAIN)
                continue
            except Exception:  # streams go on: they look for themselves at each heartbeat
                log.exception("incident", where="fan-out", session=session_id)
            else:
                if session:
                    self._publish(session_id, followed, session, records)
                else:
                    self._local.publish_deletion(session_id, wanted)
            if followed.wanted == wanted:
                followed.wanted = followed.version  # a hint may name a version that isn't there
        self._publish_made(session_id, followed)

    async def _read(self, session_id: str, last: int | None) -> tuple[Session | None, Sequence[Record]]:
        """The session as it is, and the latest revisions after this one, as many as streams may leave untaken."""
        session = await self._store.load(session_id)
        if session is None or session.head is None:
            return session, ()
        newest = session.head.revision
        if last is not None and newest <= last + 1:
            return session, (session.head,)
        after = max(newest - BEFORE_FIRST if last is None else last, newest - MOST_NEWS, -1)
        return session, await self._store.records(session_id, after, newest - after)

    def _publish(self, session_id: str, followed: _Followed, session: Session, records: Sequence[Record]) -> None:
        """Publish what was not published here meanwhile: without a pause, so that streams find all there is to take."""
        if session.version <= followed.version:
            return
        last = -1 if followed.revision is None else followed.revision
        new = [record for record in records if record.revision > last]
        for record in new:
            made = followed.made.pop(record.revision, None)
            revision = made.revision if made else Revision(session, record)
            self._local.publish(session_id, News(session, revision))
        if not new:
            self._local.publish(session_id, News(session))
        followed.publishes(session)

    def _publish_made(self, session_id: str, followed: _Followed) -> None:
        """Publish what was played here although something before it could not be had: streams look for that."""
        for revision in sorted(followed.made):
            news = followed.made.pop(revision)
            if news.session.version > followed.version:
                followed.publishes(news.session)
                self._local.publish(session_id, news)


def _number(session: Session) -> int:
    """The latest revision. -1 before the start."""
    return session.head.revision if session.head else -1
