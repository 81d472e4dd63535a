"""What holds for a position's line of text, as callers get it and send it: it is the position, whatever the game."""

import re

from google.protobuf.message import Message
from hypothesis import given
from hypothesis import strategies as st
from monsters.rules.v1 import opaque_pb2 as opaque

from services.games import Entry
from services.rules.bounds import MOST_TEXT
from services.rules.handler import RulesHandler
from services.runtime.failure import Failure
from tests.support.games import every_game
from tests.support.laws import examples
from tests.support.walks import walks

law = examples(60)
WORDS = ["", "-1", "0", "1", "7", "2147483647", "2147483648", "9" * 30, "9" * 5000, "1.5", "٣", "1_0", "yes", ";", ","]
PARTS = re.compile(r"\w+|\W")


@st.composite
def damaged_lines(draw: st.DrawFn, line: str) -> str:
    """A line in which some words and signs are others, are missing or stand there twice."""
    parts = PARTS.findall(line)
    for _ in range(draw(st.integers(1, 3))):
        place = draw(st.integers(0, len(parts) - 1))
        parts[place] = draw(st.sampled_from([*WORDS, *parts, parts[place] * 2, "; " + line]) | st.text(max_size=3))
    return "".join(parts)


def format_position(handler: RulesHandler, raw: bytes) -> str:
    return str(handler.format_position(opaque.FormatPositionRequest(position=raw)).position_text)


def parse_position(handler: RulesHandler, line: str) -> bytes:
    return bytes(handler.parse_position(opaque.ParsePositionRequest(position_text=line)).position)


@every_game
@given(data=st.data())
@law
def test_formatting_and_parsing_are_inverse(entry: Entry, data: st.DataObject) -> None:
    handler = RulesHandler(entry)
    for ply in data.draw(walks(entry)).plies:
        message: Message = entry.codec.write_position(ply.played.position)
        raw = message.SerializeToString(deterministic=True)
        line = format_position(handler, raw)
        assert len(line.encode()) <= MOST_TEXT
        assert parse_position(RulesHandler(entry), line) == raw


@every_game
@given(data=st.data())
@law
def test_a_damaged_line_is_refused_or_is_a_position_with_a_line_of_its_own(entry: Entry, data: st.DataObject) -> None:
    handler = RulesHandler(entry)
    line = data.draw(damaged_lines(entry.game.write(data.draw(walks(entry)).position)))
    refused = None
    try:
        raw = parse_position(handler, line)
    except Failure as failure:
        refused = failure
    if refused is None:
        assert parse_position(handler, format_position(handler, raw)) == raw
    else:
        assert refused.reason in {"MALFORMED_REQUEST", "IMPOSSIBLE_POSITION"}
        assert {flaw.field for flaw in refused.flaws} == {"position_text"}
