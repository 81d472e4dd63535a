"""Dice, picks and shuffles: against a second implementation of the stream, written from its description."""

from collections.abc import Callable
from hashlib import sha256
from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.kernel.audience import EVERYBODY, NOBODY, only
from services.kernel.chance import Dice, Draw, refuse_leftovers, scripted, seeded
from services.kernel.refusals import Malformed
from tests.support.laws import examples
from tests.support.stream import die, shuffled, sides_of_shuffle, stream

ZERO = bytes(32)
seeds = st.binary(min_size=32, max_size=32)


def flaws_of(act: Callable[[], object]) -> list[str]:
    """The fields that are named when this is malformed."""
    with pytest.raises(Malformed) as caught:
        act()
    return [flaw.field for flaw in caught.value.flaws]


def seed_whose_first_byte_is(wanted: Callable[[int], bool]) -> bytes:
    """A seed, looked for with nothing but SHA-256."""
    numbers = (number.to_bytes(32, "big") for number in range(100_000))
    return next(seed for seed in numbers if wanted(sha256(seed + bytes(8)).digest()[0]))


def test_the_first_dice_of_the_zero_seed() -> None:
    """Block 0 is SHA-256 of 40 zero bytes: 2c 34 ce 1d f2 3b 83 8c ... Each byte b shows 1 + b mod 6."""
    assert sha256(bytes(40)).hexdigest().startswith("2c34ce1df23b838c")
    assert Dice(seeded(ZERO)).roll(8, 6, "test") == (3, 5, 3, 6, 3, 6, 6, 3)


def test_a_byte_that_would_favour_low_faces_is_passed_over() -> None:
    """256 mod 6 is 4: bytes 252 to 255 would make 1 to 4 more likely than 5 and 6."""
    seed = seed_whose_first_byte_is(lambda byte: byte >= 252)
    second = sha256(seed + bytes(8)).digest()[1]
    assert second < 252
    assert Dice(seeded(seed)).roll(1, 6, "test") == (1 + second % 6,)


def test_the_last_byte_that_counts_shows_the_highest_face() -> None:
    seed = seed_whose_first_byte_is(lambda byte: byte == 251)
    assert Dice(seeded(seed)).roll(1, 6, "test") == (6,)


def test_after_32_bytes_comes_the_next_block() -> None:
    """A die of 256 sides shows each byte of the stream, plus one."""
    expected = tuple(1 + byte for byte in islice(stream(ZERO), 100))
    assert Dice(seeded(ZERO)).roll(100, 256, "test") == expected


@examples(50)
@given(seed=seeds, rolls=st.lists(st.tuples(st.integers(0, 40), st.integers(1, 256)), max_size=8))
def test_rolls_follow_the_stream(seed: bytes, rolls: list[tuple[int, int]]) -> None:
    dice, source = Dice(seeded(seed)), stream(seed)
    for count, sides in rolls:
        assert dice.roll(count, sides, "test") == tuple(die(source, sides) for _ in range(count))


@examples(50)
@given(seed=seeds, items=st.lists(st.integers(), max_size=70))
def test_a_shuffle_goes_from_the_last_item_down(seed: bytes, items: list[int]) -> None:
    dice, source = Dice(seeded(seed)), stream(seed)
    results = [die(source, sides) for sides in sides_of_shuffle(len(items))]
    assert dice.shuffle(items, "deck") == tuple(shuffled(items, results))
    if len(items) > 1:
        assert dice.draws == [Draw("deck", len(items), tuple(results), shuffle=True)]


def test_a_shuffle_by_hand() -> None:
    """Of abcd: d with the 2nd gives adcb; the 3rd with itself; the 2nd with the 1st gives dacb."""
    dice = Dice(scripted((2, 3, 1)))
    assert dice.shuffle("abcd", "deck") == ("d", "a", "c", "b")
    assert dice.draws == [Draw("deck", 4, (2, 3, 1), shuffle=True)]


@pytest.mark.parametrize("items", [(), ("alone",)])
def test_a_shuffle_of_nothing_or_of_one_item_draws_nothing(items: tuple[str, ...]) -> None:
    dice = Dice(scripted(()))
    assert dice.shuffle(items, "deck") == items
    assert not dice.draws


def test_no_dice_draw_nothing_and_leave_no_receipt() -> None:
    dice = Dice(scripted(()))
    assert dice.roll(0, 6, "test") == ()
    assert not dice.draws


def test_a_pick_is_a_die_with_a_side_for_each_item() -> None:
    dice = Dice(scripted((2,)))
    assert dice.pick("abc", "letter") == "b"
    assert dice.draws == [Draw("letter", 3, (2,))]


def test_a_pick_among_one_is_drawn_too() -> None:
    dice = Dice(seeded(ZERO))
    assert dice.pick(["alone"], "letter") == "alone"
    assert dice.draws == [Draw("letter", 1, (1,))]
    rest = islice(stream(ZERO), 1, None)
    assert dice.roll(5, 256, "test") == tuple(1 + byte for byte in islice(rest, 5))


def test_receipts_stand_in_order_with_purpose_and_audience() -> None:
    dice = Dice(scripted((6, 1, 2, 1)))
    dice.roll(2, 6, "harvest")
    dice.pick("ab", "seat", only(1))
    dice.shuffle("ab", "deck", NOBODY)
    assert dice.draws == [
        Draw("harvest", 6, (6, 1), audience=EVERYBODY),
        Draw("seat", 2, (2,), audience=only(1)),
        Draw("deck", 2, (1,), shuffle=True, audience=NOBODY),
    ]


@examples(50)
@given(seed=seeds, rolls=st.lists(st.tuples(st.integers(0, 12), st.integers(1, 20)), max_size=6))
def test_a_script_of_the_receipts_rolls_the_same(seed: bytes, rolls: list[tuple[int, int]]) -> None:
    first = Dice(seeded(seed))
    shown = [first.roll(count, sides, "test") for count, sides in rolls]
    script = [result for draw in first.draws for result in draw.results]
    second = Dice(scripted(script))
    assert [second.roll(count, sides, "test") for count, sides in rolls] == shown
    refuse_leftovers(script, second)


@pytest.mark.parametrize("length", [0, 31, 33])
def test_a_seed_has_32_bytes(length: int) -> None:
    assert flaws_of(lambda: seeded(bytes(length))) == ["chance.seed"]


def test_a_script_that_is_too_short_is_malformed() -> None:
    dice = Dice(scripted((1, 2)))
    assert flaws_of(lambda: dice.roll(3, 6, "test")) == ["chance.script.results"]


def test_a_script_that_is_too_long_is_malformed() -> None:
    dice = Dice(scripted((1, 2, 3)))
    dice.roll(2, 6, "test")
    assert flaws_of(lambda: refuse_leftovers((1, 2, 3), dice)) == ["chance.script.results"]


@pytest.mark.parametrize("result", [0, 7, -1, 2**31 - 1])
def test_a_result_that_is_not_on_the_die_is_named_by_its_index(result: int) -> None:
    dice = Dice(scripted((1, result)))
    assert flaws_of(lambda: dice.roll(2, 6, "test")) == ["chance.script.results[1]"]


def test_a_script_for_a_shuffle_has_dice_with_fewer_and_fewer_sides() -> None:
    dice = Dice(scripted((3, 3)))
    assert flaws_of(lambda: dice.shuffle("abc", "deck")) == ["chance.script.results[1]"]
