"""How often rolling again ends the turn: all Maidens, only Heroes or Monsters, or nobody left on the Hero card."""

from collections import Counter
from collections.abc import Mapping
from functools import cache

from monsters.maidens.v1.maidens_pb2 import DieKind, View

Shown = tuple[int, int, int, int]
"""Maidens, Heroes, Monsters, and how many of the nine dice are among the last two."""
# What the sides of a die add to it, and on how many of them. King, Dragon and Re-Roll end no turn.
SIDES_OF: Mapping[int, Mapping[Shown, int]] = {
    DieKind.DIE_KIND_HERO: {(0, 1, 0, 1): 3, (0, 0, 1, 1): 2, (1, 0, 0, 0): 1},
    DieKind.DIE_KIND_MONSTER: {(0, 0, 1, 1): 3, (1, 0, 0, 0): 2, (0, 1, 0, 1): 1},
    DieKind.DIE_KIND_MAIDEN: {(1, 0, 0, 0): 3, (0, 1, 0, 1): 2, (0, 0, 1, 1): 1},
    DieKind.DIE_KIND_ADVENTURE: {(2, 0, 0, 0): 1, (0, 2, 0, 0): 1, (0, 0, 2, 0): 1, (0, 0, 0, 0): 3},
}


def ends_in_hundred(view: View) -> int:
    """How many of 100 rolls of the dice in the pool end the turn, to the nearest whole one. No Re-Roll is used."""
    pool = tuple([die.kind for die in view.dice if die.in_pool])
    safe = view.castle > 0 and view.options.castle_counts_as_rescued
    rolls = _rolls(pool)
    ending = sum(ways for shown, ways in rolls.items() if _ends(shown, view.rescued, view.captured, safe=safe))
    return round(100 * ending / rolls.total())


@cache
def _rolls(pool: tuple[int, ...]) -> Counter[Shown]:
    """Everything that these dice can show together, and in how many ways."""
    rolls: Counter[Shown] = Counter({(0, 0, 0, 0): 1})
    for kind in pool:
        longer: Counter[Shown] = Counter()
        for (maidens, heroes, monsters, dice), ways in rolls.items():
            for side, sides in SIDES_OF[kind].items():
                shown = (maidens + side[0], heroes + side[1], monsters + side[2], dice + side[3])
                longer[shown] += ways * sides
        rolls = longer
    return rolls


def _ends(shown: Shown, rescued: int, captured: int, *, safe: bool) -> bool:
    """Say whether this roll ends a turn with so many Maidens on its cards (M-R8, M-R9, M-R13)."""
    maidens, heroes, monsters, dice = shown
    if not dice or not heroes or not monsters:
        return True
    freed = min(heroes - monsters, captured)
    return rescued + maidens + freed <= 0 and not safe
