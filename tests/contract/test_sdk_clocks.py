"""Clocks and leaving, through the SDK, in both flavours."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from datetime import timedelta
from itertools import pairwise
from typing import Any

import pytest

import lair
import lair.testing
from tests.support.flavours import FLAVOURS, connected, done, items

TURN = 0.3
TWO = {"game": "cabbages", "seats": ["Ann", "Ben"]}
LOOKS = 400


@pytest.fixture(scope="module")
def target() -> Iterator[str]:
    with lair.testing.server() as address:
        yield address


@pytest.fixture(params=FLAVOURS)
async def client(request: pytest.FixtureRequest, target: str) -> AsyncIterator[Any]:
    async with connected(request.param, target) as opened:
        yield opened


async def state_of(session: Any, wanted: lair.State) -> lair.SessionFacts:
    """The facts, once the session has come to this state."""
    for _ in range(LOOKS):
        facts: lair.SessionFacts = await done(session.facts())
        if facts.state is wanted:
            return facts
        await asyncio.sleep(0.05)
    raise AssertionError(f"it is {facts.state} and not {wanted}")


async def open_nothing(client: Any, seat: Any) -> None:
    """Hold that a token opens nothing, whatever is asked with it."""
    for ask in (seat.view, seat.moves, lambda: seat.play("harvest"), seat.leave):
        with pytest.raises(lair.BadToken):
            await done(ask())
    for source in (seat.watch, seat.history):
        with pytest.raises(lair.BadToken):
            assert not [item async for item in items(source())]
    with pytest.raises(lair.BadToken):
        await done(client.seat(seat.session_name, seat.token))


async def test_a_turn_that_nobody_takes_is_timed_out_once_and_not_before_its_deadline(client: Any) -> None:
    session = await done(client.create(**TWO, options={"first_seat": 0, "max_turns": 1}, turn_limit=TURN))
    shown, facts = await done(session.snapshot(0)), await done(session.facts())
    assert facts.limits.turn == timedelta(seconds=TURN)
    assert shown.deadline - shown.server_time < timedelta(seconds=TURN), "a countdown has begun"
    await state_of(session, lair.State.OVER)
    await asyncio.sleep(2 * TURN)
    start, timed_out = [update async for update in items(session.history())]
    assert start.deadline == start.commit_time + timedelta(seconds=TURN)
    assert shown.deadline == start.deadline
    assert (timed_out.seat, timed_out.events[0].timed_out.seat) == (None, 0)
    assert timed_out.commit_time >= start.deadline
    assert timed_out.deadline is None, "the game is over"
    assert (await done(session.facts())).deadline is None
    verification = await done(session.verify())
    assert (verification.ok, verification.moves) == (True, 1)


async def test_the_clock_starts_anew_with_each_turn_and_time_out(client: Any) -> None:
    session = await done(client.create(**TWO, options={"first_seat": 0, "max_turns": 3}, turn_limit=TURN))
    updates = [item async for item in items(session.watch(after=-1))]
    assert [update.revision for update in updates] == [0, 1, 2, 3]
    assert [update.seat for update in updates] == [None] * 4
    for before, after in pairwise(updates):
        assert before.deadline == before.commit_time + timedelta(seconds=TURN)
        assert after.commit_time >= before.deadline
    assert [update.standing.stage for update in updates[:3]] == [1, 2, 3]


async def test_a_move_in_time_moves_the_deadline(client: Any) -> None:
    session = await done(client.create(**TWO, options={"first_seat": 0}, turn_limit=timedelta(hours=1)))
    first = await done(session.snapshot())
    played = await done(session.seats[0].play("harvest"))
    now = await done(session.snapshot())
    assert now.deadline == played.deadline == played.commit_time + timedelta(hours=1)
    assert now.deadline > first.deadline
    assert (await done(session.facts())).deadline == now.deadline
    assert (await done(session.snapshot(0))).deadline == first.deadline
    assert [update.seat async for update in items(session.history())] == [None, 0], "nobody was timed out"


async def test_without_a_turn_limit_there_is_no_deadline(client: Any) -> None:
    session = await done(client.create(**TWO))
    now, facts = await done(session.snapshot()), await done(session.facts())
    assert (now.deadline, now.server_time, facts.deadline, facts.limits.turn) == (None, None, None, None)
    assert facts.limits.idle == timedelta(days=7), "the server's own"
    assert facts.limits.keep == timedelta(days=30)


async def test_a_session_that_nobody_touches_is_ended_and_then_deleted(client: Any) -> None:
    session = await done(client.open("cabbages", seats=2, idle_limit=1, keep=1.5))
    facts = await done(session.facts())
    assert facts.limits == lair.TimeLimits(None, timedelta(seconds=1), timedelta(seconds=1.5), timedelta(0))
    ended = await state_of(session, lair.State.ABORTED)
    assert ended.update_time - facts.create_time >= timedelta(seconds=1)
    with pytest.raises(lair.NotFound):
        await state_of(session, lair.State.PLAYING)


async def test_a_clock_out_of_bounds_is_an_invalid_request(client: Any) -> None:
    absurd: list[dict[str, Any]] = [{"turn_limit": 0.01}, {"turn_limit": -1}, {"idle_limit": 0}, {"keep": 1e9}]
    for limits in absurd:
        with pytest.raises(lair.InvalidRequest) as refused:
            await done(client.create(**TWO, **limits))
        assert refused.value.violations[0].field == f"limits.{next(iter(limits)).removesuffix('_limit')}"
    with pytest.raises(lair.InvalidRequest, match="turn_limit"):
        await done(client.open("cabbages", seats=2, turn_limit="soon"))


async def test_a_seat_that_is_left_in_a_lobby_is_free_again(client: Any) -> None:
    session = await done(client.open("cabbages", seats=2))
    ann = await done(client.join(session.join_code, name="Ann"))
    facts = await done(ann.leave())
    assert facts.state is lair.State.LOBBY
    assert [(seat.taken, seat.left) for seat in facts.seats] == [(False, False)] * 2
    assert facts.seats[0].name == ""
    await open_nothing(client, ann)
    cleo = await done(client.join(session.join_code, name="Cleo", seat=0))
    await done(client.join(session.join_code, name="Ben"))
    assert cleo.index == 0
    assert (await done(session.facts())).state is lair.State.PLAYING


async def test_a_stand_in_plays_a_left_seat_to_the_end_and_it_verifies(client: Any) -> None:
    session = await done(client.create(**TWO, options={"first_seat": 0, "max_turns": 20}))
    ann, ben = session.seats
    await done(ann.play("harvest"))
    facts = await done(ann.leave())
    assert facts.state is lair.State.PLAYING
    assert [seat.left for seat in facts.seats] == [True, False]
    await open_nothing(client, ann)
    assert (await done(ben.play("harvest"))).seat == 1
    outcome = await done(session.play_out(seed=1))
    assert outcome is not None
    history = [update async for update in items(session.history())]
    assert len(history) > 3
    assert [update.seat for update in history[1:]] == [number % 2 for number in range(len(history) - 1)]
    verification = await done(session.verify())
    assert verification.ok, verification
    with pytest.raises(lair.GameOver):
        await done(ben.leave())


async def test_a_game_that_everybody_has_left_is_played_to_its_end(client: Any) -> None:
    session = await done(client.create(**TWO, options={"max_turns": 12}))
    for seat in session.seats:
        await done(seat.leave())
    outcome = await done(session.play_out())
    facts = await done(session.facts())
    assert (facts.standing.outcome, [seat.left for seat in facts.seats]) == (outcome, [True, True])
    assert (await done(session.verify())).ok
    for seat in session.seats:
        await open_nothing(client, seat)


async def test_only_a_seat_can_be_left_and_not_once_the_host_has_ended_the_session(client: Any) -> None:
    session = await done(client.create(**TWO))
    await done(session.abort())
    with pytest.raises(lair.WrongState) as aborted:
        await done(session.seats[0].leave())
    assert aborted.value.reason == "SESSION_ABORTED"
