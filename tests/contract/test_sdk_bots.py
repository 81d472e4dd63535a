"""One person plays every game alone, against seats that the server plays, in both flavours."""

from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest

import lair
import lair.testing
from services.games import find_games
from tests.support.flavours import FLAVOURS, connected, done


@pytest.fixture(scope="module")
def target() -> Iterator[str]:
    with lair.testing.server() as address:
        yield address


@pytest.fixture(params=FLAVOURS)
async def client(request: pytest.FixtureRequest, target: str) -> AsyncIterator[Any]:
    async with connected(request.param, target) as opened:
        yield opened


@pytest.mark.parametrize("game", find_games())
async def test_a_person_and_bots_play_a_game_to_its_end(client: Any, game: str) -> None:
    bots = [lair.Bot("Robin")] + [lair.Bot()] * (find_games()[game].game.seats[0] - 2)
    session = await done(client.create(game, seats=["Ann", *bots], stand_in=0))
    assert [(seat.index, seat.name) for seat in session.seats] == [(0, "Ann")]
    ann, robin, *others = session.known_facts.seats
    assert (ann.kind, robin.kind, robin.taken, robin.name) == (lair.SeatKind.HUMAN, lair.SeatKind.BOT, True, "Robin")
    assert all(seat.kind is lair.SeatKind.BOT and seat.name for seat in others)
    outcome = await done(session.play_out(seed=1))
    assert (await done(session.facts())).standing.outcome == outcome
    assert (await done(session.verify())).ok


async def test_a_lobby_with_bots_waits_for_people_alone(client: Any) -> None:
    session = await done(client.open("cabbages", seats=["", lair.Bot(), ""], listed=True))
    with pytest.raises(lair.SeatTaken):
        await done(client.join(session.join_code, name="Ann", seat=1))
    ann = await done(client.join(session.name, name="Ann"))
    assert ann.known_facts.state is lair.State.LOBBY
    ben = await done(client.join(session.name, name="Ben"))
    assert (ben.index, ben.known_facts.state) == (2, lair.State.PLAYING)


async def test_bots_play_again_in_a_rematch(client: Any) -> None:
    session = await done(client.create("cabbages", seats=["Ann", lair.Bot()], options={"max_turns": 2}, stand_in=0))
    await done(session.play_out())
    again = await done(session.rematch())
    assert [seat.index for seat in again.seats] == [0]
    assert (await done(again.play_out())).reason == "turn_limit"
