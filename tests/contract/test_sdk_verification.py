"""A revealed game is verified; one that somebody has tampered with is not, and the first lie is named."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import grpc
import pytest
from monsters.cabbages.v1 import cabbages_pb2 as cabbages

import lair
import lair.testing
from lair import chance
from lair._sync_simulation import Simulation
from lair.errors import Details
from lair.types import Draw, Reveal, Step

MOVE = 3
"""The move that is tampered with."""


@pytest.fixture(scope="module")
def client() -> Iterator[lair.Client]:
    with lair.testing.client() as opened:
        yield opened


@pytest.fixture(scope="module")
def game(client: lair.Client) -> lair.Session[Any]:
    """A game of at least six moves, whose third was a Harvest."""
    options = {"first_seat": 0, "max_turns": 12, "cup_move": "stay", "cup_max": 6}
    session = client.create("cabbages", seats=["Ann", "Ben", "Cleo"], options=options)
    for seat in session.seats:
        seat.play("harvest")
    session.play_out()
    return session


@pytest.fixture
def revealed(game: lair.Session[Any]) -> Reveal:
    return game.reveal()


@pytest.fixture(params=["many moves a message", "a call a move"])
def verify(
    request: pytest.FixtureRequest, client: lair.Client, game: lair.Session[Any], monkeypatch: pytest.MonkeyPatch
) -> Callable[[Reveal], lair.Verification]:
    if request.param == "a call a move":
        monkeypatch.setattr(Simulation, "apply", not_served)
    return lambda reveal: client.rules("cabbages").verify(reveal, game.commitment)


def not_served(*_: Any, **__: Any) -> Any:
    """What a server says that has no ApplyMoves."""
    raise lair.NotServed(Details(grpc.StatusCode.UNIMPLEMENTED, "no such method"))


def tampered(reveal: Reveal, change: Callable[[Step], Step], revision: int = MOVE) -> Reveal:
    """The same game with one step changed."""
    steps = tuple(change(step) if step.revision == revision else step for step in reveal.steps)
    return replace(reveal, steps=steps)


def problem_of(verification: lair.Verification) -> lair.Problem:
    assert not verification.ok
    assert verification.problem is not None
    assert str(verification) == verification.problem.sentence
    return verification.problem


def test_an_honest_game_is_verified(revealed: Reveal, verify: Callable[[Reveal], lair.Verification]) -> None:
    verification = verify(revealed)
    assert verification.problem is None
    assert verification.moves == len(revealed.steps) - 1
    assert verification.draws == sum(len(step.draws) for step in revealed.steps)


def test_entropies_are_part_of_the_seeds(client: lair.Client) -> None:
    session = client.create("cabbages", seats=["Ann", "Ben"], entropies=[b"salt", b"pepper"], options={"max_turns": 6})
    session.play_out()
    reveal = session.reveal()
    assert reveal.entropies == (b"salt", b"pepper")
    assert session.verify().ok
    for entropies in ((b"salt", b"sugar"), (b"saltp", b"epper")):
        forged = replace(reveal, entropies=entropies)
        assert problem_of(client.rules("cabbages").verify(forged)).what == "draw"


def test_seeds_of_another_version_are_not_those_of_the_game(revealed: Reveal, client: lair.Client) -> None:
    """And of one that comes later the client says that it is too old, not that somebody has cheated."""
    verify = client.rules(revealed.session.game).verify
    assert revealed.session.chance_version == chance.NEWEST
    older = replace(revealed, session=replace(revealed.session, chance_version=1))
    assert problem_of(verify(older)).what == "draw"
    newer = replace(revealed, session=replace(revealed.session, chance_version=chance.NEWEST + 1))
    problem = problem_of(verify(newer))
    assert (problem.what, problem.revision) == ("seed", None)
    assert "does not know" in problem.sentence


def test_a_player_s_entropy_that_was_left_out_is_named(client: lair.Client) -> None:
    """A server that knows all entropies could choose its seed by what it draws."""
    table = client.open("cabbages", seats=2, options={"max_turns": 6})
    ann = client.join(table.join_code, name="Ann")
    ben = client.join(table.join_code, name="Ben", entropy=b"pepper")
    assert (len(ann.session.entropies[0]), ben.session.entropies) == (32, {1: b"pepper"})
    while (standing := table.snapshot().standing) is not None and not standing.over:
        (ann if 0 in standing.may_act else ben).play("harvest")
    assert ann.session.verify().ok
    assert ben.session.verify().ok
    rules, reveal = client.rules("cabbages"), table.reveal()
    assert rules.verify(reveal, ben.session.commitment, ben.session.entropies).ok
    problem = problem_of(rules.verify(reveal, entropies_seen={1: b"salt"}))
    assert (problem.what, problem.sentence) == ("seed", "the entropy of seat 1 is not the one that it brought")


def test_a_changed_die_is_named(revealed: Reveal, verify: Callable[[Reveal], lair.Verification]) -> None:
    def change(step: Step) -> Step:
        (draw, *rest) = step.draws
        first = draw.results[0] % 6 + 1
        return replace(step, draws=(replace(draw, results=(first, *draw.results[1:])), *rest))

    honest = revealed.steps[MOVE].draws[0].results[0]
    problem = problem_of(verify(tampered(revealed, change)))
    assert (problem.what, problem.revision, problem.draw) == ("draw", MOVE, 1)
    assert problem.sentence == f"move 3: draw 1 (harvest) shows {honest % 6 + 1}, the seed gives {honest}"


@pytest.mark.parametrize(
    "draw", [Draw("harvest", 0, (1,)), Draw("harvest", 1000, (1,)), Draw("deck", -3, (1, 1), True)]
)
def test_a_die_that_cannot_be_is_named(
    revealed: Reveal, verify: Callable[[Reveal], lair.Verification], draw: Draw
) -> None:
    problem = problem_of(verify(tampered(revealed, lambda step: replace(step, draws=(draw,)))))
    assert (problem.what, problem.revision, problem.draw) == ("draw", MOVE, 1)


def test_a_receipt_that_is_left_out_is_named(revealed: Reveal, verify: Callable[[Reveal], lair.Verification]) -> None:
    problem = problem_of(verify(tampered(revealed, lambda step: replace(step, draws=step.draws[:-1]))))
    assert (problem.what, problem.revision) == ("draw", MOVE)


def test_a_changed_move_is_named(revealed: Reveal, verify: Callable[[Reveal], lair.Verification]) -> None:
    feed = cabbages.Move(feed=cabbages.Feed())
    timeout = cabbages.Move(timeout=cabbages.Timeout())
    for change in (
        lambda step: replace(step, move=feed),
        lambda step: replace(step, move=timeout),
        lambda step: replace(step, move=None),
        lambda step: replace(step, seat=1),
        lambda step: replace(step, seat=77),
    ):
        problem = problem_of(verify(tampered(revealed, change)))
        assert (problem.what, problem.revision) == ("move", MOVE)
        assert "move 3" in problem.sentence


def test_a_move_that_would_have_been_legal_is_named(client: lair.Client) -> None:
    """The rules take the forged move: only what follows from it gives it away."""
    session = client.create("cabbages", seats=["Ann", "Ben"], options={"first_seat": 0, "max_turns": 3, "cup_start": 2})
    session.seats[0].play("harvest")
    session.play_out()
    forged = tampered(session.reveal(), lambda step: replace(step, move=cabbages.Move(feed=cabbages.Feed())), 1)
    problem = problem_of(client.rules("cabbages").verify(forged))
    assert (problem.what, problem.revision) == ("move", 1)


def test_a_dropped_revision_is_named(revealed: Reveal, verify: Callable[[Reveal], lair.Verification]) -> None:
    last = len(revealed.steps) - 1
    for dropped in (0, MOVE, last):
        steps = tuple(step for step in revealed.steps if step.revision != dropped)
        problem = problem_of(verify(replace(revealed, steps=steps)))
        assert (problem.what, problem.revision) == ("revision", dropped)


def test_a_doubled_revision_is_named(revealed: Reveal, verify: Callable[[Reveal], lair.Verification]) -> None:
    doubled = revealed.steps[: MOVE + 1] + revealed.steps[MOVE:]
    problem = problem_of(verify(replace(revealed, steps=doubled)))
    assert (problem.what, problem.revision) == ("revision", MOVE + 1)


def test_a_game_that_is_cut_short_is_named(revealed: Reveal, verify: Callable[[Reveal], lair.Verification]) -> None:
    session = replace(revealed.session, revision=revealed.session.revision - 1)
    problem = problem_of(verify(replace(revealed, session=session, steps=revealed.steps[:-1])))
    assert problem.what == "outcome"
    assert "not over" in problem.sentence


def test_a_changed_seed_is_named(revealed: Reveal, verify: Callable[[Reveal], lair.Verification]) -> None:
    assert problem_of(verify(replace(revealed, server_seed=bytes(32)))).what == "seed"
    matching = replace(revealed.session, commitment=chance.commitment_of(bytes(32)))
    problem = problem_of(verify(replace(revealed, session=matching, server_seed=bytes(32))))
    assert problem.what == "commitment"


def test_a_changed_position_is_named(revealed: Reveal, verify: Callable[[Reveal], lair.Verification]) -> None:
    def change(step: Step) -> Step:
        position = cabbages.Position()
        position.CopyFrom(step.position)
        position.cabbages[0] += 1
        return replace(step, position=position)

    problem = problem_of(verify(tampered(revealed, change)))
    assert (problem.what, problem.revision) == ("position", MOVE)


def test_a_changed_event_is_named(revealed: Reveal, verify: Callable[[Reveal], lair.Verification]) -> None:
    problem = problem_of(verify(tampered(revealed, lambda step: replace(step, events=step.events[1:]))))
    assert (problem.what, problem.revision) == ("events", MOVE)


def test_a_changed_standing_is_named(revealed: Reveal, verify: Callable[[Reveal], lair.Verification]) -> None:
    changes: tuple[dict[str, Any], ...] = ({"may_act": (0, 1)}, {"awaited": (0, 1)}, {"stage": 99})
    for changed in changes:
        forged = tampered(revealed, lambda step: replace(step, standing=replace(step.standing, **changed)))  # noqa: B023  called here
        problem = problem_of(verify(forged))
        assert (problem.what, problem.revision) == ("standing", MOVE)


def test_another_winner_is_named(revealed: Reveal, verify: Callable[[Reveal], lair.Verification]) -> None:
    def change(step: Step) -> Step:
        assert step.standing.outcome is not None
        outcome = replace(step.standing.outcome, winners=(2,), reason="row_5_6")
        return replace(step, standing=replace(step.standing, outcome=outcome))

    last = revealed.session.revision
    problem = problem_of(verify(tampered(revealed, change, last)))
    assert (problem.what, problem.revision) == ("outcome", last)
    told = change(revealed.steps[-1]).standing
    problem = problem_of(verify(replace(revealed, session=replace(revealed.session, standing=told))))
    assert problem.what == "outcome"


def made_by(version: str, reveal: Reveal, revisions: range | None = None) -> Reveal:
    """The same game, as if these revisions were made by another version of the rules; without a range, all of them."""
    steps = tuple(
        replace(step, rules_version=version) if revisions is None or step.revision in revisions else step
        for step in reveal.steps
    )
    return replace(reveal, steps=steps)


def test_moves_of_a_version_that_is_not_served_any_more_are_verified_by_their_record(
    revealed: Reveal, verify: Callable[[Reveal], lair.Verification]
) -> None:
    verification = verify(made_by("0", revealed))
    last = revealed.session.revision
    assert (verification.problem, verification.moves, verification.by_record) == (None, last, {"0": last})
    whole = f"verified: {last} moves, {verification.draws} draws"
    assert str(verification) == f"{whole}; {last} moves under rules version 0 by their record"
    assert verification.draws == sum(len(step.draws) for step in revealed.steps)
    older_server = made_by("", replace(revealed, session=replace(revealed.session, rules_version="0")))
    assert verify(older_server) == verification, "one that says no versions of revisions means the session's"


@pytest.mark.parametrize(
    ("revisions", "by_record", "said"),
    [
        (range(1), {"0": 0}, "; the start under rules version 0 by its record"),
        (range(2), {"0": 1}, "; 1 move under rules version 0 by its record"),
        (range(4), {"0": 3}, "; 3 moves under rules version 0 by their record"),
        (range(3, 5), {"0": 2}, "; 2 moves under rules version 0 by their record"),
    ],
)
def test_of_a_game_that_several_versions_have_played_what_can_be_replayed_is_replayed(
    revealed: Reveal,
    verify: Callable[[Reveal], lair.Verification],
    revisions: range,
    by_record: dict[str, int],
    said: str,
) -> None:
    mixed = made_by("0", revealed, revisions)
    verification = verify(mixed)
    assert verification.by_record == by_record
    assert str(verification).endswith(f" draws{said}")
    served = revisions.stop
    problem = problem_of(verify(tampered(mixed, lambda step: replace(step, events=()), served)))
    assert (problem.what, problem.revision) == ("events", served)


def test_of_a_version_that_is_not_served_any_more_a_changed_die_is_named(
    revealed: Reveal, verify: Callable[[Reveal], lair.Verification]
) -> None:
    def change(step: Step) -> Step:
        (draw, *rest) = step.draws
        return replace(step, draws=(replace(draw, results=(draw.results[0] % 6 + 1, *draw.results[1:])), *rest))

    problem = problem_of(verify(tampered(made_by("0", revealed), change)))
    assert (problem.what, problem.revision, problem.draw) == ("draw", MOVE, 1)


def test_of_a_version_that_is_not_served_any_more_a_revision_that_is_dropped_or_doubled_is_named(
    revealed: Reveal, verify: Callable[[Reveal], lair.Verification]
) -> None:
    older = made_by("0", revealed)
    dropped = replace(older, steps=older.steps[:MOVE] + older.steps[MOVE + 1 :])
    doubled = replace(older, steps=older.steps[: MOVE + 1] + older.steps[MOVE:])
    for forged, revision in ((dropped, MOVE), (doubled, MOVE + 1)):
        problem = problem_of(verify(forged))
        assert (problem.what, problem.revision) == ("revision", revision)


def test_of_a_version_that_is_not_served_any_more_a_move_that_does_not_follow_is_named(
    revealed: Reveal, verify: Callable[[Reveal], lair.Verification]
) -> None:
    older = made_by("0", revealed)
    for change, what in (
        (lambda step: replace(step, move=None), "move"),
        (lambda step: replace(step, move=step.position), "move"),
        (lambda step: replace(step, seat=1), "move"),
        (lambda step: replace(step, seat=77), "move"),
        (lambda step: replace(step, position=cabbages.View()), "position"),
    ):
        problem = problem_of(verify(tampered(older, change)))
        assert (problem.what, problem.revision) == (what, MOVE)
    ended = tampered(older, lambda step: replace(step, standing=older.steps[-1].standing))
    problem = problem_of(verify(ended))
    assert (problem.sentence, problem.revision) == ("move 4 comes after the end of the game", MOVE + 1)


def test_an_aborted_game_is_verified_as_far_as_it_went(client: lair.Client) -> None:
    session = client.create("cabbages", seats=["Ann", "Ben"], options={"first_seat": 0})
    session.seats[0].play("harvest")
    session.abort()
    verification = session.verify()
    assert (verification.problem, verification.moves) == (None, 1)


def test_a_lobby_that_was_aborted_has_nothing_to_verify(client: lair.Client) -> None:
    session = client.open("cabbages", seats=2)
    session.abort()
    verification = session.verify()
    assert (verification.problem, verification.moves, verification.draws) == (None, 0, 0)


def test_another_game_s_rules_do_not_verify_it(revealed: Reveal, verify: Callable[[Reveal], lair.Verification]) -> None:
    with pytest.raises(lair.WrongGame):
        verify(replace(revealed, session=replace(revealed.session, game="chess")))
