"""Streams of one process are told once something is durable, and are forgotten when they leave."""

import asyncio

from services.session.adapters.fanout import MOST_NEWS, LocalFanout
from services.session.domain.session import Record, Revision, Session, State, Step
from services.session.ports import News, Subscription

SESSION = Session("s", 1, "cabbages", State.PLAYING, (), b"", "1", b"", b"", None, 0, 0)
AT_ONCE = 200
SOON = 0.01


def news(revision: int) -> News:
    return News(SESSION, Revision(SESSION, Record(revision, 0, Step(), 0)))


def told(subscription: Subscription) -> list[int]:
    return [news.revision.record.revision for news in subscription.take() if news.revision]


async def test_whoever_listens_to_a_session_hears_of_it_and_of_no_other() -> None:
    fanout = LocalFanout()
    with fanout.subscribe("a") as first, fanout.subscribe("a") as second, fanout.subscribe("b") as other:
        fanout.publish("a", news(1))
        for subscription in (first, second):
            assert await subscription.wait(SOON)
            assert told(subscription) == [1]
            assert not subscription.take()
        assert not await other.wait(SOON)
        assert fanout.viewers("a") == set(), "nobody is known to want a view"
        first.viewers, second.viewers, other.viewers = (None,), (0,), (1,)
        assert fanout.viewers("a") == {None, 0}


async def test_news_that_came_before_the_wait_ends_it() -> None:
    fanout = LocalFanout()
    with fanout.subscribe("a") as subscription:
        for revision in range(3):
            fanout.publish("a", news(revision))
        assert await subscription.wait(SOON)
        assert told(subscription) == [0, 1, 2]
        assert not await subscription.wait(SOON)


async def test_a_slow_reader_loses_the_oldest_and_costs_little() -> None:
    fanout = LocalFanout()
    with fanout.subscribe("a") as subscription:
        for revision in range(10 * MOST_NEWS):
            fanout.publish("a", news(revision))
        assert told(subscription) == list(range(9 * MOST_NEWS, 10 * MOST_NEWS))


async def test_a_wake_ends_a_wait_without_news() -> None:
    fanout = LocalFanout()
    with fanout.subscribe("a") as subscription:
        waiting = asyncio.create_task(subscription.wait(10))
        await asyncio.sleep(0)
        subscription.wake()
        assert await waiting
        assert not subscription.take()


async def test_a_deletion_ends_the_wait_of_everybody_who_listens() -> None:
    fanout = LocalFanout()
    with fanout.subscribe("a") as one, fanout.subscribe("b") as other:
        fanout.publish_deletion("a", 7)
        assert await one.wait(SOON)
        assert (one.deleted, other.deleted) == (True, False)


async def test_nobody_is_left_when_everybody_has_gone() -> None:
    fanout = LocalFanout()

    async def listen(session: str) -> None:
        with fanout.subscribe(session) as subscription:
            subscription.viewers = (0,)
            await subscription.wait(10)

    listening = [asyncio.create_task(listen(f"s{number % 7}")) for number in range(AT_ONCE)]
    await asyncio.sleep(0)
    assert fanout.viewers("s0") == {0}
    for task in listening:
        task.cancel()
    await asyncio.gather(*listening, return_exceptions=True)
    assert fanout._subscriptions == {}
    fanout.publish("s0", news(1))


async def test_when_the_server_goes_everybody_is_woken_also_who_comes_late() -> None:
    fanout = LocalFanout()
    with fanout.subscribe("a") as early:
        assert not early.leaving
        fanout.leave()
        assert early.leaving
        assert await early.wait(SOON)
        with fanout.subscribe("a") as late:
            assert late.leaving
