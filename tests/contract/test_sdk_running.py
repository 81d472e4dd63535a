"""A seat that a function plays until the end, in both flavours, whatever happens to connections and servers."""

import asyncio
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import lair
import lair.testing
from tests.support.cutting import CutWay
from tests.support.flavours import FLAVOURS, connected, done
from tests.support.processes import Server

SHORT = {"first_seat": 0, "max_turns": 12}
PATIENCE = 20.0
"""Seconds in which something that has to happen has happened."""
Choose = Callable[[lair.Turn[Any]], lair.Answer]


@pytest.fixture(scope="module")
def target() -> Iterator[str]:
    with lair.testing.server() as address:
        yield address


@pytest.fixture(params=FLAVOURS)
async def client(request: pytest.FixtureRequest, target: str) -> AsyncIterator[Any]:
    async with connected(request.param, target) as opened:
        yield opened


def first(turn: lair.Turn[Any]) -> lair.Answer:
    return turn.moves[0]


async def run(seat: Any, choose: Choose = first) -> lair.Outcome:
    """Run a seat of either flavour with a strategy that is written once."""

    async def choose_by_and_by(turn: lair.Turn[Any]) -> lair.Answer:
        await asyncio.sleep(0)
        return choose(turn)

    is_async = isinstance(seat, lair.AsyncSeat)
    outcome: lair.Outcome = await done(seat.run(choose_by_and_by if is_async else choose))
    return outcome


def wait_until_past(target: str, turn: lair.Turn[Any], name: str) -> None:
    """Wait until a session has come to a later revision than a turn's."""
    with lair.connect(target) as other:
        until = time.monotonic() + PATIENCE
        while other.session(name).known_facts.revision <= turn.revision and time.monotonic() < until:
            time.sleep(0.02)


async def test_a_function_plays_a_seat_until_the_end_and_is_told_all_it_needs(client: Any) -> None:
    session = await done(client.create("cabbages", seats=["Ann", lair.Bot()], options=SHORT, stand_in=0, turn_limit=90))
    turns: list[lair.Turn[Any]] = []

    def choose(turn: lair.Turn[Any]) -> lair.Answer:
        turns.append(turn)
        move = turn.moves[-1]
        return (move, move.text, move.move)[len(turns) % 3]

    outcome = await run(session.seats[0], choose)
    facts = await done(session.facts())
    assert facts.standing.outcome == outcome == session.known_facts.standing.outcome
    assert {(turn.seat, turn.awaited, turn.standing.may_act) for turn in turns} == {(0, True, (0,))}
    assert [len(turn.view.cabbages) for turn in turns] == [2] * len(turns)
    assert sorted({turn.revision for turn in turns}) == [turn.revision for turn in turns], "each revision once"
    for turn in turns:
        assert turn.deadline is not None
        assert turn.time_left is not None
        assert 0 < turn.time_left.total_seconds() <= 90
    assert (await done(session.verify())).ok


@pytest.mark.parametrize("game", ["heads", "maidens", "sprinkleton"])
async def test_every_game_can_be_played_by_a_function(client: Any, game: str) -> None:
    """Also where several seats may act at once, and somebody else is faster."""
    session = await done(client.create(game, seats=["Ann", *([lair.Bot()] * 3)], stand_in=0))
    outcome = await run(session.seats[0])
    assert (await done(session.facts())).standing.outcome == outcome


async def test_all_seats_of_a_table_are_played_side_by_side(target: str) -> None:
    async with lair.aconnect(target) as client:
        game = await client.create("sprinkleton", seats=["Ann", "Ben"], options={"max_rounds": 6})
        outcomes = await asyncio.gather(*(run(seat) for seat in game.seats))
    assert len(set(outcomes)) == 1


async def test_a_game_that_has_not_started_is_waited_for(client: Any, target: str) -> None:
    lobby = await done(client.open("cabbages", seats=["", ""], options=SHORT))
    ann = await done(client.join(lobby.join_code, name="Ann"))

    def join_later() -> None:
        with lair.connect(target) as other:
            other.join(lobby.join_code, name="Ben").run(first)

    ben = threading.Timer(0.2, join_later)
    ben.start()
    assert (await run(ann)).scores
    ben.join()


async def test_a_game_that_is_over_has_its_outcome_at_once(client: Any) -> None:
    session = await done(client.create("cabbages", seats=["Ann", "Ben"], options=SHORT))
    outcome = await done(session.play_out(seed=1))
    assert await run(session.seats[0], lambda turn: pytest.fail(f"asked at {turn.revision}")) == outcome


async def test_whoever_answers_nothing_waits_for_what_comes_next(client: Any) -> None:
    options = {"first_seat": 0, "max_turns": 3}
    session = await done(client.create("cabbages", seats=["Ann", "Ben"], options=options, turn_limit=0.1))
    asked: list[int] = []
    await run(session.seats[0], lambda turn: asked.append(turn.revision))
    movers = [update.seat async for update in _history(session)]
    assert asked == list(range(0, len(movers) - 1, 2))
    assert set(movers) == {None}, "whose turn passed by a time-out"


async def _history(session: Any) -> AsyncIterator[Any]:
    updates = session.history()
    if hasattr(updates, "__aiter__"):
        async for update in updates:
            yield update
    else:
        for update in updates:
            yield update


@pytest.mark.parametrize("flavour", FLAVOURS)
async def test_a_move_that_comes_after_its_turn_is_not_played(target: str, flavour: str) -> None:
    """The first turn passes by a time-out: the strategy is asked again, about the turn that it has by now."""
    options = {"first_seat": 0, "max_turns": 6}
    async with connected(flavour, target) as client:
        session = await done(client.create("cabbages", seats=["Ann", lair.Bot()], options=options, turn_limit=0.3))
        asked: list[int] = []

        def choose(turn: lair.Turn[Any]) -> lair.Answer:
            asked.append(turn.revision)
            if turn.revision == 0:
                wait_until_past(target, turn, session.name)
            return "harvest"

        async def choose_in_a_thread(turn: lair.Turn[Any]) -> lair.Answer:
            return await asyncio.to_thread(choose, turn)

        seat = session.seats[0]
        await done(seat.run(choose_in_a_thread if flavour == "asyncio" else choose))
        movers = [update.seat async for update in _history(session)]
    assert movers[:2] == [None, None], "the start, and the time-out"
    assert sorted(set(asked)) == asked, "each revision once"
    ours = {revision for revision, seat in enumerate(movers) if seat == 0}
    assert ours <= {revision + 1 for revision in asked[1:]}


async def test_a_strategy_is_cancelled_when_its_turn_has_passed(target: str) -> None:
    options = {"first_seat": 0, "max_turns": 4}
    ends: list[str] = []

    async def think(turn: lair.Turn[Any]) -> lair.Answer:
        if turn.revision > 0:
            return turn.moves[0]
        try:
            await asyncio.sleep(PATIENCE)
        except asyncio.CancelledError:
            ends.append("cancelled")
            raise
        return pytest.fail("it was left to think")

    async with lair.aconnect(target) as client:
        game = await client.create("cabbages", seats=["Ann", lair.Bot()], options=options, turn_limit=0.1)
        await game.seats[0].run(think)
    assert ends == ["cancelled"]


async def test_who_joins_or_leaves_does_not_disturb_whoever_thinks(target: str) -> None:
    """It is no revision: the turn is still the same."""
    asked: list[int] = []

    async with lair.aconnect(target) as client:
        game = await client.create("cabbages", seats=["Ann", "Ben"], options={"first_seat": 0, "max_turns": 1})

        async def think(turn: lair.Turn[Any]) -> lair.Answer:
            asked.append(turn.revision)
            await game.seats[1].leave()
            while not game.known_facts.seats[1].left:  # noqa: ASYNC110  it is the stream that tells it
                await asyncio.sleep(0.01)
            return turn.moves[0]

        async with asyncio.timeout(PATIENCE):
            await game.seats[0].run(think)
    assert asked == [0]


async def test_a_plain_function_does_for_asyncio_too(target: str) -> None:
    async with lair.aconnect(target) as client:
        game = await client.create("cabbages", seats=["Ann", lair.Bot()], options=SHORT, stand_in=0)
        assert (await game.seats[0].run(first)).scores


async def test_what_a_strategy_raises_comes_to_the_caller_as_it_is(client: Any) -> None:
    session = await done(client.create("cabbages", seats=["Ann", "Ben"], options=SHORT))
    error = ZeroDivisionError("no such luck")

    def choose(_: lair.Turn[Any]) -> lair.Answer:
        raise error

    with pytest.raises(ZeroDivisionError) as raised:
        await run(session.seats[0], choose)
    assert raised.value is error
    assert (await done(session.facts())).revision == 0


@pytest.mark.parametrize(
    ("answer", "refusal"),
    [("feed", lair.IllegalMove), ("dance", lair.InvalidRequest), (17, lair.InvalidRequest)],
)
async def test_an_answer_that_is_no_legal_move_ends_the_run(client: Any, answer: Any, refusal: type[Exception]) -> None:
    session = await done(client.create("cabbages", seats=["Ann", "Ben"], options=SHORT))
    with pytest.raises(refusal):
        await run(session.seats[0], lambda _: answer)


async def test_a_session_that_is_aborted_has_no_outcome(client: Any, target: str) -> None:
    session = await done(client.create("cabbages", seats=["Ann", "Ben"], options=SHORT))

    def abort(_: lair.Turn[Any]) -> lair.Answer:
        with lair.connect(target) as other:
            other.session(session.name, host_token=session.host_token).abort()
        return "harvest"

    with pytest.raises(lair.WrongState) as aborted:
        await run(session.seats[0], abort)
    assert aborted.value.reason == "SESSION_ABORTED"


async def test_a_seat_that_was_left_is_not_played_on(client: Any) -> None:
    session = await done(client.create("cabbages", seats=["Ann", "Ben"], options=SHORT))
    await done(session.seats[0].leave())
    with pytest.raises(lair.BadToken):
        await run(session.seats[0])


@pytest.mark.parametrize("flavour", FLAVOURS)
async def test_connections_that_break_lose_no_move_and_play_none_twice(target: str, flavour: str) -> None:
    """With a cut before each move, or of its answer; the run alone tries again, since the calls don't."""
    options = {"first_seat": 0, "max_turns": 24}
    with CutWay(target) as way:
        async with connected(flavour, way.address, options=[("grpc.enable_retries", 0)]) as client:
            session = await done(client.create("cabbages", seats=["Ann", lair.Bot()], options=options, stand_in=0))
            turns = 0

            def choose(turn: lair.Turn[Any]) -> lair.Answer:
                nonlocal turns
                turns += 1
                if turns % 2:
                    way.cut()
                else:
                    way.lose_next_answer()
                return "feed" if "feed" in [move.text for move in turn.moves] else "harvest"

            await run(session.seats[0], choose)
        assert way.cuts >= turns // 2
    with lair.connect(target) as direct:
        played = list(direct.session(session.name).history())
        assert [update.revision for update in played] == list(range(len(played)))
        assert sum(update.seat == 0 for update in played) == turns
        assert direct.session(session.name).verify().ok


@pytest.mark.slow
@pytest.mark.parametrize("flavour", FLAVOURS)
async def test_a_server_that_starts_again_is_played_on(tmp_path: Path, flavour: str) -> None:
    """Once it stops in order, and ends its streams although the game goes on; and twice it is killed."""
    options = {"first_seat": 0, "max_turns": 12}
    with Server(tmp_path / "lair.db") as server:
        async with connected(flavour, server.address, timeout=2.0) as client:
            session = await done(client.create("cabbages", seats=["Ann", lair.Bot()], options=options, stand_in=0))
            ends = [server.kill, server.stop, server.kill]
            backs: list[threading.Timer] = []

            def choose(turn: lair.Turn[Any]) -> lair.Answer:
                if ends:
                    ends.pop()()
                    backs.append(threading.Timer(3.0, server.start))  # longer than a call is tried
                    backs[-1].start()
                return turn.moves[0]

            await run(session.seats[0], choose)
            assert (len(backs), ends) == (3, [])
            played = [update.revision async for update in _history(session)]
            assert played == list(range(len(played)))
            assert (await done(session.verify())).ok
        for back in backs:
            back.join()


@pytest.mark.slow
async def test_a_run_that_is_cancelled_leaves_neither_stream_nor_strategy_behind(tmp_path: Path) -> None:
    thinking = asyncio.Event()
    ends: list[str] = []

    async def think(_: lair.Turn[Any]) -> lair.Answer:
        thinking.set()
        try:
            await asyncio.sleep(PATIENCE)
        finally:
            ends.append("ended")
        return None

    with Server(tmp_path / "lair.db", LAIR_MAX_STREAMS="2") as server:
        async with lair.aconnect(server.address) as client:
            game = await client.create("cabbages", seats=["Ann", "Ben"], options=SHORT)
            for _ in range(6):
                thinking.clear()
                playing = asyncio.create_task(game.seats[0].run(think))
                await asyncio.wait_for(thinking.wait(), PATIENCE)
                playing.cancel()
                with pytest.raises(asyncio.CancelledError):
                    await playing
    assert ends == ["ended"] * 6
