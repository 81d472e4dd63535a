"""Who is let in, whose turn it is, how often, and where callers come from."""

import asyncio
import time
from collections import Counter

import pytest

from services.runtime import rates
from services.runtime.admission import Gate, Refusals
from services.runtime.failure import Failure
from services.runtime.origins import Origin, Origins, read_networks
from services.runtime.rates import Rate
from services.runtime.turns import MANY, MOST_ARRIVALS, Turns
from services.runtime.unread import UnreadWrites

LOCAL = Origin("local", trusted=True)
TRUSTED = read_networks("127.0.0.0/8, ::1,10.0.0.0/8")


def test_a_gate_lets_in_as_many_as_it_may() -> None:
    gate = Gate(2)
    with gate.entered("a"), gate.entered("b"):
        with pytest.raises(Failure) as caught:
            gate.enter("c")
        assert (caught.value.reason, caught.value.metadata) == ("RATE_LIMITED", {"limit": "2"})
        assert caught.value.retry_after
        assert gate.under_way == 2
    assert gate.under_way == 0


def test_whoever_fails_leaves_room() -> None:
    gate = Gate(1)
    for _ in range(3):
        with pytest.raises(KeyError), gate.entered("a"):
            raise KeyError
    assert gate.under_way == 0


def test_a_caller_has_a_share() -> None:
    gate = Gate(10, of_a_caller=2)
    gate.enter("greedy")
    gate.enter("greedy")
    with pytest.raises(Failure) as caught:
        gate.enter("greedy")
    assert caught.value.metadata == {"limit": "2"}
    gate.enter("modest")
    gate.leave("greedy")
    gate.enter("greedy")


def test_a_caller_with_few_calls_is_let_in_when_others_have_all_places() -> None:
    gate = Gate(4, kept=2)
    for _ in range(4):
        gate.enter("greedy")
    gate.enter("modest")
    gate.enter("modest")
    for caller in ("modest", "greedy"):
        with pytest.raises(Failure):
            gate.enter(caller)


@pytest.mark.parametrize(("sizes", "waiting"), [((1, 1, 1), 2), ((90, 20, 10), 2), ((101, 0, 0), 2)])
async def test_so_many_calls_wait_to_be_refused_and_others_are_told_at_once(sizes: tuple[int], waiting: int) -> None:
    refusals, turn = Refusals(most=2, most_bytes=100), asyncio.Event()

    async def refused(size: int) -> None:
        await refusals.wait(size, turn.wait)

    tasks = [asyncio.create_task(refused(size)) for size in sizes]
    await asyncio.sleep(0.01)
    assert (refusals.waiting, sum(task.done() for task in tasks)) == (waiting, len(sizes) - waiting)
    tasks[-1].cancel()
    turn.set()
    await asyncio.wait(tasks, timeout=10)
    assert (refusals.waiting, refusals._bytes) == (0, 0)


@pytest.mark.parametrize(
    ("peer", "forwarded", "origin"),
    [
        ("ipv4:203.0.113.7:4321", "", Origin("203.0.113.7")),
        ("ipv4:203.0.113.7:1", "198.51.100.1", Origin("203.0.113.7")),
        ("ipv4:127.0.0.1:4321", "", Origin("ipv4:127.0.0.1:4321", trusted=True)),
        ("ipv4:127.0.0.1:4321", "203.0.113.7", Origin("203.0.113.7")),
        ("ipv4:127.0.0.1:4321", "198.51.100.1, 203.0.113.7", Origin("203.0.113.7")),
        ("ipv4:127.0.0.1:4321", "127.0.0.1", Origin("127.0.0.1", trusted=True)),
        ("ipv4:127.0.0.1:4321", "nonsense", Origin("ipv4:127.0.0.1:4321", trusted=True)),
        ("ipv6:%5B::1%5D:4321", "", Origin("ipv6:%5B::1%5D:4321", trusted=True)),
        ("ipv6:%5B2001:db8:1:2:3:4:5:6%5D:4321", "", Origin("2001:db8:1:2::/64")),
        ("ipv6:[2001:db8:1:2::9]:1", "", Origin("2001:db8:1:2::/64")),
        ("ipv6:%5B::ffff:203.0.113.7%5D:1", "", Origin("203.0.113.7")),
        ("ipv6:%5Bfe80::1%25eth0%5D:1", "", Origin("fe80::/64")),
        ("unix:/run/lair.sock", "", Origin("unix:/run/lair.sock", trusted=True)),
        ("unix:", "203.0.113.7", Origin("203.0.113.7")),
    ],
)
def test_a_caller_is_an_address_and_a_trusted_one_a_connection(peer: str, forwarded: str, origin: Origin) -> None:
    assert Origins(TRUSTED).of(peer, forwarded) == origin


def test_only_the_entry_of_the_first_proxy_that_is_ours_is_believed() -> None:
    forwarded = "1.1.1.1, 203.0.113.7, 10.1.1.1"
    assert Origins(TRUSTED, proxies=1).of("ipv4:10.0.0.9:1", forwarded).key == "203.0.113.7"
    assert Origins(TRUSTED, proxies=8).of("ipv4:10.0.0.9:1", forwarded).key == "1.1.1.1"


@pytest.mark.parametrize("text", ["nonsense", "127.0.0.1/8", "10.0.0.0/8;::1"])
def test_what_is_no_network_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"network|address|host bits"):
        read_networks(text)


async def test_callers_begin_by_turns_however_much_one_of_them_wants() -> None:
    turns, begun = Turns(within=0), list[str]()

    async def work(caller: str) -> None:
        await turns.turn(caller)
        begun.append(caller)

    async with asyncio.TaskGroup() as tasks:
        for _ in range(100):
            tasks.create_task(work("greedy"))
        for caller in ("b", "c"):
            tasks.create_task(work(caller))
    assert Counter(begun) == {"greedy": 100, "b": 1, "c": 1}
    assert {"b", "c"} <= set(begun[:8])


async def test_who_has_had_least_is_next_however_dear_the_work_of_others() -> None:
    turns, begun = Turns(within=0), list[str]()

    async def work(caller: str, seconds: float) -> None:
        await turns.turn(caller)
        begun.append(caller)
        time.sleep(seconds)  # noqa: ASYNC251  work without a pause

    async with asyncio.TaskGroup() as tasks:
        for _ in range(5):
            tasks.create_task(work("dear", 0.02))
        for _ in range(5):
            tasks.create_task(work("cheap", 0.0))
    assert begun.index("dear") <= 1
    assert begun[2:7].count("cheap") >= 4, "the dear one has had more by then"


async def test_nobody_waits_while_there_is_time() -> None:
    assert set(await rounds_of(Turns(within=3600), 100)) == {0}


async def test_once_a_round_has_had_its_time_one_begins_in_each() -> None:
    assert set(Counter(await rounds_of(Turns(within=0), 20)).values()) == {1}


async def rounds_of(turns: Turns, pieces: int) -> list[int]:
    """The rounds of the loop in which so many pieces of work begin that have come at once."""
    rounds, begun = 0, list[int]()

    async def work() -> None:
        await turns.turn("a")
        begun.append(rounds)

    tasks = [asyncio.create_task(work()) for _ in range(pieces)]
    while not all(task.done() for task in tasks):
        await asyncio.sleep(0)
        rounds += 1
    return begun


async def test_while_many_wait_calls_that_arrive_come_first_but_not_for_ever() -> None:
    turns, begun = Turns(within=0), list[bool]()

    async def work(*, arrival: bool) -> None:
        await turns.turn("a", arrival=arrival)
        begun.append(arrival)

    tasks = [asyncio.create_task(work(arrival=False)) for _ in range(3 * MANY)]
    for _ in range(5 * MOST_ARRIVALS):
        tasks.append(asyncio.create_task(work(arrival=True)))
        await asyncio.sleep(0)
    assert 4 <= len(begun) <= 8
    await asyncio.gather(*tasks)
    assert len(begun) == len(tasks)


async def test_who_does_not_wait_any_more_takes_nobodys_turn() -> None:
    turns = Turns(within=0)
    gone = [asyncio.create_task(turns.turn("a")) for _ in range(10)]
    await asyncio.sleep(0)
    for task in gone:
        task.cancel()
    await asyncio.wait_for(turns.turn("b"), 10)
    await asyncio.gather(*gone, return_exceptions=True)
    await asyncio.sleep(0.01)
    assert not turns._lines
    assert not turns._next
    assert not turns._looking


async def test_nothing_is_remembered_while_nobody_waits() -> None:
    turns = Turns(within=0)

    async def again(caller: str) -> None:
        for _ in range(3):
            await turns.turn(caller)

    await asyncio.gather(*(again(str(number % 7)) for number in range(100)))
    await asyncio.sleep(0.01)
    assert not turns._lines
    assert not turns._next
    assert not turns._waiting
    assert not turns._had
    assert not turns._looking


def test_a_rate_is_a_minutes_worth_at_once_and_then_even() -> None:
    now = 1000.0
    rate = Rate(of_a_caller=6, in_all=0, now=lambda: now)
    for _ in range(6):
        rate.take(Origin("a"))
    with pytest.raises(Failure) as caught:
        rate.take(Origin("a"))
    assert (caught.value.reason, caught.value.metadata, caught.value.retry_after) == (
        "RATE_LIMITED",
        {"limit": "6"},
        10.0,
    )
    rate.take(Origin("b"))
    rate.take(LOCAL)
    now += caught.value.retry_after
    rate.take(Origin("a"))
    with pytest.raises(Failure):
        rate.take(Origin("a"))
    now += 60
    for _ in range(6):
        rate.take(Origin("a"))


def test_a_rate_for_all_together_holds_for_the_trusted_too() -> None:
    rate = Rate(of_a_caller=0, in_all=3, now=lambda: 0.0)
    for _ in range(3):
        rate.take(LOCAL)
    for origin in (LOCAL, Origin("a")):
        with pytest.raises(Failure):
            rate.take(origin)


def test_callers_who_owe_nothing_are_forgotten() -> None:
    now = 0.0
    rate = Rate(of_a_caller=60, in_all=0, now=lambda: now)
    for number in range(3 * rates.MOST_CALLERS):
        now += 0.01
        rate.take(Origin(str(number)))
    assert len(rate._paid_at) <= rates.MOST_CALLERS + 1


async def test_a_write_that_nobody_reads_ends_its_stream() -> None:
    unread = UnreadWrites(patience=0.1)

    async def stream(seconds: float) -> None:
        await unread.writer(lambda _: asyncio.sleep(seconds))(b"")
        await asyncio.sleep(0.5)

    looking = asyncio.create_task(unread.end_stuck())
    stuck, read = asyncio.create_task(stream(3600)), asyncio.create_task(stream(0))
    await asyncio.wait([stuck, read], timeout=30)
    looking.cancel()
    assert stuck.cancelled()
    assert read.done()
    assert not read.cancelled()
    assert not unread._since
