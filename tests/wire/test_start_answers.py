"""What the rules say of themselves and of the options: their version, and the options as they were understood."""

from typing import Any

import pytest
from monsters.cabbages.v1 import cabbages_pb2 as cabbages
from monsters.rules.v1 import opaque_pb2 as opaque

from services.games import Entry
from services.rules.bounds import MOST_OPTIONS
from tests.support.games import every_game
from tests.support.refusals import RULES, refusal_of
from tests.support.servers import Stubs, service_of

START = "/monsters.cabbages.v1.RulesService/StartGame"
UNKNOWN = b"\xa2\x06"
"""The tag of field 100, which holds bytes."""
ORDINARY = cabbages.Options(cup_start=2, first_seat=1).SerializeToString()


def options_after(server: Stubs, raw: bytes) -> bytes:
    """The options that a start answers to these."""
    request = opaque.StartGameRequest(seats=2, options=raw).SerializeToString()
    return opaque.StartGameResponse.FromString(server.raw(START, request)).options


def padded(size: int) -> bytes:
    """Options of so many bytes, nearly all of them in a field that there isn't."""
    length = size - len(ORDINARY) - len(UNKNOWN) - 2
    return ORDINARY + UNKNOWN + bytes([length % 128 + 128, length // 128]) + bytes(length)


@every_game
def test_the_version_of_the_rules_is_in_every_answer_that_plays(server: Stubs, entry: Entry) -> None:
    token = entry.game.token
    wire, rules = service_of(token), server.rules(token)
    version = rules.DescribeGame(wire.DescribeGameRequest()).game.rules_version
    start = rules.StartGame(wire.StartGameRequest(seats=entry.game.seats[0]))
    here: dict[str, Any] = {"position": start.position, "seat": start.standing.may_act[0]}
    move = rules.EnumerateMoves(wire.EnumerateMovesRequest(**here)).moves[0].move
    applied = rules.ApplyMove(wire.ApplyMoveRequest(**here, move=move))
    (many,) = rules.ApplyMoves(iter([wire.ApplyMovesRequest(moves=[wire.NextMove(**here, move=move)])]))
    assert version
    assert [answer.rules_version for answer in (start, applied, many)] == [version] * 3


@every_game
def test_options_that_are_the_defaults_are_not_there(server: Stubs, entry: Entry) -> None:
    wire, rules = service_of(entry.game.token), server.rules(entry.game.token)
    spelled = rules.DescribeGame(wire.DescribeGameRequest()).options
    for request in (
        wire.StartGameRequest(seats=entry.game.seats[0]),
        wire.StartGameRequest(seats=entry.game.seats[0], options=spelled),
    ):
        assert not rules.StartGame(request).HasField("options")


@pytest.mark.parametrize(
    ("raw", "understood"),
    [
        (ORDINARY, {"cup_start": 2, "first_seat": 1}),
        (ORDINARY + cabbages.Options(cup_max=6).SerializeToString(), {"cup_start": 2, "first_seat": 1, "cup_max": 6}),
        (ORDINARY * 100, {"cup_start": 2, "first_seat": 1}),
        (cabbages.Options(cup_start=9).SerializeToString() + ORDINARY, {"cup_start": 2, "first_seat": 1}),
        (cabbages.Options(cup_start=0, hungry_first=True).SerializeToString(), {}),
        (cabbages.Options(cup_move=cabbages.CUP_MOVE_UNSPECIFIED).SerializeToString(), {}),
        (ORDINARY + UNKNOWN + b"\x03abc", {"cup_start": 2, "first_seat": 1}),
        (b"\x0a\x03abc" + ORDINARY, {"cup_start": 2, "first_seat": 1}),
    ],
    ids=[
        "ordinary",
        "in parts",
        "again and again",
        "the last counts",
        "defaults",
        "unspecified",
        "unknown",
        "mistyped",
    ],
)
def test_options_are_written_anew(server: Stubs, raw: bytes, understood: dict[str, Any]) -> None:
    """Known fields only, each once, in their order, and what is the default is left out."""
    assert options_after(server, raw) == cabbages.Options(**understood).SerializeToString(deterministic=True)


def test_options_have_a_bound(server: Stubs) -> None:
    assert len(padded(MOST_OPTIONS)) == MOST_OPTIONS
    assert options_after(server, padded(MOST_OPTIONS)) == ORDINARY
    error = refusal_of(lambda: options_after(server, padded(MOST_OPTIONS + 1)))
    assert error.kind == ("INVALID_ARGUMENT", RULES, "MALFORMED_REQUEST")
    assert set(error.fields) == {"options"}
