"""Hints that wait are one for each session, bounded, and fit into what PostgreSQL takes."""

import asyncio
import random

import pytest

from services.runtime.settings import Settings
from services.session.adapters.hints.notify import MOST_PAYLOAD, read_payload, write_payloads
from services.session.adapters.hints.peers import addresses
from services.session.adapters.hints.pending import PendingHints

PATIENCE = 60.0


async def test_many_hints_of_a_session_are_one_with_the_latest_version() -> None:
    pending = PendingHints()
    for version in (3, 9, 4):
        pending.add("a", version)
    pending.add("b", 1)
    assert await pending.take(10) == {"a": 9, "b": 1}
    assert len(pending) == 0


async def test_whoever_takes_waits_for_the_first_and_gathers_what_comes_right_after() -> None:
    pending = PendingHints()
    taking = asyncio.create_task(pending.take(10))
    for _ in range(10):
        await asyncio.sleep(0)
    assert not taking.done()
    pending.add("a", 1)
    await asyncio.sleep(0)
    pending.add("b", 1)
    async with asyncio.timeout(PATIENCE):
        assert await taking == {"a": 1, "b": 1}


async def test_of_too_many_the_oldest_are_dropped() -> None:
    pending = PendingHints(most=3)
    for number in range(10):
        pending.add(f"s{number}", 1)
    assert await pending.take(10) == {"s7": 1, "s8": 1, "s9": 1}


async def test_what_is_more_than_wanted_is_taken_next() -> None:
    pending = PendingHints()
    for number in range(5):
        pending.add(f"s{number}", 1)
    taken = [await pending.take(2) for _ in range(3)]
    assert taken == [{"s0": 1, "s1": 1}, {"s2": 1, "s3": 1}, {"s4": 1}]


async def test_what_could_not_be_told_is_kept_and_never_instead_of_what_is_newer() -> None:
    pending = PendingHints(most=3)
    for session in "abc":
        pending.add(session, 1)
    taken = await pending.take(3)
    pending.add("a", 2)
    pending.add("d", 2)
    pending.put_back(taken)
    assert await pending.take(10) == {"a": 2, "d": 2, "b": 1}


def test_payloads_are_short_enough_and_say_everything() -> None:
    numbers = random.Random(1)
    hints = {f"{numbers.getrandbits(128):022x}": numbers.randrange(2**62) for _ in range(2_000)}
    payloads = list(write_payloads(hints.items()))
    assert len(payloads) > 1
    assert max(len(payload.encode()) for payload in payloads) <= MOST_PAYLOAD
    assert dict(hint for payload in payloads for hint in read_payload(payload)) == hints
    assert not list(write_payloads([]))


@pytest.mark.parametrize("payload", ["", "a", "a:", ":1", "a:x", "a:-1", "a:²", "a:" + "9" * 5000, "\x00 :: a:1.5"])
def test_what_is_no_hint_is_left_out(payload: str) -> None:
    assert list(read_payload(f"first:1 {payload} last:2")) == [("first", 1), ("last", 2)]


async def test_an_address_is_itself_and_a_name_is_all_that_it_leads_to() -> None:
    assert await addresses("127.0.0.1:5") == ["ipv4:127.0.0.1:5"]
    assert await addresses("dns:///[::1]:5") == ["ipv6:[::1]:5"]
    assert "ipv4:127.0.0.1:5" in await addresses("dns:///localhost:5")
    assert await addresses("unix:/tmp/x") == ("unix:/tmp/x",)
    with pytest.raises(OSError):  # noqa: PT011  whatever the resolver says
        await addresses("nobody.invalid:5")


@pytest.mark.parametrize(
    ("set_to", "ways"),
    [
        ({}, ()),
        ({"database": "postgresql://db/lair"}, ("notify",)),
        ({"database": "postgresql://db/lair", "hints": "off"}, ()),
        ({"hints": "notify", "hints_database": "postgresql://db/lair"}, ("notify",)),
        ({"hints": "peers", "peers": "127.0.0.1:1, dns:///session:2"}, ("peers",)),
        ({"hints": "notify,peers", "hints_database": "postgres://db", "peers": "a:1"}, ("notify", "peers")),
    ],
)
def test_hints_go_the_ways_that_are_set(set_to: dict[str, str], ways: tuple[str, ...]) -> None:
    assert Settings(**set_to).hint_ways == ways  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("set_to", "said"),
    [
        ({"hints": "shout"}, "LAIR_HINTS must be"),
        ({"hints": ""}, "LAIR_HINTS must be"),
        ({"hints": "off,peers"}, "LAIR_HINTS must be"),
        ({"hints": "notify"}, "must be a PostgreSQL"),
        ({"hints": "peers"}, "LAIR_PEERS must say"),
        ({"hints": "peers", "peers": "nowhere"}, "no HOST:PORT"),
    ],
)
def test_hints_that_could_go_nowhere_are_refused(set_to: dict[str, str], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        Settings(**set_to)  # type: ignore[arg-type]
