"""The laws of hidden things on one random game of any game, as one function."""

import random

from tests.support.leaks.courses import Course, other_course
from tests.support.leaks.resampling import assert_alike, resampled
from tests.support.walks import Walk

TRIES = 4
"""Of each kind in one random game."""


def assert_no_leak(walk: Walk, whim: random.Random, tries: int = TRIES) -> None:
    """Fail where a seat or a spectator could learn what it may not know.

    Some of its positions are compared with resampled ones, and with those that other courses lead to.
    """
    course, moves = Course(walk), walk.moves_seen()
    for _ in range(tries):
        at = max(course.some_step(whim) - whim.randint(0, 1), 0)  # before a move of some kind, or after it
        # Who has moved, or is about to, is the likeliest to learn something.
        concerned = [ply.seat for ply in walk.plies[at : at + 2]]
        reader = whim.choice([*concerned, *course.rules.readers])
        dealt = resampled(course.rules, course.position(at), reader, whim.randbytes(32))
        assert_alike(course.rules, dealt, moves, whim)
    for _ in range(tries):
        met = list(other_course(course, whim))
        if met:
            assert_alike(course.rules, whim.choice(met), moves, whim)
