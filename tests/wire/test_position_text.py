"""A position's line of text over gRPC: FormatPosition and ParsePosition, and what they refuse."""

from typing import Any

import pytest
from monsters.cabbages.v1 import cabbages_pb2 as cabbages
from monsters.cabbages.v1 import rules_service_pb2 as service

from services.games import Entry, find_games
from services.rules.bounds import MOST_TEXT
from tests.support.games import every_game
from tests.support.refusals import RULES, Refused, refusal_of
from tests.support.servers import Stubs, service_of

MALFORMED = ("INVALID_ARGUMENT", RULES, "MALFORMED_REQUEST")
IMPOSSIBLE = ("INVALID_ARGUMENT", RULES, "IMPOSSIBLE_POSITION")
LINE = "turn 5; seat 1; cabbages 12 7 9; feedings 0 1 0; cup 0; gap 0; rolled feed 3 4"


def refused(server: Stubs, line: str, game: str = "cabbages") -> Refused:
    """Why a line is not taken."""
    request = service_of(game).ParsePositionRequest(position_text=line)
    return refusal_of(lambda: server.rules(game).ParsePosition(request))


def started(server: Stubs, entry: Entry) -> Any:
    """The position that a game starts with."""
    request = service_of(entry.game.token).StartGameRequest(seats=entry.game.seats[0])
    return server.rules(entry.game.token).StartGame(request).position


@every_game
def test_a_position_is_written_as_a_line_and_read_again(server: Stubs, entry: Entry) -> None:
    wire, rules, position = service_of(entry.game.token), server.rules(entry.game.token), started(server, entry)
    line = rules.FormatPosition(wire.FormatPositionRequest(position=position)).position_text
    assert line.isprintable()
    assert rules.ParsePosition(wire.ParsePositionRequest(position_text=line)).position == position


@every_game
def test_the_line_of_another_game_is_malformed(server: Stubs, entry: Entry) -> None:
    line = entry.game.write(entry.codec.read_position(started(server, entry)))
    for other in find_games():
        if other != entry.game.token:
            error = refused(server, line, other)
            assert (error.kind, set(error.fields)) == (MALFORMED, {"position_text"})


@pytest.mark.parametrize("line", ["x", ";", "turn", LINE.replace("cup 0", "cup"), LINE + "; turn 5", "\0"])
def test_nonsense_is_malformed(server: Stubs, line: str) -> None:
    error = refused(server, line)
    assert (error.kind, set(error.fields)) == (MALFORMED, {"position_text"})


def test_a_number_for_which_the_message_has_no_room_is_malformed(server: Stubs) -> None:
    error = refused(server, LINE.replace("cabbages 12", f"cabbages {2**31}"))
    assert (error.kind, set(error.fields)) == (MALFORMED, {"position_text"})


def test_a_line_has_to_be_there(server: Stubs) -> None:
    error = refused(server, "")
    assert (error.kind, error.fields) == (MALFORMED, {"position_text": "is required"})


def test_a_line_is_checked_as_a_position_is(server: Stubs) -> None:
    error = refused(server, LINE.replace("cup 0", "cup 99"))
    assert error.kind == IMPOSSIBLE
    assert set(error.fields) == {"position_text"}
    assert "cup_dice" in error.fields["position_text"]


@pytest.mark.parametrize("letter", ["x", "é", "\U0001f47e"])
def test_a_line_has_a_bound_that_counts_bytes(server: Stubs, letter: str) -> None:
    size = len(letter.encode())
    within, beyond = refused(server, letter * (MOST_TEXT // size)), refused(server, letter * (MOST_TEXT // size + 1))
    bound = f"must have at most {MOST_TEXT} bytes"
    assert within.kind == beyond.kind == MALFORMED
    assert bound not in within.fields["position_text"]
    assert beyond.fields["position_text"].startswith(bound)


def test_only_a_position_of_the_game_is_written(server: Stubs) -> None:
    rules = server.rules()
    error = refusal_of(lambda: rules.FormatPosition(service.FormatPositionRequest()))
    assert (error.kind, set(error.fields)) == (MALFORMED, {"position"})
    wrong = service.FormatPositionRequest(position=cabbages.Position(cabbages=[0, 0], feedings=[0], turn=1))
    assert refusal_of(lambda: rules.FormatPosition(wrong)).kind == IMPOSSIBLE
