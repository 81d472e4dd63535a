"""The rules alone, through the SDK, in both flavours."""

from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest
from monsters.cabbages.v1 import cabbages_pb2 as cabbages
from monsters.session.v1 import session_pb2

import lair
import lair.testing
from tests.support.flavours import FLAVOURS, connected, done

SEED = bytes(32)


@pytest.fixture(scope="module")
def target() -> Iterator[str]:
    with lair.testing.server() as address:
        yield address


@pytest.fixture(params=FLAVOURS)
async def rules(request: pytest.FixtureRequest, target: str) -> AsyncIterator[Any]:
    async with connected(request.param, target) as client:
        yield client.rules(cabbages)


async def test_a_game_starts_with_the_views_that_were_asked_for(rules: Any) -> None:
    start = await done(rules.start(seats=3, options={"first_seat": 1}, seed=SEED, view_for=[0, 2], spectator=True))
    assert (start.seed, start.script) == (SEED, None)
    assert start.standing == lair.Standing((1,), (1,), stage=1)
    assert set(start.views) == {0, 2, None}
    assert start.events[0].started.first_seat == 1
    assert start.draws == ()


async def test_the_same_seed_gives_the_same_game(rules: Any) -> None:
    first = await done(rules.start(seats=3, seed=SEED))
    assert await done(rules.start(seats=3, seed=SEED)) == first
    assert first.draws[0].sides == 3
    unseeded = await done(rules.start(seats=3))
    assert len(unseeded.seed) == 32


async def test_a_script_is_real_dice_on_a_table(rules: Any) -> None:
    start = await done(rules.start(seats=2, options={"first_seat": 0}))
    after = await done(rules.apply(start.position, seat=0, move="harvest", script=[6, 5], view_for=[1]))
    assert (after.seed, after.script) == (None, (6, 5))
    assert after.move == cabbages.Move(harvest=cabbages.Harvest())
    assert after.position.cabbages[0] == 11 == after.views[1].cabbages[0]
    with pytest.raises(lair.InvalidRequest):
        await done(rules.apply(start.position, seat=0, move="harvest", script=[6]))
    with pytest.raises(lair.InvalidRequest, match="not both"):
        await done(rules.apply(start.position, seat=0, move="harvest", script=[6, 5], seed=SEED))


async def test_illegal_is_an_answer_of_why_not_and_an_error_of_apply(rules: Any) -> None:
    start = await done(rules.start(seats=2, options={"first_seat": 0}))
    refusal = await done(rules.why_not(start.position, seat=0, move="feed"))
    assert (refusal.reason, refusal.rule) == ("CUP_EMPTY", "C-R10")
    assert await done(rules.why_not(start.position, seat=0, move="harvest")) is None
    assert (await done(rules.why_not(start.position, seat=1, move="harvest"))).reason == "NOT_YOUR_TURN"
    with pytest.raises(lair.IllegalMove) as illegal:
        await done(rules.apply(start.position, seat=0, move="feed"))
    assert (illegal.value.reason, illegal.value.rule) == (refusal.reason, refusal.rule)
    with pytest.raises(lair.NotYourTurn):
        await done(rules.apply(start.position, seat=1, move="harvest"))


async def test_legal_moves_are_those_of_the_seat_or_of_the_host(rules: Any) -> None:
    start = await done(rules.start(seats=2, options={"first_seat": 0}))
    (harvest,) = await done(rules.moves(start.position, seat=0))
    assert (harvest.text, harvest.move) == ("harvest", cabbages.Move(harvest=cabbages.Harvest()))
    assert await done(rules.moves(start.position, seat=1)) == ()
    (timeout,) = await done(rules.moves(start.position, seat=None))
    after = await done(rules.apply(start.position, seat=None, move=timeout, script=[1, 1]))
    assert after.events[0].timed_out.seat == 0


async def test_a_view_is_what_a_seat_or_a_spectator_may_know(rules: Any) -> None:
    start = await done(rules.start(seats=2, options={"first_seat": 0}))
    assert isinstance(await done(rules.view(start.position)), cabbages.View)
    assert (await done(rules.view(start.position, seat=1))).active_seat == 0


async def test_a_position_is_a_line_of_text_and_is_read_from_it(rules: Any) -> None:
    start = await done(rules.start(seats=2, options={"first_seat": 0, "cup_start": 2}))
    line = await done(rules.position_text(start.position))
    assert line.startswith("turn 1; seat 0; cabbages 0 0;")
    assert await done(rules.position(line)) == start.position
    with pytest.raises(lair.InvalidRequest, match="position_text"):
        await done(rules.position("turn 1"))
    with pytest.raises(lair.ImpossiblePosition):
        await done(rules.position(line.replace("cup 2", "cup 99")))
    with pytest.raises(lair.ImpossiblePosition):
        await done(rules.position_text(cabbages.Position(turn=1)))


async def test_whatever_plays_says_which_version_of_the_rules_has_played(rules: Any) -> None:
    version = (await done(rules.describe())).rules_version
    start = await done(rules.start(seats=2, options={"first_seat": 0}))
    after = await done(rules.apply(start.position, seat=0, move="harvest"))
    assert version
    assert (start.rules_version, after.rules_version) == (version, version)


async def test_a_description_says_how_to_play_and_where_each_rule_comes_from(rules: Any) -> None:
    game = await done(rules.describe())
    assert game.aim.startswith("Feed the monster just enough.")
    assert "Harvest: roll two dice" in game.how_to_play
    told = {rule.id: (rule.part, rule.source) for rule in game.rules}
    assert told["C-R8"] == (lair.RulePart.TURN, lair.Source.PRINTED)
    assert told["C-R25"] == (lair.RulePart.SET_UP, lair.Source.PUBLISHED)
    assert told["C-L1"] == (lair.RulePart.END, lair.Source.LAIR)
    assert {part for part, _ in told.values()} == {*lair.RulePart} - {lair.RulePart.UNKNOWN}
    assert next(rule.note for rule in game.rules if rule.id == "C-R18").startswith("The rulebook doesn't say")
    assert {option.name: option.source for option in game.options}["max_turns"] is lair.Source.LAIR
    assert {end.reason: end.source for end in game.ends}["eaten"] is lair.Source.PRINTED


async def test_a_suggestion_is_a_legal_move_that_a_seed_decides(rules: Any) -> None:
    start = await done(rules.start(seats=2, options={"first_seat": 0, "cup_start": 6}))
    legal = await done(rules.moves(start.position, seat=0))
    assert len(legal) == 2
    seeds = [bytes([number] * 32) for number in range(8)]
    suggested = [await done(rules.suggest(start.position, seat=0, seed=seed)) for seed in seeds]
    assert {move.text for move in suggested} == {"harvest", "feed"}, "it has whims"
    assert all(move in legal for move in suggested)
    assert [await done(rules.suggest(start.position, seat=0, seed=seed)) for seed in seeds] == suggested
    assert await done(rules.suggest(start.position, seat=0)) in legal
    with pytest.raises(lair.InvalidRequest, match="may not act"):
        await done(rules.suggest(start.position, seat=1))
    with pytest.raises(lair.InvalidRequest):
        await done(rules.suggest(start.position, seat=0, seed=b"short"))


async def test_a_position_that_cannot_be_is_refused_with_every_flaw(rules: Any) -> None:
    start = await done(rules.start(seats=2, options={"first_seat": 0}))
    start.position.cup_dice = -1
    start.position.active_seat = 5
    with pytest.raises(lair.ImpossiblePosition) as impossible:
        await done(rules.moves(start.position, seat=0))
    assert {violation.field for violation in impossible.value.violations} >= {
        "position.cup_dice",
        "position.active_seat",
    }


async def test_another_game_s_messages_are_refused_before_anything_is_sent(rules: Any) -> None:
    start = await done(rules.start(seats=2))
    with pytest.raises(lair.WrongGame):
        await done(rules.apply(start.position, seat=0, move=session_pb2.Session()))
    with pytest.raises(lair.WrongGame):
        await done(rules.view(session_pb2.Session()))
    with pytest.raises(lair.WrongGame):
        await done(rules.start(seats=2, options=session_pb2.Session()))
    with pytest.raises(lair.InvalidRequest):
        await done(rules.view("a position"))


async def test_absurd_arguments_are_invalid_requests(rules: Any) -> None:
    refused_there: list[dict[str, Any]] = [
        {"seats": 99},
        {"seats": 0},
        {"seats": 2, "seed": b"short"},
        {"seats": 2, "view_for": [7]},
    ]
    refused_here: list[dict[str, Any]] = [
        {"seats": 2**40},
        {"seats": "two"},
        {"seats": 2, "script": ["six"]},
        {"seats": 2, "seed": 7},
    ]
    for arguments in refused_there + refused_here:
        with pytest.raises(lair.InvalidRequest) as refused:
            await done(rules.start(**arguments))
        assert (refused.value.domain == "lair") == (arguments in refused_here)
        assert refused.value.violations
