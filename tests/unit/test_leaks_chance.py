"""The chance that the no-leak kit plays with: all outcomes of a move, and the same draws with one changed."""

import random
from collections.abc import Callable
from itertools import permutations, product

import pytest

from services.kernel.chance import Dice
from tests.support.leaks.chance import altered, outcomes

ITEMS = "abc"


def until_six(dice: Dice) -> None:
    while dice.roll(1, 6, "six") != (6,):
        pass


def some_more(dice: Dice) -> tuple[int, ...]:
    """What is rolled first says how many are rolled then."""
    (count,) = dice.roll(1, 3, "how many")
    return dice.roll(count, 2, "so many")


def test_two_dice_have_all_their_outcomes_once() -> None:
    assert list(outcomes(lambda dice: dice.roll(2, 6, "two"), 36)) == list(product(range(1, 7), repeat=2))


def test_a_shuffle_has_every_order_once() -> None:
    orders = []
    scripts = outcomes(lambda dice: orders.append(dice.shuffle(ITEMS, "cards")), 6)
    assert len({*scripts}) == len(scripts) == 6
    assert sorted(orders) == sorted(permutations(ITEMS))


def test_draws_that_depend_on_draws_are_counted_as_they_come() -> None:
    scripts = outcomes(some_more, 100)
    assert len({*scripts}) == len(scripts) == 2 + 4 + 8
    assert {len(script) for script in scripts} == {2, 3, 4}


def test_a_move_without_chance_has_one_outcome() -> None:
    assert list(outcomes(lambda _: None, 1)) == [()]


@pytest.mark.parametrize(
    "play", [lambda dice: dice.roll(3, 6, "three"), until_six], ids=["too many outcomes", "draws without an end"]
)
def test_too_many_outcomes_are_none(play: Callable[[Dice], object]) -> None:
    assert list(outcomes(play, 36)) == []


def test_one_result_is_drawn_anew_and_the_others_stay() -> None:
    whim = random.Random(1)
    found = {altered(lambda dice: dice.roll(3, 6, "three"), [1, 2, 3], 1, whim) for _ in range(200)}
    assert found == {(1, second, 3) for second in range(1, 7)}


def test_what_a_change_makes_necessary_is_drawn_and_what_it_makes_superfluous_is_not() -> None:
    whim = random.Random(1)
    found = {altered(some_more, [2, 1, 2], 0, whim) for _ in range(200)}
    assert found == {(1, 1), (2, 1, 2), (3, 1, 2, 1), (3, 1, 2, 2)}


def test_a_change_that_never_ends_is_none() -> None:
    def never(dice: Dice) -> None:
        while dice.roll(1, 2, "coin"):
            pass

    assert altered(never, [1], 0, random.Random(1)) is None
