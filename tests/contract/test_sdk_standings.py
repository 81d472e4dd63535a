"""How things stand at many seats, in both flavours."""

from collections.abc import AsyncIterator, Iterator
from datetime import timedelta
from typing import Any

import grpc
import pytest

import lair
import lair.testing
from lair import _flows
from tests.support.flavours import FLAVOURS, connected, done

FIRST = {"first_seat": 0}


@pytest.fixture(scope="module")
def target() -> Iterator[str]:
    with lair.testing.server() as address:
        yield address


@pytest.fixture(params=FLAVOURS)
async def client(request: pytest.FixtureRequest, target: str) -> AsyncIterator[Any]:
    async with connected(request.param, target) as opened:
        yield opened


async def create(client: Any, *seats: Any, **fields: Any) -> Any:
    return await done(client.create("cabbages", seats=seats or ["Ann", "Ben"], options=FIRST, **fields))


async def test_the_most_urgent_seat_comes_first(client: Any) -> None:
    waits, hurried, calm, last = [await create(client, turn_limit=limit) for limit in (900, 60, None, 60)]
    await done(last.seats[0].play("harvest"))
    lobby = await done(client.open("cabbages", seats=2))
    sitting = await done(client.join(lobby.join_code, name="Ann"))
    over = await create(client)
    await done(over.abort())
    mine = [over.seats[0], sitting, last.seats[0], calm.seats[0], hurried.seats[0], waits.seats[0]]
    standings = await done(client.standings(mine))
    assert [it.session_name for it in standings] == [
        hurried.name,
        waits.name,
        calm.name,
        last.name,
        lobby.name,
        over.name,
    ]
    assert [it.awaited for it in standings] == [it.may_act for it in standings] == [True] * 3 + [False] * 3
    assert [it.token for it in standings] == [mine[at].token for at in (4, 5, 3, 2, 1, 0)]
    first = standings[0]
    assert first.facts == await done(hurried.facts())
    assert [seat.name for seat in first.others] == ["Ben"]
    assert timedelta() < first.time_left <= timedelta(seconds=60)
    assert first.token not in repr(first)


async def test_what_opens_nothing_is_told_in_its_place(client: Any) -> None:
    game, other = await create(client), await create(client)
    keys = [
        ("sessions/000000000000", game.seats[0].token),
        (game.name, other.seats[0].token),
        (game.name.removeprefix("sessions/"), game.seats[1].token),
        (game.name, game.host_token),
        (game.name, ""),
    ]
    found = {(it.session_name, it.token): it for it in await done(client.standings(keys))}
    absent, wrong, seat, host, nobody = (found[key if "/" in key[0] else (game.name, key[1])] for key in keys)
    assert (type(absent.error), type(wrong.error)) == (lair.NotFound, lair.BadToken)
    for nothing in (absent, wrong):
        assert (nothing.facts, nothing.seat, nothing.awaited, nothing.others) == (None, None, False, ())
    assert (seat.seat, seat.error, seat.awaited) == (1, None, False)
    for without in (host, nobody):
        assert (without.seat, without.awaited, without.error) == (None, False, None)
        assert without.facts == seat.facts


async def test_more_than_a_call_takes_are_several_calls(client: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_flows, "MOST_STANDINGS", 3)
    games = [await create(client) for _ in range(4)]
    seats = [seat for game in games for seat in game.seats]
    standings = await done(client.standings(seats))
    assert sorted((it.session_name, it.seat) for it in standings) == sorted(
        (seat.session_name, seat.index) for seat in seats
    )
    assert await done(client.standings([])) == []


async def test_a_server_that_is_older_says_so(client: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    game = await create(client)
    monkeypatch.setattr("lair._calls.SERVICE", "monsters.session.v0.SessionService")
    with pytest.raises(lair.NotServed) as older:
        await done(client.standings(game.seats))
    assert older.value.code is grpc.StatusCode.UNIMPLEMENTED


@pytest.mark.parametrize("seats", ["sessions/7f3k", [7], [("sessions/7f3k",)], [("sessions/7f3k", None)], None])
async def test_what_is_no_list_of_seats_is_refused_before_it_is_sent(client: Any, seats: Any) -> None:
    with pytest.raises(lair.InvalidRequest) as refused:
        await done(client.standings(seats))
    assert refused.value.domain == "lair"
