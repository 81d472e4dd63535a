"""Arguments of every wrong type: whatever is given, the call works or ends in one sentence from the tree of errors."""

import inspect
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import lair
import lair.testing

NONSENSE: list[Any] = [
    *(None, 5, -1, 2**70, 1.5, float("nan"), True, object(), print, lair.Bot()),
    *("", "x" * 70_000, "\ud800", "a\0b", b"x", [], [1], ["a"], {}, {"a": 1}),
]
NOT_TRIED = {"until_rematch", "on_move"}
"""What only waits, and what is only called."""


def failures_of(function: Callable[..., Any], **good: Any) -> Iterator[str]:
    """What goes wrong in another way when one argument after the other is nonsense."""
    parameters = inspect.signature(function).parameters.values()
    for parameter in parameters:
        if parameter.name in NOT_TRIED:
            continue
        for nonsense in NONSENSE:
            given = {**good, parameter.name: nonsense}
            positional = [given.pop(each.name) for each in parameters if each.kind is each.POSITIONAL_ONLY]
            what = f"{getattr(function, '__qualname__', function)}({parameter.name}={nonsense!r:.40})"
            try:
                result = function(*positional, **given)
                if isinstance(result, Iterator):
                    next(result, None)
            except lair.LairError as error:
                if isinstance(error, lair.ServerError) or "\n" in str(error) or not str(error):
                    yield f"{what}: {error!r}"
            except Exception as error:  # noqa: BLE001  that is what is looked for
                yield f"{what}: {error!r}"


@pytest.mark.parametrize("connect", [lair.connect, lair.aconnect])
def test_nonsense_for_connect_ends_in_a_sentence(connect: Callable[..., Any]) -> None:
    assert not list(failures_of(connect, target="localhost:50051"))


def test_nonsense_for_a_client_ends_in_a_sentence() -> None:
    with lair.testing.client() as client:
        lobby = client.open("cabbages", seats=5)
        game = client.create("cabbages", seats=["Ann", "Ben"])
        tried = [
            failures_of(client.create, game="cabbages", seats=["Ann", "Ben"]),
            failures_of(client.open, game="cabbages", seats=2),
            failures_of(client.join, code_or_session=lobby.join_code),
            failures_of(client.session, name=game.name),
            failures_of(client.seat, name=game.name, token=game.seats[0].token),
            failures_of(client.lobbies),
            failures_of(client.standings, seats=game.seats),
            failures_of(client.rules, game="cabbages"),
        ]
        assert not [failure for failures in tried for failure in failures]


def test_nonsense_for_a_session_and_a_seat_ends_in_a_sentence() -> None:
    with lair.testing.client() as client:
        over = client.create("cabbages", seats=["Ann", "Ben"], options={"max_turns": 4})
        over.play_out()
        over.rematch()
        (seat, _) = over.seats
        tried = [
            *(failures_of(reader.view) for reader in (over, seat)),
            *(failures_of(reader.snapshot) for reader in (over, seat)),
            *(failures_of(reader.watch) for reader in (over, seat)),
            failures_of(over.play_out),
            failures_of(seat.play, move="harvest"),
            failures_of(seat.rematch),
        ]
        assert not [failure for failures in tried for failure in failures]


def test_nonsense_for_rules_ends_in_a_sentence() -> None:
    with lair.testing.client() as client:
        rules = client.rules("cabbages")
        start = rules.start(seats=2, options={"first_seat": 0}).position
        move = {"position": start, "seat": 0, "move": "harvest"}
        tried = [
            failures_of(rules.start, seats=2),
            failures_of(rules.apply, **move),
            failures_of(rules.why_not, **move),
            failures_of(rules.moves, position=start, seat=0),
            failures_of(rules.suggest, position=start, seat=0),
            failures_of(rules.view, position=start),
            failures_of(rules.position, text=rules.position_text(start)),
            failures_of(rules.position_text, position=start),
            failures_of(rules.verify, reveal=None),
        ]
        with rules.simulate() as simulation:
            tried.append(failures_of(simulation.apply, batch=[lair.NextMove(0, "harvest", start)]))
            assert not [failure for failures in tried for failure in failures]
