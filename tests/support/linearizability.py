"""A checker of histories: whether what several clients saw at once can have happened one after the other.

The algorithm is that of Wing and Gong ("Testing and Verifying Concurrent Objects", 1993), with the states that Lowe
keeps so as to try none twice ("Testing for Linearizability", 2017). Each operation has taken effect at one moment
between its call and its answer. One without an answer may have taken effect at any moment since its call, or never.
"""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from math import inf
from typing import Any, Generic, TypeVar

S = TypeVar("S", bound=Hashable)
Apply = Callable[[S, Any, Any], S | None]
"""The state after an operation, from the state, what was asked and what was answered; None: that can't be."""


@dataclass(frozen=True)
class Operation:
    """Something that a client has done. Times are those of one clock."""

    asked: Any
    answered: Any = None
    called: float = 0.0
    returned: float = inf
    """Infinite: there was no answer, and the operation may have taken effect or not."""


@dataclass
class _Entry(Generic[S]):
    """A call, or the answer to one, in a list that loses what has been put in order."""

    number: int
    answer: bool
    before: "_Entry[S] | None" = None
    after: "_Entry[S] | None" = None

    def lift(self) -> None:
        if self.before:
            self.before.after = self.after
        if self.after:
            self.after.before = self.before

    def put_back(self) -> None:
        if self.before:
            self.before.after = self
        if self.after:
            self.after.before = self


def linearizable(operations: Sequence[Operation], start: S, apply: Apply[S]) -> bool:
    """Whether there is an order in which all of them can have happened."""
    head, calls, answers = _listed(operations)
    answered = sum(1 << number for number, operation in enumerate(operations) if operation.returned < inf)
    state, done = start, 0
    tried: set[tuple[int, S]] = set()
    path: list[tuple[int, S]] = []
    entry = head.after
    while done & answered != answered:
        if entry is not None and not entry.answer:
            operation = operations[entry.number]
            after = apply(state, operation.asked, operation.answered)
            taken = done | 1 << entry.number
            if after is not None and (taken, after) not in tried:
                tried.add((taken, after))
                path.append((entry.number, state))
                state, done = after, taken
                calls[entry.number].lift()
                answers[entry.number].lift()
                entry = head.after
            else:
                entry = entry.after
            continue
        # An answer whose call was not put in order, or the end: what was put last was not the right one.
        if not path:
            return False
        number, state = path.pop()
        done &= ~(1 << number)
        answers[number].put_back()
        calls[number].put_back()
        entry = calls[number].after
    return True


def _listed(operations: Sequence[Operation]) -> tuple[_Entry[Any], list[_Entry[Any]], list[_Entry[Any]]]:
    """All calls and answers in the order of their times: the list's head, and the entries of each operation."""
    calls: list[_Entry[Any]] = [_Entry(number, answer=False) for number in range(len(operations))]
    answers: list[_Entry[Any]] = [_Entry(number, answer=True) for number in range(len(operations))]
    # At one time calls come first: what overlaps by a hair may have happened in either order.
    timed = [(operation.called, 0, call) for operation, call in zip(operations, calls, strict=True)]
    timed += [(operation.returned, 1, answer) for operation, answer in zip(operations, answers, strict=True)]
    head = last = _Entry(-1, answer=True)
    for _, _, entry in sorted(timed, key=lambda one: one[:2]):
        last.after, entry.before = entry, last
        last = entry
    return head, calls, answers
