"""Games that take another course where a reader can't see it: one result of chance, or one hidden move, is different.

They need nothing of the game but that it can be played. As long as a reader's views stay the same in both, everything
else that the reader is told stays the same; so no reader can tell the two positions of a step apart.
"""

import random
from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from monsters.rules.v1 import rules_pb2 as words

from services.runtime.failure import Failure
from tests.support.leaks.asking import Reader, Rules, Told
from tests.support.leaks.chance import altered
from tests.support.leaks.games import kind_of
from tests.support.leaks.resampling import Pair
from tests.support.stream import seed_of_revision
from tests.support.walks import Walk

Telling = Mapping[Reader, Told]
MOST_FOLLOWED = 12
"""Steps for which two courses are compared after they have parted."""


class Course:
    """A random game, and what is told of its steps."""

    def __init__(self, walk: Walk) -> None:
        self.walk = walk
        self.rules = Rules(walk.entry, walk.seats)
        self._told: dict[tuple[int, Reader], Told] = {}
        self._kinds: dict[str, list[int]] = {}
        for number, ply in enumerate(walk.plies):
            self._kinds.setdefault(kind_of(walk.entry.game, ply.move), []).append(number)

    def position(self, at: int) -> bytes:
        """Where the game was after a step."""
        return self.rules.pack(self.walk.plies[at].played.position)

    def some_step(self, whim: random.Random) -> int:
        """A step: each kind of move is as likely as any other."""
        return whim.choice(self._kinds[whim.choice(list(self._kinds))])

    def told(self, at: int, readers: Sequence[Reader]) -> Telling:
        """What a step was for these readers."""
        missing = [reader for reader in readers if (at, reader) not in self._told]
        if missing:
            ply, chance = self.walk.plies[at], _chance(self.walk, at)
            if at == 0:
                told = self.rules.start(self.walk.options, chance)
            else:
                told = self.rules.play(self.position(at - 1), ply.seat, ply.move, chance, missing)
            self._told |= {(at, reader): one for reader, one in told.items()}
        return {reader: self._told[at, reader] for reader in readers}


def other_course(course: Course, whim: random.Random) -> Iterator[Pair]:
    """Change one thing in one step, and play on as before: the pairs of positions that come of it, step by step.

    It is often the start that is changed: most of what is hidden is dealt there. Fails where a reader is told apart
    what its view does not, at the step that parts the courses and at every later one.
    """
    at = 0 if whim.random() < 1 / 4 else course.some_step(whim)
    changed = _with_other_move(course, at, whim) or _with_other_chance(course, at, whim)
    if changed is None:
        return
    was = course.told(at, list(changed))
    readers = [reader for reader in changed if _alike(course, at, reader, was[reader], changed[reader])]
    yield from _followed(course, at, changed[None].position, readers)


def _followed(course: Course, at: int, other: bytes, readers: Sequence[Reader]) -> Iterator[Pair]:
    """Play a course on from another position, with the same moves and the same chance, while readers can't tell."""
    for number in range(at, min(len(course.walk.plies), at + MOST_FOLLOWED)):
        if number > at:
            ply = course.walk.plies[number]
            try:
                told = course.rules.play(other, ply.seat, ply.move, _chance(course.walk, number), readers)
            except Failure:
                return  # not legal there, as its owner knows
            was = course.told(number, readers)
            readers = [each for each in readers if _alike(course, number, each, was[each], told[each])]
            other = next(iter(told.values())).position
        if other == course.position(number) or not readers:
            return
        yield from (Pair(course.position(number), other, reader) for reader in readers)


def _alike(course: Course, at: int, reader: Reader, was: Told, now: Told) -> bool:
    """Whether a reader has the same view in both; then what it is told must be the same, too.

    Not where both have come to the same position: what was hidden has left no trace, and may be told. So may what was
    said aloud and changed nothing.
    """
    if was.view != now.view:
        return False
    if was.position == now.position:
        return True
    move = course.rules.game.write_move(course.walk.plies[at].move) if at else "the start"
    assert was.update == now.update, (
        f"{course.rules.say(reader)} has the same view after {move}, and is told something else:\n"
        f"{course.rules.write(was.position)}\n{course.rules.write(now.position)}\n{was.update!r}\n{now.update!r}"
    )
    return True


def _with_other_move(course: Course, at: int, whim: random.Random) -> Telling | None:
    """The same seat does something else: it knows, and the others may not."""
    ply = course.walk.plies[at]
    if at == 0 or ply.seat is None or whim.random() < 1 / 2:
        return None
    before = course.position(at - 1)
    game = course.rules.game
    others = [move for move in course.rules.moves(before, ply.seat) if move != ply.move]
    if not others:
        return None
    alike = [move for move in others if kind_of(game, move) == kind_of(game, ply.move)]
    readers = [reader for reader in course.rules.readers if reader != ply.seat]
    return course.rules.play(before, ply.seat, whim.choice(alike or others), _chance(course.walk, at), readers)


def _with_other_chance(course: Course, at: int, whim: random.Random) -> Telling | None:
    """One die, or one card of a shuffle, falls in another way."""
    walk, rules = course.walk, course.rules
    ply = walk.plies[at]
    was = [result for draw in ply.draws for result in draw.results]
    if not was:
        return None
    if at == 0:
        play = partial(rules.game.start, walk.options, walk.seats)
    else:
        play = partial(rules.game.play, rules.unpack(course.position(at - 1)), ply.seat, ply.move)
    results = altered(play, was, whim.randrange(len(was)), whim)
    if results is None:
        return None
    chance = words.Chance(script=words.Script(results=results))
    if at == 0:
        return rules.start(walk.options, chance)
    return rules.play(course.position(at - 1), ply.seat, ply.move, chance)


def _chance(walk: Walk, number: int) -> words.Chance:
    return words.Chance(seed=seed_of_revision(walk.seed, number))
