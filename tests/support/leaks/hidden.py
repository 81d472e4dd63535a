"""Whether a game hides something, and whether its `resample` deals all of that anew.

What is hidden from a reader is what another course of the game changes without the reader's notice. Resampling that
leaves some of it as it is would prove nothing, and a stand-in player that thinks with it would cheat.
"""

import random
from collections import defaultdict
from collections.abc import Iterator

from services.games import Entry
from tests.support.leaks.courses import Course, other_course
from tests.support.leaks.games import plain_game
from tests.support.leaks.resampling import Pair, resampled

EVERYTHING = frozenset({"something", "views", "events", "draws"})
LOOKED_AT = 5
"""Games, to see what a game hides."""
COURSES = 8
"""Other courses of one game."""
MOST_PAIRS = 4
"""Of one other course."""
TRIES = 3
"""Resampled from one position: few possibilities may be left, and chance may deal the same again."""


def hidden_pairs(course: Course, whim: random.Random) -> Iterator[Pair]:
    """Pairs of positions that a reader can't tell apart, of some other courses of one game."""
    for _ in range(COURSES):
        met = list(other_course(course, whim))
        yield from whim.sample(met, min(len(met), MOST_PAIRS))


def what_is_hidden(entry: Entry) -> frozenset[str]:
    """What a game has that can leak: "something" at all, "views" that know more than others, "events", "draws".

    Nothing at all where everybody knows everything.
    """
    whim, found = random.Random(entry.game.token), set[str]()
    for number in range(LOOKED_AT):
        if found == EVERYTHING:
            break
        course = Course(plain_game(entry, number))
        for ply in course.walk.plies:
            found |= {"events" for event in ply.played.events if not event.audience.everybody}
            found |= {"draws" for draw in ply.draws if not draw.audience.everybody}
        try:
            for pair in hidden_pairs(course, whim):
                found.add("something")
                shown = [{course.rules.look(raw, other)["view"] for raw in pair.both} for other in course.rules.readers]
                found |= {"views" for views in shown if len(views) > 1}
        except AssertionError:
            found.add("something")  # and it leaks, which is for a test to say
    return frozenset(found)


def assert_the_hidden_is_resampled(entry: Entry, games: int) -> None:
    """Fail when something is hidden that resampling leaves as it is, or when it too often changes nothing at all."""
    whim = random.Random(entry.game.token)
    hidden: dict[str, set[str]] = defaultdict(set)
    dealt: dict[str, set[str]] = defaultdict(set)
    changed = []
    for number in range(games):
        course = Course(plain_game(entry, number))
        for pair in hidden_pairs(course, whim):
            rules, who = course.rules, "a spectator" if pair.reader is None else "a seat"
            hidden[who] |= rules.differences(*pair.both)
            drawn = [resampled(rules, pair.one, pair.reader, whim.randbytes(32)) for _ in range(TRIES)]
            dealt[who] |= set().union(*(rules.differences(*each.both) for each in drawn))
            changed.append(any(each.one != each.other for each in drawn))
    left = {who: sorted(hidden[who] - dealt[who]) for who in hidden if hidden[who] - dealt[who]}
    assert not left, f"hidden in {entry.game.token}, and never dealt anew: {left}"
    assert sum(changed) * 2 >= len(changed), f"resampling in {entry.game.token} changes nothing too often"
