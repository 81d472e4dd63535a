"""What can be done after the end: everything is revealed, and everybody can check every die."""

from hashlib import sha256
from typing import Any

import pytest
from monsters.cabbages.v1 import cabbages_pb2 as cabbages
from monsters.cabbages.v1 import rules_service_pb2 as service
from monsters.session.v1 import session_pb2 as wire

from tests.support.draws import every_draw_agrees, seeds_of
from tests.support.refusals import refusal_of
from tests.support.servers import Stubs
from tests.support.sessions import (
    Created,
    abort,
    create,
    endless,
    feed_on,
    history_of,
    join,
    open_lobby,
    options,
    play_out,
    reveal_of,
    session_of,
    submit,
)

TURNS = 7


def random_options() -> Any:
    """Options in which the first seat is drawn, too."""
    chosen = options(cup_start=2, max_turns=40)
    message = cabbages.Options()
    chosen.Unpack(message)
    message.ClearField("first_seat")
    chosen.Pack(message)
    return chosen


@pytest.mark.parametrize("seats", [2, 5])
def test_every_draw_of_a_game_can_be_recomputed(any_server: Stubs, seats: int) -> None:
    created = create(any_server, seats, options=random_options())
    play_out(any_server, created)
    revealed = reveal_of(any_server, created)
    assert sha256(revealed.server_seed).digest() == created.session.commitment == revealed.session.commitment
    assert [draw.purpose for draw in revealed.steps[0].draws] == ["first seat"]
    assert sum(len(step.draws) for step in revealed.steps) >= len(revealed.steps) - 1
    assert every_draw_agrees(revealed)
    revealed.server_seed = bytes(32)
    assert not every_draw_agrees(revealed)


def test_what_the_players_bring_goes_into_every_seed(any_server: Stubs) -> None:
    lobby = open_lobby(any_server, options=random_options())
    lobby.seat_tokens.extend(join(any_server, lobby, entropy=entropy).seat_token for entropy in (b"dice", b"of Ben"))
    play_out(any_server, lobby)
    revealed = reveal_of(any_server, lobby)
    assert list(revealed.entropies) == [b"dice", b"of Ben"]
    assert every_draw_agrees(revealed)
    revealed.entropies[:] = [b"dice", b"of Bea"]
    assert not every_draw_agrees(revealed)


def test_a_creator_with_all_tokens_brings_the_entropies(any_server: Stubs) -> None:
    seats = [wire.SeatRequest(entropy=b"1"), wire.SeatRequest(entropy=b"22")]
    created = any_server.sessions.CreateSession(
        wire.CreateSessionRequest(game="cabbages", seats=seats, all_tokens=True, options=options(max_turns=1))
    )
    submit(any_server, created, 0)
    revealed = reveal_of(any_server, created)
    assert list(revealed.entropies) == [b"1", b"22"]
    assert every_draw_agrees(revealed)


def test_the_rules_say_the_same_of_every_step_that_was_revealed(server: Stubs) -> None:
    created = create(server)
    play_out(server, created)
    revealed = reveal_of(server, created)
    seeds = list(seeds_of(revealed))
    for before, step, seed in zip(revealed.steps, revealed.steps[1:], seeds[1:], strict=False):
        request = service.ApplyMoveRequest(seat=step.seat, chance={"seed": seed})  # type: ignore[arg-type]  # as a dict
        before.position.Unpack(request.position)
        step.move.Unpack(request.move)
        answer = server.rules().ApplyMove(request)
        position = cabbages.Position()
        step.position.Unpack(position)
        assert (answer.position, answer.standing, list(answer.draws)) == (position, step.standing, list(step.draws))
        assert [event.SerializeToString() for event in answer.events] == [event.value for event in step.events]


def test_what_is_revealed_is_what_was_told(any_server: Stubs) -> None:
    created = create(any_server, options=options(max_turns=TURNS))
    play_out(any_server, created)
    revealed = reveal_of(any_server, created)
    assert revealed.session == session_of(any_server, created)
    assert [step.revision for step in revealed.steps] == list(range(len(revealed.steps)))
    for step, update in zip(revealed.steps, history_of(any_server, created), strict=True):
        assert (step.HasField("seat"), step.seat) == (update.HasField("seat"), update.seat)
        assert (step.events, step.draws) == (update.events, update.draws), "in this game everybody knows everything"
        assert (step.standing, step.commit_time) == (update.standing, update.commit_time)
        assert step.HasField("move") == bool(step.revision)


@pytest.mark.parametrize("size", [1, 3, TURNS + 1])
def test_the_steps_come_in_pages(any_server: Stubs, size: int) -> None:
    created = create(any_server, **endless(TURNS))
    feed_on(any_server, created)
    whole = reveal_of(any_server, created)
    request, steps = wire.RevealSessionRequest(name=created.session.name, page_size=size), list[wire.Step]()
    while len(steps) <= TURNS:
        page = any_server.sessions.RevealSession(request)
        assert len(page.steps) <= size
        assert page.server_seed == whole.server_seed
        steps += page.steps
        request.page_token = page.next_page_token
    assert not request.page_token
    assert steps == list(whole.steps)


def test_an_aborted_session_is_revealed_as_far_as_it_went(any_server: Stubs) -> None:
    created = create(any_server)
    submit(any_server, created, 0)
    ended = abort(any_server, created)
    assert (ended.state, ended.revision) == (wire.STATE_ABORTED, 1)
    revealed = reveal_of(any_server, created)
    assert [step.revision for step in revealed.steps] == [0, 1]
    assert every_draw_agrees(revealed)


def test_an_aborted_lobby_has_nothing_but_its_seed(any_server: Stubs) -> None:
    lobby = open_lobby(any_server)
    abort(any_server, lobby)
    revealed = reveal_of(any_server, lobby)
    assert sha256(revealed.server_seed).digest() == lobby.session.commitment
    assert not revealed.steps


def test_aborting_again_changes_nothing(any_server: Stubs) -> None:
    created = create(any_server)
    assert abort(any_server, created) == abort(any_server, created) == session_of(any_server, created)


def test_an_abort_and_a_move_at_once_leave_one_truth(any_server: Stubs) -> None:
    for _ in range(10):
        created = create(any_server)
        move = submit_later(any_server, created)
        abort(any_server, created)
        session = session_of(any_server, created)
        assert session.state == wire.STATE_ABORTED
        if move.exception():
            assert refusal_of(move.result).reason == "SESSION_ABORTED"
            assert session.revision == 0
        else:
            assert session.revision == move.result().update.revision == 1
        assert len(reveal_of(any_server, created).steps) == session.revision + 1


def submit_later(stubs: Stubs, created: Created) -> Any:
    """A move of seat 0 that is on its way."""
    return stubs.sessions.SubmitMove.future(
        wire.SubmitMoveRequest(name=created.session.name, text="harvest"),
        metadata=(("authorization", f"Bearer {created.seat_tokens[0]}"),),
    )
