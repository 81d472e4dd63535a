"""Two positions that a reader can't tell apart: everything that the reader is shown, answered or told is the same.

The other position comes from the game's own `resample`, or from a game that has taken another course where the reader
could not see it.
"""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations

from monsters.rules.v1 import rules_pb2 as words

from services.kernel.chance import Dice, seeded
from tests.support.leaks.asking import Reader, Rules, Told
from tests.support.leaks.chance import outcomes
from tests.support.leaks.games import varied

MOST_OUTCOMES = 36
"""Of a move that is tried with all of its outcomes: two dice have so many."""
MOST_MOVES = 15
"""That a reader thinks of in one position."""
MOST_PLAYED = 2
"""That are tried for each actor in one position."""
SEEDS = [words.Chance(seed=bytes(range(32))), words.Chance(seed=bytes(32))]
TEXTS = ("", "no such move", "play", "\N{SNOWMAN}" * 30)


@dataclass(frozen=True, slots=True)
class Pair:
    """Two positions, and who can't tell them apart."""

    one: bytes
    other: bytes
    reader: Reader

    @property
    def both(self) -> tuple[bytes, bytes]:
        """The two positions."""
        return self.one, self.other


def resampled(rules: Rules, raw: bytes, reader: Reader, seed: bytes) -> Pair:
    """A position, and one that the game resamples from it: that is possible, and follows from the dice alone."""
    game, position = rules.game, rules.unpack(raw)
    other = game.resample(position, reader, Dice(seeded(seed)))
    assert not game.check(other), f"{rules.say(reader)} gets an impossible position: {game.write(other)}"
    assert game.seat_count(other) == game.seat_count(position)
    assert game.resample(position, reader, Dice(seeded(seed))) == other, "equal dice deal the same"
    return Pair(raw, rules.pack(other), reader)


def assert_alike(rules: Rules, pair: Pair, moves: Sequence[object], whim: random.Random) -> None:
    """Fail where a reader can tell two positions apart, by what it sees or by what anybody does next."""
    if pair.one == pair.other:
        return
    reader = pair.reader
    _same(rules, pair, "is shown", *(rules.look(raw, reader) for raw in pair.both))
    actors = {actor: [rules.moves(raw, actor) for raw in pair.both] for actor in rules.readers}
    listed = [move for pair in actors.values() for side in pair for move in side]
    for move in varied(rules.game, [*moves, *listed], MOST_MOVES, whim):
        _same(rules, pair, f"tries {move} and hears", *(rules.judge(raw, reader, move) for raw in pair.both))
    for text in TEXTS:
        said = ({text: rules.judge_text(raw, reader, text)} for raw in pair.both)
        _same(rules, pair, "is answered", *said)
    for actor, (here, there) in actors.items():
        for move in varied(rules.game, [move for move in here if move in there], MOST_PLAYED, whim):
            _assert_told_alike(rules, pair, actor, move)


def _assert_told_alike(rules: Rules, pair: Pair, actor: Reader, move: object) -> None:
    """What is told of a move is the same wherever the views after it are.

    A move with few outcomes is tried with all of them, so that chance that nobody sees can't hide a difference: what
    may be told with a view must be the same for both. Another is tried with equal chance.
    """
    scripts = [outcomes(partial(rules.game.play, rules.unpack(raw), actor, move), MOST_OUTCOMES) for raw in pair.both]
    few = all(scripts)
    one, other = (
        [
            rules.play(raw, actor, move, chance, [pair.reader])[pair.reader]
            for chance in ([words.Chance(script=words.Script(results=results)) for results in found] if few else SEEDS)
        ]
        for raw, found in zip(pair.both, scripts, strict=True)
    )
    hidden, text = rules.differences(*pair.both), rules.game.write_move(move)
    for view in {told.view for told in one} & {told.view for told in other}:
        here, there = ([told for told in side if told.view == view] for side in (one, other))
        left = [rules.differences(a.position, b.position) for a in here for b in there]
        # Where something that was hidden has gone, such as a choice that counts only once, it may have been told.
        if hidden <= set().union(*left):
            said = ({"updates": sorted({told.update for told in side})} for side in (here, there))
            _same(rules, pair, f"is told of {text}", *said)
    if few:
        _assert_chance_is_hidden(rules, pair, text, list(zip(scripts[0], one, strict=True)))


def _assert_chance_is_hidden(rules: Rules, pair: Pair, text: str, found: Sequence[tuple[Sequence[int], Told]]) -> None:
    """A result that changes the position and no view is told to nobody who has that view."""
    for (results, one), (others, other) in combinations(found, 2):
        changed = sum(result != another for result, another in zip(results, others, strict=False))
        if changed == 1 and one.view == other.view and one.position != other.position:
            after = Pair(one.position, other.position, pair.reader)
            _same(rules, after, f"is told of {text}", {"update": one.update}, {"update": other.update})


def _same(rules: Rules, pair: Pair, what: str, one: Mapping[str, object], other: Mapping[str, object]) -> None:
    different = [name for name in one if one[name] != other[name]]
    assert not different, (
        f"{rules.say(pair.reader)} {what} another {', '.join(different)} in one of two positions "
        f"that it must not tell apart:\n{rules.write(pair.one)}\n{rules.write(pair.other)}\n"
        f"{[one[name] for name in different]}\n{[other[name] for name in different]}"
    )
