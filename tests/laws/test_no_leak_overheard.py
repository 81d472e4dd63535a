"""A game of recognisable secrets through the whole server: no byte of it goes where it may not.

LAIR_LEAK_EVENINGS sets how many games are played so.
"""

import os
from functools import partial
from pathlib import Path

import pytest
from monsters.session.v1.session_pb2 import LeaveSessionRequest

from tests.support.canary.game import CANARY
from tests.support.leaks.defects import a_game_chokes_on_its_cards
from tests.support.leaks.evening import LONG
from tests.support.leaks.game_mutants import (
    Mutant,
    a_draw_is_for_everybody,
    a_refusal_names_what_is_hidden,
    a_view_is_another_seats,
    the_session_tells_every_draw,
    the_session_tells_every_event,
    the_view_is_open_at_the_end,
    views_are_remembered_for_everybody,
)
from tests.support.leaks.overhearing import assert_nothing_is_overheard
from tests.support.leaks.server_mutants import MUTANTS
from tests.support.leaks.server_mutants import Mutant as ServerMutant
from tests.support.refusals import refusal_of
from tests.support.servers import bearer, running
from tests.support.sessions import Player, create, watch

HEARD = r" heard .+ in [A-Z]| is in the log"
"""What a leak is reported with: another failure of the same evening would prove nothing."""
EVENINGS = int(os.environ.get("LAIR_LEAK_EVENINGS", "2"))
HEARD_MUTANTS = (
    # Leaks of the rules that can be heard through the whole server, too.
    a_draw_is_for_everybody,
    a_refusal_names_what_is_hidden,
    a_view_is_another_seats,
    the_session_tells_every_draw,
    the_session_tells_every_event,
    the_view_is_open_at_the_end,
    views_are_remembered_for_everybody,
)


@pytest.mark.parametrize("seed", range(EVENINGS))
def test_nothing_secret_is_heard_or_logged(seed: int, tmp_path: Path) -> None:
    assert_nothing_is_overheard(CANARY, tmp_path, seed, LONG)


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.__name__)
def test_a_deliberate_leak_of_the_server_is_heard(mutant: ServerMutant, tmp_path: Path) -> None:
    with mutant(), pytest.raises(AssertionError, match=HEARD):
        assert_nothing_is_overheard(CANARY, tmp_path)


@pytest.mark.parametrize("mutant", HEARD_MUTANTS, ids=lambda mutant: mutant.__name__)
def test_a_deliberate_leak_of_the_rules_is_heard(mutant: Mutant, tmp_path: Path) -> None:
    with mutant(CANARY) as leaky, pytest.raises(AssertionError, match=HEARD):
        assert_nothing_is_overheard(leaky, tmp_path)


def test_a_defect_of_a_game_tells_nothing_hidden(tmp_path: Path) -> None:
    """What an exception says may name what it choked on: it is in no answer, and not in the log."""
    assert_nothing_is_overheard(a_game_chokes_on_its_cards(CANARY), tmp_path, incidents=True)


def test_who_gives_a_seat_up_hears_no_more_of_it(tmp_path: Path) -> None:
    """A stand-in plays on, and what it draws is no business of whoever has left."""
    with running(tmp_path / "lair.db", [CANARY]) as stubs:
        created = create(stubs, 2, game=CANARY.game.token, options=None)
        with Player(stubs, created, 0) as player:
            watched = watch(stubs, created, 0)
            shown = [next(watched).snapshot.revision, player.take().snapshot.revision]
            request = LeaveSessionRequest(name=created.session.name)
            stubs.sessions.LeaveSession(request, metadata=bearer(created.seat_tokens[0]))
            for stream in (watched, player.received):
                assert refusal_of(partial(iter, stream)).reason == "BAD_TOKEN"
    assert shown == [0, 0]
