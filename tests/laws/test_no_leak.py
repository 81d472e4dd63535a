"""Nothing hidden ever leaks, in any game that there is: docs/no-leaks.md says how this is proven.

LAIR_LEAK_GAMES sets how many random games of each are tried.
"""

import os
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.games import Entry
from tests.support.canary.game import CANARY
from tests.support.games import ENTRIES
from tests.support.laws import exactly
from tests.support.leaks.game_mutants import (
    OF_EVERY_GAME,
    OF_RESAMPLING,
    OF_THE_CANARY,
    Mutant,
    resampling_changes_nothing,
)
from tests.support.leaks.games import games, plain_game
from tests.support.leaks.hidden import assert_the_hidden_is_resampled, what_is_hidden
from tests.support.leaks.kit import assert_no_leak

GAMES = int(os.environ.get("LAIR_LEAK_GAMES", "8"))
HUNTED = 10
"""Games in which a deliberate leak has to be found, whatever that is set to."""
TOLD_APART = "must not tell apart|is told something else"
"""What a leak is reported with: another failure would prove nothing."""
PROVES_LITTLE = "never dealt anew|change nothing too often"
WITH_CANARY = (*ENTRIES, CANARY)
HIDDEN = {entry.game.token: what_is_hidden(entry) for entry in WITH_CANARY}
HIDING = [entry for entry in WITH_CANARY if HIDDEN[entry.game.token]]
LEAKS = [
    pytest.param(entry, mutant, id=f"{entry.game.token}-{mutant.__name__}")
    for entry in HIDING
    for mutant, needed in OF_EVERY_GAME.items()
    if needed in HIDDEN[entry.game.token]
]

pytestmark = pytest.mark.timeout(120 + 2 * GAMES)

every_game = pytest.mark.parametrize("entry", WITH_CANARY, ids=[entry.game.token for entry in WITH_CANARY])
every_hiding_game = pytest.mark.parametrize("entry", HIDING, ids=[entry.game.token for entry in HIDING])


def hunt(entry: Entry) -> None:
    """Look for a leak in some games."""
    for number in range(HUNTED):
        assert_no_leak(plain_game(entry, number), random.Random(number))


@every_game
@given(data=st.data(), whim=st.integers(0, 2**32 - 1))
@exactly(GAMES)
def test_nobody_is_shown_or_told_what_it_may_not_know(entry: Entry, data: st.DataObject, whim: int) -> None:
    chosen = None if entry in ENTRIES else st.just(entry.game.options)
    assert_no_leak(data.draw(games(entry, chosen)), random.Random(whim))


@every_game
def test_resampling_deals_anew_whatever_is_hidden(entry: Entry) -> None:
    assert_the_hidden_is_resampled(entry, max(GAMES // 2, HUNTED))


def test_the_canary_hides_all_that_can_be_hidden() -> None:
    assert HIDDEN[CANARY.game.token] == {"something", *OF_EVERY_GAME.values()}


@pytest.mark.parametrize(("entry", "mutant"), LEAKS)
def test_a_deliberate_leak_is_found(entry: Entry, mutant: Mutant) -> None:
    with mutant(entry) as leaky, pytest.raises(AssertionError, match=TOLD_APART):
        hunt(leaky)


@pytest.mark.parametrize("mutant", OF_THE_CANARY, ids=lambda mutant: mutant.__name__)
def test_a_deliberate_leak_of_the_canary_is_found(mutant: Mutant) -> None:
    with mutant(CANARY) as leaky, pytest.raises(AssertionError, match=TOLD_APART):
        hunt(leaky)


@pytest.mark.parametrize("mutant", OF_RESAMPLING, ids=lambda mutant: mutant.__name__)
def test_resampling_that_proves_too_little_is_found(mutant: Mutant) -> None:
    with mutant(CANARY) as lazy, pytest.raises(AssertionError, match=PROVES_LITTLE):
        assert_the_hidden_is_resampled(lazy, HUNTED)


@every_hiding_game
def test_resampling_that_changes_nothing_is_found(entry: Entry) -> None:
    with resampling_changes_nothing(entry) as lazy, pytest.raises(AssertionError, match=PROVES_LITTLE):
        assert_the_hidden_is_resampled(lazy, HUNTED)


@every_hiding_game
def test_without_a_deliberate_leak_the_same_games_pass(entry: Entry) -> None:
    hunt(entry)
