"""What holds for the words of every game: its wire, its notation, its texts, its rulebook."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from services.games import Entry
from services.kernel.audience import EVERYBODY, NOBODY, Audience, only
from services.kernel.refusals import Malformed
from tests.support.games import actors, every_game
from tests.support.laws import examples
from tests.support.walks import candidates, options_of, walks
from tests.support.wire_moves import turned_round, wire_moves

law = examples(40)

SEAT = re.compile(r"\bseat \d+\b")


@every_game
@given(data=st.data())
@law
def test_positions_survive_the_wire(entry: Entry, data: st.DataObject) -> None:
    codec = entry.codec
    for ply in data.draw(walks(entry)).plies:
        raw = codec.write_position(ply.played.position).SerializeToString()
        assert codec.read_position(codec.messages.Position.FromString(raw)) == ply.played.position


@every_game
@given(data=st.data())
@law
def test_positions_survive_the_notation(entry: Entry, data: st.DataObject) -> None:
    for ply in data.draw(walks(entry)).plies:
        text = entry.game.write(ply.played.position)
        assert text.isprintable()
        assert entry.game.read(text) == ply.played.position


@every_game
@given(data=st.data())
@law
def test_moves_survive_the_wire(entry: Entry, data: st.DataObject) -> None:
    codec = entry.codec
    for move in data.draw(walks(entry)).moves_seen():
        raw = codec.write_move(move).SerializeToString()
        assert codec.read_move(codec.messages.Move.FromString(raw)) == move


@every_game
@given(data=st.data())
@law
def test_the_text_of_a_move_names_it_and_no_other(entry: Entry, data: st.DataObject) -> None:
    walk = data.draw(walks(entry))
    game = entry.game
    for actor in actors(game, walk.position):
        moves = game.moves(walk.position, actor)
        texts = [game.write_move(move) for move in moves]
        assert len(set(texts)) == len(texts)
        assert all(text and text.isprintable() and text == text.strip() for text in texts)
        assert [game.read_move(text) for text in texts] == list(moves)


@every_game
@given(data=st.data())
@law
def test_a_move_that_the_wire_takes_in_any_order_is_read_in_any_order(entry: Entry, data: st.DataObject) -> None:
    """A text that names seats in another order is the same move, if the message with that order is."""
    codec, game = entry.codec, entry.game
    for move in data.draw(walks(entry)).moves_seen():
        text = game.write_move(move)
        for turned in turned_round(codec.write_move(move)):
            if codec.read_move(turned) == move:
                seats = iter(SEAT.findall(text)[::-1])
                assert game.read_move(SEAT.sub(lambda _, seats=seats: next(seats), text)) == move


@every_game
@given(data=st.data())
@law
def test_a_legal_move_of_the_wire_is_a_legal_text(entry: Entry, data: st.DataObject) -> None:
    """Also of messages that nobody but a client in another language writes."""
    walk = data.draw(walks(entry))
    message = data.draw(wire_moves(entry.codec.messages.Move.DESCRIPTOR))
    try:
        move = entry.codec.read_move(message)
    except Malformed:
        return
    for actor in actors(entry.game, walk.position):
        if entry.game.refuse(walk.position, actor, move) is None:
            text = entry.game.write_move(move)
            assert text in [entry.game.write_move(legal) for legal in entry.game.moves(walk.position, actor)]
            assert entry.game.read_move(text) == move


@every_game
@given(data=st.data())
@law
def test_options_survive_the_wire(entry: Entry, data: st.DataObject) -> None:
    codec = entry.codec
    options = data.draw(options_of(entry, data.draw(st.sampled_from(entry.game.seats))))
    for write in (codec.write_options, codec.spell_options):
        raw = write(options).SerializeToString()
        assert codec.read_options(codec.messages.Options.FromString(raw)) == options


@every_game
def test_an_option_that_is_given_is_kept(entry: Entry) -> None:
    """Also where it is 0, empty or false, and the default is not."""
    codec = entry.codec
    for field, values in candidates(entry.game.token, entry.game.seats[0]).items():
        for value in values:
            spelled = codec.spell_options(codec.read_options(codec.messages.Options(**{field: value})))
            unspecified = value == 0 and codec.messages.Options.DESCRIPTOR.fields_by_name[field].enum_type
            assert unspecified or getattr(spelled, field) == value


@every_game
@given(data=st.data())
@law
def test_events_say_what_happened_and_who_may_know(entry: Entry, data: st.DataObject) -> None:
    """Also when another audience than the game's own may know."""
    for ply in data.draw(walks(entry)).plies:
        for event in ply.played.events:
            for audience in (event.audience, EVERYBODY, NOBODY, only(0, 1), Audience(spectators=True)):
                message = entry.codec.write_event(replace(event, audience=audience))
                assert message.WhichOneof("kind")
                assert message.audience.everybody == audience.everybody
                assert tuple(message.audience.seats) == audience.seats
                assert message.audience.spectators == audience.spectators


@every_game
@given(data=st.data())
@law
def test_every_seat_and_a_spectator_have_a_view(entry: Entry, data: st.DataObject) -> None:
    walk = data.draw(walks(entry))
    for looker in actors(entry.game, walk.position):
        view = entry.codec.write_view(entry.game.view(walk.position, looker))
        assert isinstance(view, entry.codec.messages.View)
        assert view.ByteSize()


@every_game
@given(text=st.text())
@law
def test_a_text_that_is_no_move_or_position_is_a_value_error(entry: Entry, text: str) -> None:
    for read, write in ((entry.game.read_move, entry.game.write_move), (entry.game.read, entry.game.write)):
        try:
            understood = read(text)
        except ValueError:
            continue
        assert read(write(understood)) == understood


@every_game
@given(data=st.data())
@law
def test_a_mistyped_position_is_a_value_error(entry: Entry, data: st.DataObject) -> None:
    """One character of a good text is changed, dropped or added: the text may still be good, but never a crash."""
    text = entry.game.write(data.draw(walks(entry)).position)
    at = data.draw(st.integers(0, len(text)))
    mistyped = text[:at] + data.draw(st.text(max_size=1)) + text[at + data.draw(st.integers(0, 1)) :]
    try:
        position = entry.game.read(mistyped)
    except ValueError:
        return
    assert entry.game.read(entry.game.write(position)) == position
    entry.game.check(position)


@every_game
def test_an_empty_move_is_malformed(entry: Entry) -> None:
    with pytest.raises(Malformed):
        entry.codec.read_move(entry.codec.messages.Move())


@every_game
def test_the_defaults_have_no_flaw_and_cost_no_bytes(entry: Entry) -> None:
    game, codec = entry.game, entry.codec
    assert not [flaw for seats in game.seats for flaw in game.flaws(game.options, seats)]
    assert codec.write_options(game.options).SerializeToString() == b""
    assert codec.read_options(codec.messages.Options()) == game.options
    assert codec.read_options(codec.spell_options(game.options)) == game.options


@every_game
def test_the_game_is_named_as_its_folder_and_has_seats_and_a_version(entry: Entry) -> None:
    assert entry.game.token == entry.folder.name
    assert entry.codec.messages.DESCRIPTOR.package == entry.package
    assert len(entry.game.seats) > 0
    assert entry.game.seats.step == 1
    assert entry.game.version


@every_game
def test_the_rulebook_words_every_option_of_the_proto_in_its_order(entry: Entry) -> None:
    book = entry.rulebook
    assert list(book.options) == [field.name for field in entry.codec.messages.Options.DESCRIPTOR.fields]
    for text in (
        book.title,
        book.credits,
        book.timeout,
        *(rule.text for rule in book.rules.values()),
        *(end.text for end in book.ends.values()),
        *(part for option in book.options.values() for part in (option.default, option.text)),
    ):
        assert text.strip() == text != ""
