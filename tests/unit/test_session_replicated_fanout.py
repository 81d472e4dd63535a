"""A session that is played elsewhere is followed once for all who watch it here: every revision once and in order."""

import asyncio

import pytest

from services.session.adapters.fanout import MOST_NEWS, LocalFanout
from services.session.adapters.replicated_fanout import ReplicatedFanout
from services.session.domain.session import Record, Revision, Session, State, Step
from services.session.ports import News, Subscription
from tests.support.replicas import CountingStore, Wires, until

ID = "s"


def at(revision: int, version: int | None = None) -> Session:
    """A session at a revision; its version is one more unless it is given."""
    head = Record(revision, 0, Step(), 0)
    version = revision + 1 if version is None else version
    return Session(ID, version, "cabbages", State.PLAYING, (), b"", "1", b"", b"", None, 0, 0, head)


def news_of(session: Session) -> News:
    assert session.head is not None
    return News(session, Revision(session, session.head))


class Played:
    """A fan-out over a store in which others play."""

    def __init__(self) -> None:
        self.store = CountingStore()
        self.wires = Wires()
        self.fanout = ReplicatedFanout(LocalFanout(), [self.wires], self.store)

    def play(self, revision: int) -> Session:
        """Another replica plays up to this revision."""
        for number in range(len(self.store._records.get(ID, ())), revision + 1):
            self.store._keep(at(number), at(number).head, None)
        return at(revision)

    async def settle(self) -> None:
        """Wait until everything that is to be looked at was."""
        await until(lambda: all(each.task is None or each.task.done() for each in self.fanout._followed.values()))


def told(subscription: Subscription) -> list[int]:
    return [news.revision.record.revision for news in subscription.take() if news.revision]


async def test_what_is_played_here_is_told_here_and_to_the_others() -> None:
    played = Played()
    with played.fanout.subscribe(ID) as subscription:
        played.fanout.publish(ID, news_of(at(0)))
        assert told(subscription) == [0], "at once"
    assert played.wires.told == [(ID, 1)]
    played.fanout.publish("unwatched", news_of(at(4)))
    assert played.wires.told[-1] == ("unwatched", 5)


async def test_what_was_seen_of_a_session_before_a_hint_is_out_of_date(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether it is watched or not: it may be over by now, and would be remembered for ever."""
    played, outdated = Played(), []
    monkeypatch.setattr(played.store, "outdate", lambda *heard: outdated.append(heard))
    played.wires.heard("unwatched", 4)
    with played.fanout.subscribe(ID):
        played.wires.heard(ID, 1)
    assert outdated == [("unwatched", 4), (ID, 1)]


async def test_what_nobody_watches_here_costs_nothing() -> None:
    played = Played()
    played.play(3)
    played.wires.heard(ID, 4)
    with played.fanout.subscribe("another"):
        played.wires.heard(ID, 4)
        await played.settle()
    assert (played.store.loads, played.store.reads) == (0, 0)
    assert played.fanout._followed == {}


async def test_a_move_elsewhere_is_loaded_once_and_is_one_revision_for_all() -> None:
    played = Played()
    with played.fanout.subscribe(ID) as one, played.fanout.subscribe(ID) as other:
        played.fanout.publish(ID, news_of(played.play(0)))
        for subscription in (one, other):
            subscription.take()
        played.play(1)
        for _ in range(5):
            played.wires.heard(ID, 2)
        await played.settle()
        ((first,), (second,)) = one.take(), other.take()
        assert first.revision is second.revision
        assert first.revision is not None
        assert first.revision.record.revision == 1
        played.wires.heard(ID, 2)
        played.wires.heard(ID, 1)
        await played.settle()
    assert (played.store.loads, played.store.reads) == (1, 0), "the latest revision comes with the session"


async def test_hints_that_come_during_a_look_are_one_look_more() -> None:
    played = Played()
    with played.fanout.subscribe(ID) as subscription:
        played.fanout.publish(ID, news_of(played.play(0)))
        played.store.open.clear()
        played.play(1)
        played.wires.heard(ID, 2)
        await asyncio.sleep(0.01)
        for revision in range(2, 7):
            played.play(revision)
            played.wires.heard(ID, revision + 1)
        played.store.open.set()
        await played.settle()
        assert told(subscription) == list(range(7))
    assert (played.store.loads, played.store.reads) == (2, 1)


async def test_what_was_missed_is_looked_for() -> None:
    played = Played()
    with played.fanout.subscribe(ID) as subscription:
        played.fanout.publish(ID, news_of(played.play(0)))
        played.play(3)
        played.wires.missed()
        await played.settle()
        assert told(subscription) == [0, 1, 2, 3]
        played.wires.missed()
        await played.settle()
        assert not subscription.take(), "there was nothing new"


async def test_a_deletion_is_told_here_and_to_the_others() -> None:
    played = Played()
    with played.fanout.subscribe(ID) as subscription:
        played.fanout.publish_deletion(ID, 7)
        assert subscription.deleted
    assert played.wires.told == [(ID, 7)]


async def test_a_deletion_elsewhere_is_found_by_one_look_and_told_to_all() -> None:
    played = Played()
    with played.fanout.subscribe(ID) as one, played.fanout.subscribe(ID) as other:
        played.fanout.publish(ID, news_of(played.play(0)))
        assert await played.store.delete(at(0))
        played.wires.heard(ID, 1)
        await played.settle()
        assert not one.deleted, "the version was known here, so nothing was looked at"
        played.wires.heard(ID, 2)
        await played.settle()
        assert one.deleted
        assert other.deleted
    assert played.store.loads == 1


async def test_a_store_that_is_away_deletes_nothing() -> None:
    played = Played()
    with played.fanout.subscribe(ID) as subscription:
        played.fanout.publish(ID, news_of(played.play(0)))
        played.store.away = True
        played.wires.heard(ID, 2)
        await until(lambda: played.store.loads)
        await asyncio.sleep(0.01)
        assert not subscription.deleted


async def test_no_more_is_read_than_streams_keep() -> None:
    played = Played()
    with played.fanout.subscribe(ID) as subscription:
        played.fanout.publish(ID, news_of(played.play(0)))
        subscription.take()
        played.play(500)
        played.wires.heard(ID, 501)
        await played.settle()
        assert told(subscription) == list(range(501 - MOST_NEWS, 501))
    assert played.store.reads == 1


async def test_facts_alone_are_told_without_a_revision() -> None:
    played = Played()
    with played.fanout.subscribe(ID) as subscription:
        played.fanout.publish(ID, news_of(played.play(0)))
        subscription.take()
        played.store._sessions[ID] = at(0, version=2)
        played.wires.heard(ID, 2)
        await played.settle()
        (news,) = subscription.take()
        assert (news.session.version, news.revision) == (2, None)


async def test_what_is_played_here_waits_for_what_was_played_elsewhere_before() -> None:
    """And it is the revision that was made here, with its views, which is told then."""
    played = Played()
    with played.fanout.subscribe(ID) as subscription:
        played.fanout.publish(ID, news_of(played.play(0)))
        subscription.take()
        made = news_of(played.play(2))  # revision 1 is another replica's, of which no hint has come
        played.fanout.publish(ID, made)
        await played.settle()
        first, second = subscription.take()
        assert first.revision is not None
        assert first.revision.record.revision == 1
        assert second.revision is made.revision
        played.wires.heard(ID, 2)
        await played.settle()
        assert not subscription.take()
    assert (played.store.loads, played.store.reads) == (1, 1)


async def test_what_is_published_here_meanwhile_is_not_told_twice() -> None:
    played = Played()
    with played.fanout.subscribe(ID) as subscription:
        played.fanout.publish(ID, news_of(played.play(0)))
        played.store.open.clear()
        played.play(1)
        played.wires.heard(ID, 2)
        await asyncio.sleep(0.01)
        played.fanout.publish(ID, news_of(at(1)))
        played.store.open.set()
        await played.settle()
        assert told(subscription) == [0, 1]


async def test_a_hint_of_a_version_that_is_not_there_is_one_look_and_no_more() -> None:
    played = Played()
    with played.fanout.subscribe(ID) as subscription:
        played.fanout.publish(ID, news_of(played.play(0)))
        subscription.take()
        played.wires.heard(ID, 2**40)
        await played.settle()
        assert not subscription.take()
        assert played.store.loads == 1
        played.play(1)
        played.wires.heard(ID, 2)
        await played.settle()
        assert told(subscription) == [1]
        played.wires.heard("gone", 2**40)
    assert played.fanout._followed == {}


async def test_a_session_that_was_deleted_is_no_incident() -> None:
    played = Played()
    with played.fanout.subscribe(ID) as subscription:
        played.wires.heard(ID, 7)
        await played.settle()
        assert not subscription.take()


async def test_while_the_store_is_away_nothing_that_is_played_here_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Streams look by themselves for what was played elsewhere before."""
    monkeypatch.setattr("services.session.adapters.replicated_fanout.ASK_AGAIN", 0.01)
    played = Played()
    with played.fanout.subscribe(ID) as subscription:
        played.fanout.publish(ID, news_of(played.play(0)))
        played.store.away = True
        played.fanout.publish(ID, news_of(played.play(2)))
        await played.settle()
        assert told(subscription) == [0, 2]
        played.play(3)
        played.wires.heard(ID, 4)
        await until(lambda: played.store.loads >= 3)  # asked again and again
        played.store.away = False
        await played.settle()
        assert told(subscription) == [3]


async def test_nothing_is_looked_at_any_more_when_nobody_watches_or_the_server_goes() -> None:
    played = Played()
    played.play(0)
    played.store.open.clear()
    with played.fanout.subscribe(ID):
        played.wires.heard(ID, 1)
        task = played.fanout._followed[ID].task
        await asyncio.sleep(0)
    assert task is not None
    await asyncio.gather(task, return_exceptions=True)
    assert task.cancelled()
    with played.fanout.subscribe(ID):
        played.wires.heard(ID, 1)
        await asyncio.sleep(0)
        await played.fanout.close()
        (task,) = [each.task for each in played.fanout._followed.values()]
        assert task is not None
        assert task.cancelled()
