"""Playing again through the SDK, in both flavours."""

from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest

import lair
import lair.testing
from tests.support.cutting import CutWay
from tests.support.flavours import FLAVOURS, connected, done

GAME = {"game": "cabbages", "options": {"first_seat": 0, "max_turns": 2}}
NAMES = ["Ann", "Ben"]


@pytest.fixture(scope="module")
def target() -> Iterator[str]:
    with lair.testing.server() as address:
        yield address


@pytest.fixture(params=FLAVOURS)
async def client(request: pytest.FixtureRequest, target: str) -> AsyncIterator[Any]:
    async with connected(request.param, target) as opened:
        yield opened


async def over(client: Any) -> Any:
    """A session that is over, whose seats are all held."""
    session = await done(client.create(**GAME, seats=NAMES, entropies=[b"a", b"b"]))
    await done(session.play_out())
    return session


async def test_a_handle_with_every_seat_plays_again_at_once_and_both_games_verify(client: Any) -> None:
    before = await over(client)
    again = await done(before.rematch())
    assert [(seat.index, seat.name) for seat in again.seats] == [(0, "Ann"), (1, "Ben")]
    assert (await done(again.facts())).state is lair.State.PLAYING
    assert again.commitment != before.commitment
    await done(again.play_out())
    for session in (before, again):
        assert (await done(session.verify())).ok
    third = await done(again.rematch())
    assert (await done(again.facts())).rematch == third.name != (await done(before.facts())).rematch == again.name


async def test_players_find_the_rematch_by_their_seats(client: Any) -> None:
    lobby = await done(client.open(**GAME, seats=2))
    ann, ben = [await done(client.join(lobby.join_code, name=name)) for name in NAMES]
    await done(ann.play("harvest"))
    with pytest.raises(lair.WrongState) as early:
        await done(lobby.rematch())
    assert early.value.reason == "SESSION_NOT_OVER"
    await done(ben.play("harvest"))
    with pytest.raises(lair.NotFound) as none:
        await done(ben.rematch())
    assert none.value.reason == "REMATCH_NOT_FOUND"
    assert (await done(ben.session.facts())).rematch == ""
    again = await done(lobby.rematch())
    assert (again.seats, (await done(ben.session.facts())).rematch) == ((), again.name)
    bens = await done(ben.rematch(entropy=b"three spoons"))
    anns = await done(ann.rematch())
    assert (bens.index, bens.name, bens.session_name) == (1, "Ben", again.name)
    assert bens.session.entropies == {1: b"three spoons"}
    for seat in (anns, bens):
        await done(seat.play("harvest"))
    assert (await done(bens.session.verify())).ok
    with pytest.raises(lair.SeatTaken):
        await done(ben.rematch())


async def test_only_the_host_asks_for_a_rematch(client: Any) -> None:
    before = await over(client)
    with pytest.raises(lair.PermissionDenied):
        await done((await done(client.session(before.name, host_token=before.seats[0].token))).rematch())
    with pytest.raises(lair.BadToken):
        await done((await done(client.session(before.name))).rematch())
    host = await done(client.session(before.name, host_token=before.host_token))
    assert (await done(host.rematch())).host_token == (await done(host.rematch())).host_token != before.host_token


async def test_a_seat_that_was_left_is_free_in_the_rematch(client: Any) -> None:
    before = await done(client.create(**GAME, seats=NAMES))
    await done(before.seats[0].leave())
    await done(before.abort())
    again = await done(before.rematch())
    assert [seat.index for seat in again.seats] == [1]
    with pytest.raises(lair.BadToken):
        await done(before.seats[0].rematch())
    cleo = await done(client.join(again.join_code, name="Cleo"))
    assert (cleo.index, (await done(again.facts())).state) == (0, lair.State.PLAYING)


@pytest.mark.parametrize("flavour", FLAVOURS)
async def test_a_rematch_whose_answers_are_lost_is_there_once(target: str, flavour: str) -> None:
    with CutWay(target) as way:
        async with connected(flavour, way.address) as client:
            before = await over(client)
            way.lose_next_answer()
            again = await done((await done(client.session(before.name, host_token=before.host_token))).rematch())
            for seat in before.seats:
                way.lose_next_answer()
                await done(seat.rematch())
            assert way.cuts == 3
            facts = await done(again.facts())
            assert (facts.state, facts.name) == (lair.State.PLAYING, (await done(before.facts())).rematch)
