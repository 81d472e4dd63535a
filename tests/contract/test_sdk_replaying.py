"""A verification replays many moves by one message, in both flavours, also when its stream breaks."""

from collections import Counter
from collections.abc import AsyncIterator, Iterator
from dataclasses import replace
from typing import Any

import pytest

import lair
import lair.testing
from lair import _rules_calls, verification
from lair._connection import AsyncConnection, Connection
from tests.support.cutting import CutWay
from tests.support.flavours import FLAVOURS, connected, done
from tests.support.games import every_game


@pytest.fixture(scope="module")
def target() -> Iterator[str]:
    with lair.testing.server() as address:
        yield address


@pytest.fixture(params=FLAVOURS)
async def client(request: pytest.FixtureRequest, target: str) -> AsyncIterator[Any]:
    async with connected(request.param, target) as opened:
        yield opened


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often each method of rules is called, streams as well."""
    counted: Counter[str] = Counter()
    for kind in (Connection, AsyncConnection):
        for name in ("run", "exchange"):
            monkeypatch.setattr(kind, name, counting(getattr(kind, name), counted))
    return counted


def counting(method: Any, counted: Counter[str]) -> Any:
    def call(self: Any, call: Any, *more: Any) -> Any:
        if "RulesService" in call.path:
            counted[call.path.rpartition("/")[2]] += 1
        return method(self, call, *more)

    return call


async def played(client: Any, game: str = "cabbages", seats: int = 2) -> Any:
    session = await done(client.create(game, seats=[f"Player {seat}" for seat in range(seats)]))
    await done(session.play_out(seed=3))
    return session


@every_game
async def test_a_game_of_every_kind_is_replayed_over_one_stream(client: Any, entry: Any, asked: Counter[str]) -> None:
    session = await played(client, entry.game.token, entry.game.seats[0])
    verified = await done(session.verify())
    assert verified.ok, str(verified)
    assert verified.moves == (await done(session.facts())).revision
    assert asked == {"DescribeGame": 1, "StartGame": 1, "ApplyMoves": 1}


async def test_a_long_game_is_several_messages(
    client: Any, asked: Counter[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(verification, "MOST_TOGETHER", 3)
    session = await played(client)
    verified = await done(session.verify())
    assert verified.ok
    assert verified.moves == (await done(session.facts())).revision
    assert asked["ApplyMoves"] == 1
    monkeypatch.setattr(verification, "MOST_TOGETHER", 500)
    monkeypatch.setattr(verification, "MOST_BYTES", 1)
    assert await done(session.verify()) == verified


async def test_the_first_thing_that_does_not_agree_is_named_wherever_a_message_ends(
    client: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both moves are wrong: one that only a replay finds, and then one that is seen without any."""
    session = await played(client, "maidens")
    reveal = await done(session.reveal())
    steps = list(reveal.steps)
    steps[4] = replace(steps[4], events=())
    steps[5] = replace(steps[5], move=None)
    forged, rules = replace(reveal, steps=tuple(steps)), client.rules("maidens")
    for together in (1, 2, 3, 4, 5, 500):
        monkeypatch.setattr(verification, "MOST_TOGETHER", together)
        found = await done(rules.verify(forged))
        assert (found.problem.what, found.problem.revision, found.moves) == ("events", 4, 3)
        assert found.draws == sum(len(step.draws) for step in steps[:4])


async def test_where_no_rules_of_the_game_are_served_its_dice_are_checked(
    client: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = await played(client)
    moves = (await done(session.facts())).revision
    monkeypatch.setattr(_rules_calls, "path_of", lambda _, method: f"/monsters.nowhere.v1.RulesService/{method}")
    verified = await done(session.verify())
    assert (verified.ok, verified.rules_served, dict(verified.by_record).popitem()[1]) == (True, False, moves)
    assert str(verified).endswith(" by their record; no rules of this game are served here")
    reveal = await done(session.reveal())
    (draw, *rest) = reveal.steps[1].draws
    wrong = replace(draw, results=(draw.results[0] % 6 + 1, *draw.results[1:]))
    forged = (reveal.steps[0], replace(reveal.steps[1], draws=(wrong, *rest)), *reveal.steps[2:])
    found = await done(client.rules("cabbages").verify(replace(reveal, steps=forged)))
    assert (found.problem.what, found.problem.revision) == ("draw", 1)


@pytest.mark.parametrize("flavour", FLAVOURS)
async def test_a_stream_that_breaks_is_opened_again(target: str, flavour: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(verification, "MOST_TOGETHER", 2)
    with CutWay(target) as way:
        async with connected(flavour, way.address) as client:
            session = await played(client)
            reveal = await done(session.reveal())
            rules = client.rules("cabbages")
            real = type(rules.simulate()).apply
            answered = 0

            def apply(self: Any, *arguments: Any, **more: Any) -> Any:
                nonlocal answered
                answered += 1
                if answered in (1, 3):
                    way.lose_next_answer()
                return real(self, *arguments, **more)

            monkeypatch.setattr(type(rules.simulate()), "apply", apply)
            assert (await done(rules.verify(reveal))).ok
        assert way.cuts == 2
    assert answered > 3
