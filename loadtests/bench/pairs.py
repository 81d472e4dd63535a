"""What a row starts: two servers with load generators of their own, the subject and its baseline."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from functools import partial

from loadtests.bench.row import Contenders, Size
from loadtests.generator.loads import LANES
from loadtests.measuring.contenders import Side, contending
from loadtests.measuring.rounds import Contender

LAIR, RULES, EMPTY, FLOOR = "services", "services.rules", "loadtests.baselines.empty", "loadtests.baselines.floor"
SPREAD = 20 * LANES
"""Sessions that moves go to by turns, where the store's size is measured."""


@contextmanager
def served(sides: Callable[[Size], tuple[Side, Side]], size: Size) -> Iterator[tuple[Contender, Contender]]:
    """Both, until the context is left."""
    with ExitStack() as stack:
        chosen = (replace(side, through_edge=size.through_edge) for side in sides(size))
        subject, baseline = (stack.enter_context(contending(side)) for side in chosen)
        yield subject, baseline


def pair(subject: Side, baseline: Side) -> Contenders:
    """Both, whatever the size."""
    return partial(served, lambda _: (subject, baseline))


def stores(side: Callable[..., Side]) -> Contenders:
    """A side with many sessions stored, and the same with none."""
    return partial(served, lambda size: (side(stored=size.stored), side(stored=0)))
