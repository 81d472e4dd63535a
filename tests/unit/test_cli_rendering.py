"""How the command line shows a game that it has never heard of, and how a drawing takes over."""

import io
from typing import Any

import pytest
from google.protobuf import descriptor_pb2, descriptor_pool, message_factory
from google.protobuf.message import Message
from monsters.cabbages.v1 import cabbages_pb2 as cabbages
from monsters.rules.v1 import rules_pb2
from rich.console import Console, RenderableType

from lair import Outcome, Standing
from lair.cli.drawings.cabbages import ends_in_hundred
from lair.cli.rendering import draw_view, tell_event, tell_outcome, view_table
from lair.cli.sitting import Sitting

Field = descriptor_pb2.FieldDescriptorProto
NAMES = ("Ann", "Ben", "Cleo")
SITTING = Sitting(NAMES)
ASCII = Sitting(NAMES, unicode=False)
ANN_TO_MOVE = Standing((0,), (0,))
OVER = Standing((), (), Outcome((0,), (1, 2, 3), "row_1_2"))


def printed(drawn: RenderableType, *, encoding: str = "utf-8", width: int = 100) -> str:
    stream = io.TextIOWrapper(io.BytesIO(), encoding=encoding)
    Console(file=stream, width=width, highlight=False, markup=False, emoji=False).print(drawn)
    stream.flush()
    stream.seek(0)
    return stream.read()


@pytest.fixture(scope="module")
def goblins() -> dict[str, Any]:
    """A game that is not installed: its messages exist in this test alone."""
    file = descriptor_pb2.FileDescriptorProto(
        name="monsters/goblins/v1/goblins.proto",
        package="monsters.goblins.v1",
        syntax="proto3",
        dependency=["monsters/rules/v1/rules.proto"],
    )
    mood = file.enum_type.add(name="GoblinMood")
    for number, name in enumerate(("GOBLIN_MOOD_UNSPECIFIED", "GOBLIN_MOOD_SLY", "GOBLIN_MOOD_VERY_CROSS")):
        mood.value.add(name=name, number=number)
    view = file.message_type.add(name="View")
    for number, (name, kind, repeated) in enumerate(
        (
            ("gold", Field.TYPE_INT32, True),
            ("moods", ".monsters.goblins.v1.GoblinMood", True),
            ("baker_seat", Field.TYPE_INT32, False),
            ("out_seats", Field.TYPE_INT32, True),
            ("dice", Field.TYPE_INT32, True),
            ("cup_dice", Field.TYPE_INT32, False),
            ("brave", Field.TYPE_BOOL, False),
            ("key", Field.TYPE_BYTES, False),
            ("note", Field.TYPE_STRING, False),
            ("mood", ".monsters.goblins.v1.GoblinMood", False),
            ("finds", ".monsters.goblins.v1.Found", True),
        ),
        start=1,
    ):
        add_field(view, number, name, kind, repeated=repeated)
    found = file.message_type.add(name="Found")
    add_field(found, 1, "seat", Field.TYPE_INT32)
    add_field(found, 2, "dice", Field.TYPE_INT32, repeated=True)
    add_field(found, 3, "gold_pieces", Field.TYPE_INT32)
    ended = file.message_type.add(name="GameEnded")
    add_field(ended, 1, "outcome", ".monsters.rules.v1.Outcome")
    file.message_type.add(name="TreasureGone")
    event = file.message_type.add(name="Event")
    event.oneof_decl.add(name="kind")
    add_field(event, 1, "audience", ".monsters.rules.v1.Audience")
    for number, name in enumerate(("found", "game_ended", "treasure_gone"), start=2):
        kind = f".monsters.goblins.v1.{name.title().replace('_', '')}"
        add_field(event, number, name, kind).oneof_index = 0
    add_field(event, 30, "text", Field.TYPE_STRING)
    pool = descriptor_pool.DescriptorPool()
    pool.AddSerializedFile(rules_pb2.DESCRIPTOR.serialized_pb)
    pool.Add(file)
    names = ("View", "Found", "Event")
    types = {name: pool.FindMessageTypeByName(f"monsters.goblins.v1.{name}") for name in names}
    return {name: message_factory.GetMessageClass(found) for name, found in types.items()}


def add_field(
    message: descriptor_pb2.DescriptorProto, number: int, name: str, kind: Any, *, repeated: bool = False
) -> descriptor_pb2.FieldDescriptorProto:
    label = Field.LABEL_REPEATED if repeated else Field.LABEL_OPTIONAL
    field: descriptor_pb2.FieldDescriptorProto = message.field.add(name=name, number=number, label=label)
    if isinstance(kind, str):
        field.type_name = kind
        field.type = Field.TYPE_ENUM if kind.endswith("Mood") else Field.TYPE_MESSAGE
    else:
        field.type = kind
    return field


def rows(text: str) -> list[list[str]]:
    return [line.split() for line in text.splitlines() if line.strip()]


def test_lists_by_seat_stand_beside_the_names(goblins: dict[str, Any]) -> None:
    view = goblins["View"](gold=[3, 0, 12], moods=[1, 2, 0])
    table = rows(printed(draw_view(view, ANN_TO_MOVE, SITTING)))
    assert table[0] == ["seat", "gold", "moods"]
    assert [">", "Ann", "3", "sly"] in table
    assert ["Ben", "0", "very", "cross"] in table
    assert ["Cleo", "12"] in table


def test_a_list_of_another_length_is_no_list_by_seat(goblins: dict[str, Any]) -> None:
    table = rows(printed(draw_view(goblins["View"](gold=[3, 0]), ANN_TO_MOVE, SITTING)))
    assert ["gold", "3", "0"] in table


def test_dice_and_seats_are_no_list_by_seat_whatever_their_number(goblins: dict[str, Any]) -> None:
    view = goblins["View"](dice=[1, 6, 3], out_seats=[0, 1, 2])
    table = rows(printed(draw_view(view, ANN_TO_MOVE, SITTING)))
    assert ["dice", "⚀", "⚅", "⚂"] in table
    assert ["out", "seats", "Ann,", "Ben", "and", "Cleo"] in table


def test_every_kind_of_field_is_in_words(goblins: dict[str, Any]) -> None:
    found = goblins["Found"](seat=2, dice=[2, 2], gold_pieces=5)
    view = goblins["View"](baker_seat=1, cup_dice=4, brave=True, key=b"\x01\xff", note="hm", mood=2, finds=[found])
    text = printed(draw_view(view, ANN_TO_MOVE, SITTING))
    table = rows(text)
    for row in ("baker seat Ben", "cup dice 4", "brave yes", "key 01ff", "note hm", "mood very cross"):
        assert row.split() in table
    assert "Cleo, dice ⚁ ⚁, gold pieces 5" in text


def test_an_event_is_told_as_its_game_words_it(goblins: dict[str, Any]) -> None:
    event = goblins["Event"](found={"seat": 0}, text="Seat 0 shows seat 2 and seat 3 what seat 10 has found.")
    assert tell_event(event, SITTING) == "Ann shows Cleo and seat 3 what seat 10 has found."
    assert tell_event(event, Sitting(("\x1b[2JAnn", "", ""))).startswith("?[2JAnn shows seat 2 and")


def test_an_event_from_before_games_worded_them_is_told_by_its_name_and_fields(goblins: dict[str, Any]) -> None:
    event = goblins["Event"](audience={"everybody": True}, found={"seat": 0, "dice": [3, 4], "gold_pieces": 7})
    assert tell_event(event, SITTING) == "Found: Ann, dice ⚂ ⚃, gold pieces 7"
    assert tell_event(goblins["Event"](treasure_gone={}), SITTING) == "Treasure gone"


def test_an_outcome_in_an_event_names_the_winners(goblins: dict[str, Any]) -> None:
    event = goblins["Event"](game_ended={"outcome": {"winners": [0, 2], "scores": [3, 1, 3], "reason": "gold"}})
    assert tell_event(event, SITTING) == "Game ended: winners Ann and Cleo, scores 3 1 3, reason gold"


def test_a_name_cannot_move_the_cursor_or_change_colours(goblins: dict[str, Any]) -> None:
    sitting = Sitting(("\x1b[31mAnn\r", "Ben\x07", "[bold]Cleo[/bold]"))
    text = printed(draw_view(goblins["View"](gold=[1, 2, 3], note="\x1b[2J"), ANN_TO_MOVE, sitting))
    assert "\x1b" not in text
    assert "\r" not in text
    assert "\x07" not in text
    assert "?[31mAnn?" in text
    assert "[bold]Cleo[/bold]" in text


def test_a_seat_without_a_name_is_called_by_its_number() -> None:
    assert Sitting(("", "Ben")).who(0) == "seat 0"
    assert Sitting(("", "Ben")).who(7) == "seat 7"
    assert Sitting(("Ann",)).who(-1) == "seat -1"


@pytest.mark.parametrize(
    ("sitting", "dice", "expected"),
    [
        (SITTING, [1, 2, 3, 4, 5, 6], "⚀ ⚁ ⚂ ⚃ ⚄ ⚅"),
        (ASCII, [1, 6], "1 6"),
        (SITTING, [0, 5, 20], "0 5 20"),
        (SITTING, [], "none"),
    ],
)
def test_dice_are_pictures_where_there_are_pictures(sitting: Sitting, dice: list[int], expected: str) -> None:
    assert sitting.dice(dice) == expected


def test_an_outcome_is_told_by_name_with_its_meaning() -> None:
    ends = {"row_1_2": "Cabbages win."}
    one = Outcome((1,), (3, 9, 3), "row_1_2")
    assert tell_outcome(one, SITTING, ends) == "Ben wins (row_1_2). Scores: Ann 3, Ben 9, Cleo 3. Cabbages win."
    assert tell_outcome(Outcome((0, 1), (), "row_3_4"), SITTING, ends) == "Ann and Ben share the victory (row_3_4)."
    assert tell_outcome(Outcome((), (), "eaten"), SITTING, ends) == "Nobody wins (eaten)."


def field_of(seats: int, **more: Any) -> Message:
    return cabbages.View(cabbages=[31] * seats, feedings=[2] * seats, cup_dice=5, cup_gap=seats - 1, turn=9, **more)


def test_the_cup_stands_on_the_left_of_its_seat() -> None:
    text = printed(draw_view(cabbages.View(cabbages=[1, 2], feedings=[0, 0], cup_gap=0), ANN_TO_MOVE, SITTING))
    line = next(line for line in text.splitlines() if "Ben" in line)
    assert line.index("Ann") < line.index("Ben")
    cup = next(line for line in text.splitlines() if '.-"^"-.' in line)
    assert line.index("Ann") < cup.index('.-"^"-.') < line.index("Ben")


def test_the_field_fits_into_a_hundred_columns_and_needs_no_colour() -> None:
    text = printed(draw_view(field_of(5), ANN_TO_MOVE, Sitting(("Ann", "Ben", "Bartholomew the Great", "Dan", "Eve"))))
    assert max(len(line.rstrip()) for line in text.splitlines()) <= 100
    assert "\x1b" not in text
    assert sum(line.count("31 cabbages") for line in text.splitlines()) == 5


def test_a_narrow_terminal_breaks_the_row_and_no_patch() -> None:
    text = printed(draw_view(field_of(5), ANN_TO_MOVE, Sitting(("Ann", "Ben", "Cleo", "Dan", "Eve"))), width=60)
    assert sum(line.count("31 cabbages") for line in text.splitlines()) == 5


def test_an_ascii_terminal_gets_ascii() -> None:
    view = field_of(3, last_roll=[cabbages.Roll(cause=cabbages.CAUSE_CUP, dice=[3, 3, 1])])
    text = printed(draw_view(view, ANN_TO_MOVE, ASCII), encoding="ascii")
    assert text.isascii()
    assert "3 3 1 = 7 (Monster Cup)" in text
    assert "?" not in text


def test_the_danger_is_told_until_the_game_is_over() -> None:
    going_on, over = (printed(draw_view(field_of(3), standing, SITTING)) for standing in (ANN_TO_MOVE, OVER))
    assert "ends the game 47 times in 100" in " ".join(going_on.split())
    assert "times in 100" not in over


@pytest.mark.parametrize(("dice", "ending"), [(3, 6), (5, 1746), (6, 21816), (7, 215676)])
def test_the_odds_are_those_of_c_r13(dice: int, ending: int) -> None:
    """The counts out of 6^k are exact: a roll of 25 or more, or three alike."""
    assert ends_in_hundred(dice) == round(100 * ending / 6**dice)


def test_small_cups_never_end_the_game_and_nine_dice_always_do_c_t2_c_t3() -> None:
    assert [ends_in_hundred(dice) for dice in (0, 1, 2, 9)] == [0, 0, 0, 100]


def test_without_a_drawing_the_same_view_is_a_table() -> None:
    table = rows(printed(view_table(field_of(3), ANN_TO_MOVE, SITTING)))
    assert ["seat", "cabbages", "feedings"] in table
    assert ["cup", "dice", "5"] in table
