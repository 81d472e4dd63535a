"""What holds when a position from outside is damaged: every game says what is wrong, and never breaks."""

import re
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from services.games import Entry
from services.kernel.playing import dice_for
from services.kernel.refusals import Malformed
from tests.support.damage import damaged
from tests.support.games import actors, every_game
from tests.support.laws import examples
from tests.support.walks import walks

STEP = re.compile(r"(?P<field>[a-z0-9_]+)(?P<index>\[\d+\])?")
SEED = bytes(32)

law = examples(150)


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
def test_a_damaged_position_is_refused_by_field_or_can_be_played(entry: Entry, data: st.DataObject) -> None:
    game, codec = entry.game, entry.codec
    message = data.draw(damaged(codec.write_position(data.draw(walks(entry)).position)))
    try:
        position = codec.read_position(message)
    except Malformed as error:
        flaws = error.flaws
    else:
        flaws = tuple(game.check(position))
        if not flaws:
            use(entry, position)
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
            use(entry, game.start(options, seats, dice_for(SEED, 0)).position)
    for flaw in flaws:
        assert names_a_field(flaw.field, message.DESCRIPTOR), flaw
        assert flaw.description


def use(entry: Entry, position: object) -> None:
    """Do with a position all that a server does with it."""
    game, codec = entry.game, entry.codec
    assert codec.read_position(codec.write_position(position)) == position
    game.standing(position)
    for actor in actors(game, position):
        codec.write_view(game.view(position, actor))
        for move in game.moves(position, actor):
            played = game.play(position, actor, move, dice_for(SEED, 1))
            codec.write_position(played.position).SerializeToString()
            for event in played.events:
                codec.write_event(event)
