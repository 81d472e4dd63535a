"""What holds when a position from outside is damaged: every game says what is wrong, and never breaks."""

import os
import random
import re
from itertools import chain
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from services.games import Entry
from services.kernel.chance import Dice, seeded
from services.kernel.refusals import Malformed
from services.kernel.standing import Seat
from tests.support.damage import damaged
from tests.support.games import actors, every_game
from tests.support.laws import exactly
from tests.support.walks import walks

STEP = re.compile(r"(?P<field>[a-z0-9_]+)(?P<index>\[\d+\])?")
MOST_DAMAGES = 4
"""Several together can fit where one alone is noticed."""
STEPS = 8
"""That are played on."""

law = exactly(int(os.environ.get("LAIR_DAMAGES", "30")))


def names_a_field(path: str, descriptor: Any) -> bool:
    """Say whether a path such as last_roll[1].dice leads to a field, or at its end to a oneof."""
    here = descriptor
    for part in path.split("."):
        step = STEP.fullmatch(part)
        if step is None or here is None:
            return False
        field = here.fields_by_name.get(step["field"])
        if field is None:
            return step["field"] in here.oneofs_by_name
        if step["index"] and not field.is_repeated:
            return False
        here = field.message_type
    return True


@every_game
@given(data=st.data())
@law
def test_a_damaged_position_is_refused_by_field_or_can_be_played_on(entry: Entry, data: st.DataObject) -> None:
    game, codec = entry.game, entry.codec
    message = data.draw(damaged(codec.write_position(data.draw(walks(entry)).position), MOST_DAMAGES))
    try:
        position = codec.read_position(message)
    except Malformed as error:
        flaws = error.flaws
    else:
        flaws = tuple(game.check(position))
        if not flaws:
            play_on(entry, position, random.Random(data.draw(st.integers(0, 2**32 - 1))))
    for flaw in flaws:
        assert names_a_field(flaw.field, message.DESCRIPTOR), flaw
        assert flaw.description


@every_game
@given(data=st.data())
@law
def test_damaged_options_are_refused_by_field_or_start_a_game(entry: Entry, data: st.DataObject) -> None:
    game, codec = entry.game, entry.codec
    seats = data.draw(st.sampled_from(game.seats))
    message = data.draw(damaged(codec.spell_options(game.options)))
    try:
        options = codec.read_options(message)
    except Malformed as error:
        flaws = error.flaws
    else:
        flaws = tuple(game.flaws(options, seats))
        if not flaws:
            whim = random.Random(data.draw(st.integers(0, 2**32 - 1)))
            play_on(entry, game.start(options, seats, dice(whim)).position, whim)
    for flaw in flaws:
        assert names_a_field(flaw.field, message.DESCRIPTOR), flaw
        assert flaw.description


def play_on(entry: Entry, position: Any, whim: random.Random) -> None:
    """Go some steps on from a position, and do with each all that the game can do. Nothing fails or hangs."""
    game = entry.game
    for _ in range(STEPS):
        assert not game.check(position), game.write(position)
        use(entry, position, whim)
        standing = game.standing(position)
        if standing.over:
            break
        assert len(standing.awaited) > 0, f"nobody can go on: {game.write(position)}"
        actor = whim.choice([None, *standing.may_act])
        moves = game.moves(position, actor)
        if moves:
            position = played(entry, position, actor, whim.choice(moves), whim)


def use(entry: Entry, position: Any, whim: random.Random) -> None:
    """Do with a position all that a game can do with it, for everybody."""
    game, codec = entry.game, entry.codec
    assert codec.read_position(codec.write_position(position)) == position
    assert game.read(game.write(position)) == position
    standing = game.standing(position)
    offered = {actor: game.moves(position, actor) for actor in actors(game, position)}
    for actor, moves in offered.items():
        view = game.view(position, actor)
        codec.write_view(view)
        other = game.resample(position, actor, dice(whim))
        assert not game.check(other), game.write(other)
        if moves and actor is not None:
            suggested = game.suggest(view, moves, dice(whim))
            assert suggested in moves or (suggested is None and len(standing.awaited) > 1)
        for move in {*chain.from_iterable(offered.values())}:
            if move in moves:
                played(entry, position, actor, move, whim)
            else:
                assert game.refuse(position, actor, move), (actor, move)
        assert all(actor in (None, *standing.may_act) for actor, moves in offered.items() if moves)
        assert all(offered[seat] for seat in standing.may_act)


def played(entry: Entry, position: Any, actor: Seat | None, move: object, whim: random.Random) -> Any:
    """What a move leads to, told to everybody."""
    assert entry.game.refuse(position, actor, move) is None
    after = entry.game.play(position, actor, move, dice(whim))
    entry.codec.write_position(after.position).SerializeToString()
    for event in after.events:
        entry.codec.write_event(event)
    return after.position


def dice(whim: random.Random) -> Dice:
    return Dice(seeded(whim.randbytes(32)))
