"""Other chance than what was: every outcome of a move, or the same draws with one result changed."""

import random
from collections.abc import Callable, Iterator, Sequence
from itertools import islice

from services.kernel.chance import Dice

Play = Callable[[Dice], object]
MOST_DRAWS = 5000
"""Of one move. What shuffles until something fits has no end of outcomes."""
ANEW = 0
"""In the place of a result that is to be drawn anew."""


class TooManyDrawsError(Exception):
    """A move draws on and on."""


class Results:
    """Gives the results that it is told to, and others where they don't fit; remembers all, with the sides of each."""

    def __init__(self, given: Sequence[int], further: Callable[[int], int]) -> None:
        self._given = given
        self._further = further
        self.drawn: list[tuple[int, int]] = []

    def __call__(self, sides: int) -> int:
        """The next result of a die of so many sides."""
        at = len(self.drawn)
        if at == MOST_DRAWS:
            raise TooManyDrawsError
        result = self._given[at] if at < len(self._given) else ANEW
        self.drawn.append((result if 0 < result <= sides else self._further(sides), sides))
        return self.drawn[-1][0]

    @property
    def script(self) -> tuple[int, ...]:
        """What was given."""
        return tuple(result for result, _ in self.drawn)


def outcomes(play: Play, most: int) -> Sequence[Sequence[int]]:
    """The scripts of all outcomes that a move can have, or none when there are more than so many."""
    try:
        found = list(islice(_outcomes(play), most + 1))
    except TooManyDrawsError:
        return ()
    return found if len(found) <= most else ()


def _outcomes(play: Play) -> Iterator[Sequence[int]]:
    """Count through the results as through the digits of a number: the last die that can go on does."""
    given: Sequence[int] = ()
    while True:
        results = Results(given, lambda _: 1)
        play(Dice(results))
        yield results.script
        drawn = results.drawn
        while drawn and drawn[-1][0] == drawn[-1][1]:
            drawn.pop()
        if not drawn:
            return
        given = (*results.script[:-1], drawn[-1][0] + 1)


def altered(play: Play, was: Sequence[int], at: int, whim: random.Random) -> Sequence[int] | None:
    """The script of a move whose draws were these, with one of them drawn anew; None when that leads on and on.

    What the change makes necessary is drawn, too, and what it makes superfluous is left out.
    """
    results = Results([*was[:at], ANEW, *was[at + 1 :]], lambda sides: whim.randint(1, sides))
    try:
        play(Dice(results))
    except TooManyDrawsError:
        return None
    return results.script
