"""Playing a seat over one stream, in both flavours, also when the stream breaks."""

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

import lair
import lair.testing
from tests.support.cutting import CutWay
from tests.support.flavours import FLAVOURS, connected, done, items

OPTIONS = {"first_seat": 0, "max_turns": 40}
REQUEST_ID = "3f9d3a0c-9b3e-4a43-9a3f-6a2f5b8f2f10"


@pytest.fixture(scope="module")
def target() -> Iterator[str]:
    with lair.testing.server() as address:
        yield address


@pytest.fixture(params=FLAVOURS)
async def client(request: pytest.FixtureRequest, target: str) -> AsyncIterator[Any]:
    async with connected(request.param, target) as opened:
        yield opened


@asynccontextmanager
async def line_of(seat: Any) -> AsyncIterator[Any]:
    """A seat's line, of either flavour."""
    if hasattr(seat.stream(), "__aenter__"):
        async with seat.stream() as line:
            yield line
    else:
        with seat.stream() as line:
            yield line


async def following(line: Any) -> Any:
    """The next item of a line."""
    async for item in items(line):
        return item
    return None


async def test_a_line_plays_and_tells_of_every_revision(client: Any) -> None:
    session = await done(client.create("cabbages", seats=["Ann", "Ben"], options=OPTIONS))
    ann, ben = session.seats
    async with line_of(ann) as line:
        first = await following(line)
        assert (type(first), first.revision, first.moves[0].text) == (lair.Snapshot, 0, "harvest")
        update = await done(line.play("harvest"))
        assert (update.revision, update.seat) == (1, 0)
        assert update.view.cabbages[0] > 0
        await done(ben.play("harvest"))
        assert [(await following(line)).revision for _ in range(2)] == [1, 2]


async def test_a_refusal_on_a_line_is_the_same_exception(client: Any) -> None:
    session = await done(client.create("cabbages", seats=["Ann", "Ben"], options=OPTIONS))
    async with line_of(session.seats[0]) as line:
        with pytest.raises(lair.IllegalMove) as empty:
            await done(line.play("feed"))
        assert (empty.value.reason, empty.value.rule) == ("CUP_EMPTY", "C-R10")
        with pytest.raises(lair.StaleSession):
            await done(line.play("harvest", etag='"99"'))
        with pytest.raises(lair.InvalidRequest):
            await done(line.play("dance"))
        with pytest.raises(lair.InvalidRequest):
            await done(line.play(17))
        assert (await done(line.play("harvest"))).revision == 1


async def test_a_request_id_plays_once_on_a_line_too(client: Any) -> None:
    session = await done(client.create("cabbages", seats=["Ann", "Ben"], options=OPTIONS))
    async with line_of(session.seats[0]) as line:
        first = await done(line.play("harvest", request_id=REQUEST_ID))
        again = await done(line.play("harvest", request_id=REQUEST_ID))
    assert again == first
    assert (await done(session.facts())).revision == 1


async def test_a_line_ends_with_the_session(client: Any) -> None:
    session = await done(client.create("cabbages", seats=["Ann", "Ben"], options=OPTIONS))
    ann, ben = session.seats
    seen = []
    async with line_of(ann) as line:
        async for now in items(line):
            seen.append(now.revision)
            if now.standing.may_act == (0,):
                await done(line.play(now.moves[0]))
            elif now.standing.may_act == (1,):
                await done(ben.play("harvest"))
        with pytest.raises(lair.GameOver):
            await done(line.play("harvest"))
    assert seen == list(range((await done(session.facts())).revision + 1))


@pytest.mark.parametrize("flavour", FLAVOURS)
async def test_a_line_that_is_cut_off_plays_every_move_once(target: str, flavour: str) -> None:
    with CutWay(target) as way:
        async with connected(flavour, way.address) as client:
            session = await done(client.create("cabbages", seats=["Ann", "Ben"], options=OPTIONS))
            ann, ben = session.seats
            seen: list[int] = []
            async with line_of(ann) as line:
                async for now in items(line):
                    seen.append(now.revision)
                    if now.standing.may_act == (0,):
                        way.lose_next_answer()
                        update = await done(line.play(now.moves[0]))
                        assert update.revision == now.revision + 1
                    elif now.standing.may_act == (1,):
                        await done(ben.play("harvest"))
                        if way.cuts < 10:
                            way.cut()
            assert way.cuts >= 10 or len(seen) < 20
            assert seen == list(range((await done(session.facts())).revision + 1))
            assert (await done(session.verify())).ok
