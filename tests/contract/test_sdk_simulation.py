"""Many moves at once through the SDK, in both flavours."""

import asyncio
import signal
import threading
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from monsters.cabbages.v1 import cabbages_pb2 as cabbages
from monsters.session.v1 import session_pb2

import lair
import lair.testing
from lair import NextMove
from tests.support.flavours import FLAVOURS, connected, done
from tests.support.processes import Server

SEED = bytes(32)
CUT_OFF_AFTER = "0.2"
PATIENT = 1.5
"""Seconds."""


@pytest.fixture(scope="module")
def target() -> Iterator[str]:
    with lair.testing.server() as address:
        yield address


@pytest.fixture(params=FLAVOURS)
async def rules(request: pytest.FixtureRequest, target: str) -> AsyncIterator[Any]:
    async with connected(request.param, target) as client:
        yield client.rules(cabbages)


@asynccontextmanager
async def simulating(rules: Any) -> AsyncIterator[Any]:
    """A simulation of either flavour."""
    if isinstance(rules, lair.AsyncRules):
        async with rules.simulate() as simulation:
            yield simulation
    else:
        with rules.simulate() as simulation:
            yield simulation


async def start_of(rules: Any, **options: Any) -> cabbages.Position:
    position: cabbages.Position = (await done(rules.start(seats=2, options={"first_seat": 0, **options}))).position
    return position


async def test_a_move_is_what_apply_makes_of_it(rules: Any) -> None:
    start = await start_of(rules)
    alone = await done(rules.apply(start, seat=0, move="harvest", seed=SEED, view_for=[1], spectator=True))
    async with simulating(rules) as simulation:
        move = NextMove(0, "harvest", start, seed=SEED)
        (result,) = await done(
            simulation.apply([move], position=True, moves=True, events=True, draws=True, view_for=[1], spectator=True)
        )
    for field in ("position", "standing", "events", "draws", "seed", "script", "views"):
        assert getattr(result, field) == getattr(alone, field), field
    (seat,) = alone.standing.may_act
    assert result.moves == {seat: await done(rules.moves(alone.position, seat=seat))}


async def test_what_was_not_asked_for_is_not_there(rules: Any) -> None:
    start = await start_of(rules)
    async with simulating(rules) as simulation:
        (result,) = await done(simulation.apply([NextMove(0, "harvest", start, script=[6, 5])]))
    assert result.standing.may_act == (1,)
    assert (result.position, result.seed, result.script) == (None, None, None)
    assert (result.moves, result.events, result.draws, result.views) == ({}, (), (), {})


async def test_a_chain_goes_on_from_where_it_has_come_to(rules: Any) -> None:
    start = await start_of(rules)
    first = [NextMove(0, "harvest", start, chain=chain) for chain in range(3)]
    async with simulating(rules) as simulation:
        able = [result.moves[1] for result in await done(simulation.apply(first, moves=True))]
        following = [NextMove(1, legal[0], chain=chain) for chain, legal in enumerate(able)]
        following.append(NextMove(0, able[0][0].text, chain=0))
        results = await done(simulation.apply(following, position=True))
    assert [result.position.turn for result in results] == [3, 3, 3, 4]


async def test_a_refused_move_is_an_error_in_its_place(rules: Any) -> None:
    start = await start_of(rules)
    batch = [
        NextMove(0, "feed", start),
        NextMove(0, "harvest"),
        NextMove(0, "harvest", start, chain=1),
        NextMove(0, "dance", start, chain=2),
        NextMove(0, "harvest", cabbages.Position(turn=-1), chain=3),
        NextMove(0, "harvest", start, chain=999),
    ]
    async with simulating(rules) as simulation:
        results = await done(simulation.apply(batch))
        kinds = [lair.IllegalMove, lair.NotPlayed, lair.Simulated, lair.InvalidRequest, lair.ImpossiblePosition]
        assert [type(result) for result in results] == [*kinds, lair.InvalidRequest]
        assert (results[0].reason, results[0].rule) == ("CUP_EMPTY", "C-R10")
        assert results[1].metadata == {"chain": "0"}
        (after,) = await done(simulation.apply([NextMove(0, "harvest")], position=True))
        assert after.position.turn == 2, "the chain stayed where it was"


async def test_nothing_is_asked_for_nothing(rules: Any) -> None:
    async with simulating(rules) as simulation:
        assert await done(simulation.apply([])) == []


async def test_too_many_moves_end_the_stream_and_the_next_one_begins_anew(rules: Any) -> None:
    start = await start_of(rules)
    async with simulating(rules) as simulation:
        with pytest.raises(lair.InvalidRequest, match="1000 at most"):
            await done(simulation.apply([NextMove(0, "harvest", start)] * 1001))
        (lost,) = await done(simulation.apply([NextMove(0, "harvest")]))
        assert isinstance(lost, lair.InvalidRequest)
        assert len(await done(simulation.apply([NextMove(0, "harvest", start)] * 1000))) == 1000


async def test_what_can_not_be_sent_is_refused_before_anything_is(rules: Any) -> None:
    start = await start_of(rules)
    absurd: list[Any] = [
        "harvest",
        NextMove(0, 7, start),  # type: ignore[arg-type]  # the point
        NextMove(0, "harvest", start, seed=SEED, script=[1]),
        NextMove(2**40, "harvest", start),
        NextMove(0, "harvest", "a position"),  # type: ignore[arg-type]  # the point
        NextMove(0, "harvest", start, chain="one"),  # type: ignore[arg-type]  # the point
    ]
    async with simulating(rules) as simulation:
        for move in absurd:
            with pytest.raises(lair.InvalidRequest) as refused:
                await done(simulation.apply([NextMove(0, "harvest", start), move]))
            assert refused.value.domain == "lair"
        with pytest.raises(lair.WrongGame):
            await done(simulation.apply([NextMove(0, session_pb2.Session(), start)]))
        (result,) = await done(simulation.apply([NextMove(0, "harvest", start)]))
        assert isinstance(result, lair.Simulated)


@pytest.mark.slow
@pytest.mark.parametrize("flavour", FLAVOURS)
async def test_a_server_that_goes_away_cuts_a_simulation_off(flavour: str, tmp_path: Path) -> None:
    """A stream without a word does not keep the server longer than its grace."""
    with Server(tmp_path / "lair.db", LAIR_GRACE=CUT_OFF_AFTER) as server:
        async with connected(flavour, server.address, options=[("grpc.enable_retries", 0)]) as client:
            rules = client.rules(cabbages)
            start = await start_of(rules)
            async with simulating(rules) as simulation:
                assert len(await done(simulation.apply([NextMove(0, "harvest", start)]))) == 1
                assert server.stop() == 0
                with pytest.raises(lair.Unavailable):
                    await done(simulation.apply([NextMove(1, "harvest")]))
                server.start()
                (lost,) = await eventually(simulation, NextMove(1, "harvest"))
                assert isinstance(lost, lair.InvalidRequest), "its chains are forgotten"
    log = server.log.read_text()
    assert "incident" not in log
    assert "Traceback" not in log


@pytest.mark.slow
@pytest.mark.parametrize("flavour", FLAVOURS)
async def test_a_server_that_hangs_does_not_hang_the_caller(flavour: str, tmp_path: Path) -> None:
    """The timeout of the client holds for each answer, and not for the stream: a long one lives on."""
    with Server(tmp_path / "lair.db") as server:
        async with connected(flavour, server.address, timeout=PATIENT) as client:
            rules = client.rules(cabbages)
            start = await start_of(rules)
            async with simulating(rules) as simulation:
                (first,) = await done(simulation.apply([NextMove(0, "harvest", start)]))
                await asyncio.sleep(PATIENT * 1.5)  # nobody waits meanwhile
                assert isinstance((await done(simulation.apply([NextMove(1, "harvest")])))[0], lair.Simulated)
                assert server.process is not None
                server.process.send_signal(signal.SIGSTOP)
                began = time.monotonic()
                try:
                    with pytest.raises(lair.Unavailable, match=r"no answer from .* in time"):
                        await done(simulation.apply([NextMove(0, "harvest")]))
                finally:
                    server.process.send_signal(signal.SIGCONT)
                assert PATIENT <= time.monotonic() - began < PATIENT + 8, "less than the ten seconds of others"
                (lost,) = await eventually(simulation, NextMove(0, "harvest"))
                assert isinstance(lost, lair.InvalidRequest), "its chains are forgotten"
                assert isinstance((await done(simulation.apply([NextMove(0, "harvest", start)])))[0], lair.Simulated)
    assert isinstance(first, lair.Simulated)


async def test_no_thread_is_left_of_a_simulation(target: str) -> None:
    def watching() -> list[threading.Thread]:
        return [thread for thread in threading.enumerate() if thread.name == "lair-patience"]

    with lair.connect(target) as client:
        rules = client.rules(cabbages)
        with rules.simulate() as simulation:
            simulation.apply([NextMove(0, "harvest", await start_of(rules))])
            (thread,) = watching()
        thread.join(PATIENT)
    assert not watching()


async def eventually(simulation: Any, move: NextMove) -> Any:
    """The answer, once the channel has found the server again."""
    for _ in range(50):
        try:
            return await done(simulation.apply([move]))
        except lair.Unavailable:
            await asyncio.sleep(0.1)
    raise AssertionError
