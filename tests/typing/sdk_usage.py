"""Uses of the SDK, for type checkers: `assert_type` says what they must know, and each ignore what they must refuse.

An ignore that is not needed is an error, too (warn_unused_ignores), so nothing here can be true by accident.
"""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any, assert_type

from monsters.cabbages.v1 import cabbages_pb2 as cabbages
from monsters.session.v1 import session_pb2

import lair


def with_the_module(client: lair.Client) -> None:
    game = client.create(cabbages, seats=["Ann", "Ben"])
    assert_type(game, lair.Session[cabbages.View])
    ann = game.seats[0]
    assert_type(ann, lair.Seat[cabbages.View])
    assert_type(ann.view(), cabbages.View)
    assert_type(ann.view().cabbages[0], int)
    assert ann.view().nonsense  # type: ignore[attr-defined]
    assert_type(ann.play("harvest"), lair.Update[cabbages.View])
    for item in ann.watch():
        assert_type(item, lair.WatchItem[cabbages.View])
        if isinstance(item, lair.FactsChanged):
            assert_type(item.joined, tuple[lair.SeatFacts, ...])
        else:
            assert_type(item, lair.Snapshot[cabbages.View] | lair.Update[cabbages.View])
    assert_type(ann.session.known_facts, lair.SessionFacts)
    client.create(cabbages, seats=["Ann", lair.Bot()])
    assert_type(client.open(cabbages, seats=2), lair.Session[cabbages.View])
    assert_type(ann.leave(), lair.SessionFacts)
    assert_type(ann.rematch(), lair.Seat[cabbages.View])
    assert_type(ann.session.rematch(), lair.Session[cabbages.View])
    client.create(cabbages, seats=["Ann"], turn_limit=30, idle_limit=timedelta(hours=1), keep=0.5)
    client.open(cabbages, seats=2, turn_limit="soon")  # type: ignore[arg-type]
    with ann.stream() as line:
        assert_type(line.play("harvest"), lair.Update[cabbages.View])


def choose(turn: lair.Turn[cabbages.View]) -> lair.Answer:
    assert_type(turn.view, cabbages.View)
    assert_type(turn.moves, tuple[lair.LegalMove[Any], ...])
    return turn.moves[0] if turn.awaited else None


def choose_a_text(turn: lair.Turn[Any]) -> str:
    return turn.moves[0].text


def a_bot(client: lair.Client) -> None:
    seat = client.create(cabbages, seats=["Ann", "Ben"]).seats[0]
    assert_type(seat.run(choose), lair.Outcome)
    seat.run(choose_a_text)
    seat.run(lambda turn: turn.moves[0])
    seat.run(lambda turn: turn.nonsense)  # type: ignore[attr-defined]
    seat.run(count_it)  # type: ignore[arg-type]


def my_games(client: lair.Client) -> None:
    for it in client.standings([client.join("7f3k-9mqa"), ("sessions/7f3k", "token")]):
        assert_type(it, lair.SeatStanding)
        assert_type(it.facts, lair.SessionFacts | None)
    client.standings(["sessions/7f3k"])  # type: ignore[list-item]


def count_it(turn: lair.Turn[Any]) -> int:
    return len(turn.moves)


async def choose_by_and_by(turn: lair.Turn[cabbages.View]) -> lair.Answer:
    return choose(turn)


async def an_asyncio_bot(client: lair.AsyncClient) -> None:
    seat = (await client.create(cabbages, seats=["Ann", "Ben"])).seats[0]
    assert_type(await seat.run(choose_by_and_by), lair.Outcome)
    await seat.run(choose)


def with_the_name(client: lair.Client) -> None:
    game = client.create("cabbages", seats=["Ann", "Ben"])
    assert_type(game, lair.Session[Any])
    assert game.seats[0].view().cabbages
    assert_type(client.join("7f3k-9mqa"), lair.Seat[Any])
    assert_type(client.session("7f3k"), lair.Session[Any])


def the_rules_alone(client: lair.Client) -> None:
    rules = client.rules(cabbages)
    assert_type(rules, lair.Rules[cabbages.Position, cabbages.Move, cabbages.View])
    start = rules.start(seats=3, options={"cup_start": 2}, seed=bytes(32))
    assert_type(start.position, cabbages.Position)
    assert_type(rules.moves(start.position, seat=0), tuple[lair.LegalMove[cabbages.Move], ...])
    after = rules.apply(start.position, seat=0, move="harvest", script=[1, 2])
    assert_type(after, lair.Applied[cabbages.Position, cabbages.Move, cabbages.View])
    assert_type(after.views[None], cabbages.View)
    assert_type(rules.view(after.position), cabbages.View)
    assert_type(rules.suggest(after.position, seat=1), lair.LegalMove[cabbages.Move] | None)
    assert_type(rules.why_not(after.position, seat=1, move=after.move), lair.Refusal | None)
    with rules.simulate() as simulation:
        assert_type(simulation, lair.Simulation[cabbages.Position, cabbages.Move, cabbages.View])
        for result in simulation.apply([lair.NextMove(0, "harvest", start.position)], moves=True):
            if isinstance(result, lair.LairError):
                continue
            assert_type(result.moves, Mapping[int, tuple[lair.LegalMove[cabbages.Move], ...]])
            assert_type(result.position, cabbages.Position | None)
    simulation.apply(["harvest"])  # type: ignore[list-item]
    rules.view(after.move)  # type: ignore[arg-type]
    rules.apply(start.position, move="harvest")  # type: ignore[call-arg]


def what_is_no_game(client: lair.Client) -> None:
    client.rules(session_pb2)  # type: ignore[arg-type]
    client.create(7, seats=["Ann"])  # type: ignore[arg-type]


async def the_asyncio_twin(client: lair.AsyncClient) -> None:
    game = await client.create(cabbages, seats=["Ann", "Ben"])
    assert_type(game, lair.AsyncSession[cabbages.View])
    assert_type(await game.seats[0].view(), cabbages.View)
    async for item in game.watch():
        assert_type(item, lair.WatchItem[cabbages.View])
    rules = client.rules(cabbages)
    assert_type((await rules.start(seats=2)).position, cabbages.Position)
    async with rules.simulate() as simulation:
        assert len(await simulation.apply([lair.NextMove(0, "harvest", chain=7)])) == 1
    assert_type(await game.play_out(), lair.Outcome)
    assert game.seats[0].view().cabbages  # type: ignore[attr-defined]


def errors(error: lair.LairError) -> None:
    if isinstance(error, lair.IllegalMove):
        assert_type(error.rule, str)
    if isinstance(error, lair.InvalidRequest):
        assert_type(error.violations, tuple[lair.Violation, ...])
    assert error.rule  # type: ignore[attr-defined]
