"""The gate and the circuit breaker of a game around rules that hang, fail or refuse."""

import asyncio
from collections.abc import Callable

import pytest
from monsters.rules.v1 import opaque_pb2 as opaque

from services.games import find_games
from services.rules.handler import RulesHandler
from services.runtime.failure import Failure
from services.session.adapters.rules_gate import FAILURES_IN_A_ROW, OPEN_SECONDS, GatedRules
from services.session.adapters.rules_inprocess import InProcessRules
from services.session.domain import failures

STUCK, OTHER = list(find_games())[:2]
NONSENSE = opaque.ApplyMoveRequest(position=b"\xff")


class WaywardRules(InProcessRules):
    """The real rules, of which one game's can be made to hang or to fail."""

    def __init__(self) -> None:
        super().__init__({token: RulesHandler(entry) for token, entry in find_games().items()})
        self.calls = 0
        self.away = False
        self.going_on = asyncio.Event()
        self.going_on.set()

    async def describe(self, game: str) -> opaque.DescribeGameResponse:
        """Describe a game, when it likes to."""
        if game == STUCK:
            self.calls += 1
            await self.going_on.wait()
            if self.away:
                raise failures.rules_unavailable(game)
        return await super().describe(game)


class Seconds:
    """A clock that the test moves."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        """The time."""
        return self.now


@pytest.fixture
async def rules() -> WaywardRules:
    return WaywardRules()


@pytest.fixture
def clock() -> Seconds:
    return Seconds()


@pytest.fixture
def gated(rules: WaywardRules, clock: Seconds) -> GatedRules:
    return GatedRules(rules, 3, clock)


async def reason_of(call: Callable[[], object]) -> str:
    """Why a call fails."""
    with pytest.raises(Failure) as caught:
        await call()  # type: ignore[misc]  # all of them are coroutines
    if caught.value.reason == "RULES_UNAVAILABLE":
        assert caught.value.retry_after
    return caught.value.reason


async def test_what_goes_through_is_what_the_rules_say(gated: GatedRules, rules: WaywardRules) -> None:
    assert await gated.describe(OTHER) == await rules.describe(OTHER)
    assert tuple(gated.games) == rules.games
    started = await gated.start(OTHER, opaque.StartGameRequest(seats=find_games()[OTHER].game.seats[0]))
    view = await gated.view(OTHER, "", opaque.ViewPositionRequest(position=started.position))
    assert view.HasField("view")
    assert await gated.suggest(OTHER, "", opaque.SuggestMoveRequest(position=started.position, seat=0))


async def test_a_game_has_so_many_calls_under_way_and_others_have_theirs(
    gated: GatedRules, rules: WaywardRules
) -> None:
    rules.going_on.clear()
    async with asyncio.TaskGroup() as calls:
        waiting = [calls.create_task(gated.describe(STUCK)) for _ in range(3)]
        await asyncio.sleep(0)
        assert await reason_of(lambda: gated.describe(STUCK)) == "RULES_UNAVAILABLE"
        assert (await gated.describe(OTHER)).game.token == OTHER
        assert rules.calls == 3
        rules.going_on.set()
    assert {task.result().game.token for task in waiting} == {STUCK}
    assert (await gated.describe(STUCK)).game.token == STUCK


async def test_a_caller_who_goes_gives_its_place_back(gated: GatedRules, rules: WaywardRules) -> None:
    rules.going_on.clear()
    for _ in range(5):
        waiting = [asyncio.create_task(gated.describe(STUCK)) for _ in range(3)]
        await asyncio.sleep(0)
        for task in waiting:
            task.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)
    rules.going_on.set()
    assert (await gated.describe(STUCK)).game.token == STUCK


async def test_rules_that_fail_again_and_again_are_left_alone_until_one_try_succeeds(
    gated: GatedRules, rules: WaywardRules, clock: Seconds
) -> None:
    rules.away = True
    for _ in range(FAILURES_IN_A_ROW + 5):
        await reason_of(lambda: gated.describe(STUCK))
    assert rules.calls == FAILURES_IN_A_ROW
    clock.now += OPEN_SECONDS
    for _ in range(3):
        await reason_of(lambda: gated.describe(STUCK))
    assert rules.calls == FAILURES_IN_A_ROW + 1, "one try"
    rules.away = False
    assert await reason_of(lambda: gated.describe(STUCK)) == "RULES_UNAVAILABLE"
    clock.now += OPEN_SECONDS
    for _ in range(3):
        assert (await gated.describe(STUCK)).game.token == STUCK


async def test_while_a_try_is_under_way_nobody_else_waits(
    gated: GatedRules, rules: WaywardRules, clock: Seconds
) -> None:
    rules.away = True
    for _ in range(FAILURES_IN_A_ROW):
        await reason_of(lambda: gated.describe(STUCK))
    clock.now += OPEN_SECONDS
    rules.going_on.clear()
    trying = asyncio.create_task(gated.describe(STUCK))
    await asyncio.sleep(0)
    assert await reason_of(lambda: gated.describe(STUCK)) == "RULES_UNAVAILABLE"
    rules.away = False
    rules.going_on.set()
    assert (await trying).game.token == STUCK
    assert (await gated.describe(STUCK)).game.token == STUCK


async def test_refusals_are_answers(gated: GatedRules) -> None:
    for _ in range(FAILURES_IN_A_ROW * 2):
        assert await reason_of(lambda: gated.apply(OTHER, "", NONSENSE)) == "MALFORMED_REQUEST"
        assert await reason_of(lambda: gated.describe("nogame")) == "GAME_NOT_FOUND"
    assert (await gated.describe(OTHER)).game.token == OTHER


async def test_games_that_somebody_has_made_up_reach_nothing_and_leave_nothing(
    gated: GatedRules, rules: WaywardRules, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The circuits of the games that are served stay as they are: a thousand inventions closed an open one."""
    circuits = dict(gated._circuits)
    monkeypatch.setattr(rules, "_handlers", {})
    for name in ("nogame", "", STUCK.upper(), f"{STUCK}/", "../", "\0", "dns:///elsewhere", "x" * 5000):
        assert await reason_of(lambda name=name: gated.describe(name)) == "GAME_NOT_FOUND"  # type: ignore[misc]  # bound at once
    assert gated._circuits == circuits
