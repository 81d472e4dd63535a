"""What holds for every text of every game: a seat is written `seat 0` in it, and nothing else is."""

import re
from collections.abc import Iterator
from typing import Any

from google.protobuf.message import Message
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Struct

from services.games import Entry
from services.kernel.playing import dice_for
from tests.support.games import actors, every_game
from tests.support.laws import examples
from tests.support.walks import Walk, walks

law = examples(40)

SEAT = re.compile(r"\b([Ss]eat) (\d+)\b")
"""The one rule by which frontends put names in."""
OTHERWISE = re.compile(r"\bseats?\W*\d|\bplayers?\W*\d|\b[Ss]eat \d+(?:,| and| or) \d", re.IGNORECASE)
"""How a seat could be written else."""
NOTHING = re.compile(r"\s\s|\s[.,:;!?]|[,:;][.,:;]|\b(?:and|or|of|with|are|is|against)[.,:;]|:$|\(\)")
"""What is left where a list is empty or a word is missing."""
SENTENCE = re.compile(r"[A-Z](?:(?![.!?] ).)*[^.!?]\.")
SEAT_FIELD = re.compile(r"(?:^|_)seats?$|^winners$|^cup_gap$")
"""What is a seat in a fact or a message, by its field's name."""
FAR = 1000
"""Added to a seat, it makes a number that is nothing else."""


def facts_of(walk: Walk) -> Iterator[Any]:
    """All that happens in a walk, and what would happen wherever the host said that time is up."""
    game = walk.entry.game
    for number, ply in enumerate(walk.plies):
        position = ply.played.position
        late = [game.play(position, None, move, dice_for(walk.seed, number)) for move in game.moves(position, None)]
        for played in (ply.played, *late):
            yield from [event.fact for event in played.events]


def seats_in(text: str) -> list[int]:
    """The seats that a text names; nothing of it names one in another way."""
    assert not OTHERWISE.search(SEAT.sub("somebody", text)), text
    assert not re.search(r"seat \d+(?:,| and| or) \d", text), text
    return [int(number) for _, number in SEAT.findall(text)]


def renumbered(value: Any, name: str = "") -> Any:
    """The same fact with every seat in it far away."""
    if isinstance(value, Struct):
        return type(value)(**{name: renumbered(getattr(value, name), name) for name in value.__struct_fields__})
    if isinstance(value, tuple):
        return tuple(renumbered(item, name) for item in value)
    return value + FAR if type(value) is int and SEAT_FIELD.search(name) else value


def brought_back(text: str) -> str:
    """The text of a renumbered fact with the seats where they were: those that stand as `seat 1000` and above."""
    return SEAT.sub(lambda found: f"{found[1]} {int(found[2]) % FAR}", text)


def seats_of(message: Message) -> Iterator[int]:
    """The seats in a message and in all that it holds."""
    for field, value in message.ListFields():
        for item in value if field.is_repeated else (value,):
            if isinstance(item, Message):
                yield from seats_of(item)
    for field in message.DESCRIPTOR.fields:
        if field.message_type is None and SEAT_FIELD.search(field.name):
            if field.is_repeated:
                yield from getattr(message, field.name)
            elif not field.has_presence or message.HasField(field.name):
                yield getattr(message, field.name)


@every_game
@given(data=st.data())
@law
def test_an_event_is_told_in_one_sentence(entry: Entry, data: st.DataObject) -> None:
    for fact in facts_of(data.draw(walks(entry))):
        text = entry.game.tell(fact)
        assert SENTENCE.fullmatch(text), text
        assert not NOTHING.search(text), text
        assert text.isprintable()


@every_game
@given(data=st.data())
@law
def test_an_event_names_seats_of_the_game_and_only_as_seat_n(entry: Entry, data: st.DataObject) -> None:
    """Seats that are renumbered in the fact are renumbered in the text, where each stands as `seat N`."""
    walk = data.draw(walks(entry))
    for fact in facts_of(walk):
        text = entry.game.tell(fact)
        assert {*seats_in(text)} <= {*range(walk.seats)}, text
        assert brought_back(entry.game.tell(renumbered(fact))) == text


@every_game
@given(data=st.data())
@law
def test_the_text_of_a_move_names_the_seats_of_the_move(entry: Entry, data: st.DataObject) -> None:
    walk = data.draw(walks(entry))
    for move in walk.moves_seen():
        seats = seats_in(entry.game.write_move(move))
        assert sorted(seats) == sorted(seats_of(entry.codec.write_move(move)))
        assert {*seats} <= {*range(walk.seats)}


@every_game
@given(data=st.data())
@law
def test_a_refusal_is_one_sentence_and_names_seats_of_the_game(entry: Entry, data: st.DataObject) -> None:
    """Also the refusal of moves that another number of players would allow."""
    game, walk, other = entry.game, data.draw(walks(entry)), data.draw(walks(entry))
    for move in [*walk.moves_seen(), *other.moves_seen()]:
        for actor in actors(game, walk.position):
            if refusal := game.refuse(walk.position, actor, move):
                assert SENTENCE.fullmatch(refusal.message), refusal.message
                assert {*seats_in(refusal.message)} <= {*range(walk.seats)}
