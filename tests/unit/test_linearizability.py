"""The checker finds what can't have been, and nothing else."""

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.linearizability import Operation, linearizable
from tests.support.session_history import History, apply

READ = None
AFTER_ANOTHER = [(0.0, 1.0), (2.0, 3.0), (4.0, 5.0)]
AT_ONCE = [(0.0, 9.0), (1.0, 8.0), (2.0, 7.0)]
NEVER = float("inf")


def history(*operations: tuple[str | None, int | None, float, float]) -> bool:
    return linearizable([Operation(*operation) for operation in operations], (), apply)


@pytest.mark.parametrize("times", [AFTER_ANOTHER, AT_ONCE])
def test_moves_in_order_can_be(times: list[tuple[float, float]]) -> None:
    assert history(("a", 1, *times[0]), ("b", 2, *times[1]), (READ, 2, *times[2]))


def test_moves_at_once_may_come_in_any_order() -> None:
    for revisions in permutations((1, 2, 3)):
        assert history(*((name, revision, *AT_ONCE[0]) for name, revision in zip("abc", revisions, strict=True)))


@pytest.mark.parametrize(
    "wrong",
    [
        [("a", 1, 0.0, 1.0), ("b", 1, 2.0, 3.0)],  # two moves are told the same revision
        [("a", 1, 0.0, 9.0), ("b", 3, 1.0, 8.0)],  # one was lost between them
        [("a", 2, 0.0, 1.0), ("b", 1, 2.0, 3.0)],  # the later one came first
        [("a", 1, 0.0, 1.0), (READ, 0, 2.0, 3.0)],  # a read that is out of date
        [(READ, 1, 0.0, 1.0), ("a", 1, 2.0, 3.0)],  # a move that is seen before anybody asked for it
        [("a", 1, 0.0, 1.0), ("a", 2, 2.0, 3.0)],  # played twice
        [("a", 1, 0.0, 1.0), ("b", 2, 2.0, 3.0), (READ, 2, 2.5, 4.0), (READ, 1, 5.0, 6.0)],  # it went back
    ],
)
def test_what_cannot_be_is_found(wrong: list[tuple[str | None, int, float, float]]) -> None:
    assert not history(*wrong)


def test_a_request_that_is_sent_again_hears_the_same() -> None:
    assert history(("a", 1, 0.0, 4.0), ("a", 1, 1.0, 5.0), ("b", 2, 6.0, 7.0), ("a", 1, 8.0, 9.0))


def test_what_had_no_answer_may_have_happened_or_not() -> None:
    assert history(("a", None, 0.0, NEVER), ("b", 1, 1.0, 2.0))
    assert history(("a", None, 0.0, NEVER), ("b", 2, 1.0, 2.0))
    assert history(("a", None, 0.0, NEVER), ("b", 1, 1.0, 2.0), (READ, 2, 5.0, 6.0)), "it happened later"
    assert not history(("a", None, 3.0, NEVER), ("b", 2, 1.0, 2.0)), "it was not even asked for"


@given(st.permutations(range(8)), st.lists(st.floats(0.1, 5.0), min_size=8, max_size=8))
def test_what_has_happened_one_after_the_other_is_accepted(order: list[int], spread: list[float]) -> None:
    """Each takes effect at its place in the order, and was under way for a while around it."""
    operations = [
        Operation(f"move {number}", place + 1, place - spread[number], place + spread[number])
        for place, number in enumerate(order)
    ]
    assert linearizable(operations, (), apply)


def test_a_history_notes_what_was_heard() -> None:
    noted = History()
    with noted.doing("a") as hear:
        hear(1)
    with pytest.raises(ConnectionError), noted.doing("b"):
        raise ConnectionError
    with pytest.raises(ConnectionError), noted.doing(None):
        raise ConnectionError
    assert [(operation.asked, operation.answered) for operation in noted.operations] == [("a", 1), ("b", None)]
    assert noted.check()
