"""What the rules refuse: positions that can't exist, and moves that the position forbids."""

from collections.abc import Callable
from typing import Any

import pytest
from monsters.cabbages.v1 import cabbages_pb2 as cabbages
from monsters.cabbages.v1 import rules_service_pb2 as service
from monsters.rules.v1 import rules_pb2 as words
from monsters.session.v1 import session_pb2 as wire

from tests.support.refusals import RULES, read_status, refusal_of
from tests.support.servers import Stubs, bearer
from tests.support.sessions import Created, Player, create, move, play_out, reveal_of, submit

CABBAGES = "monsters.cabbages.v1"
START = cabbages.Position(cabbages=[0, 0], feedings=[0, 0], cup_gap=1, turn=1, options=cabbages.Options(first_seat=0))


def moved(**fields: Any) -> dict[str, Any]:
    return {"position": START, "chance": words.Chance(seed=bytes(32)), **fields}


# What is played at the start, by whom, and how the game refuses it: seat 0 is first, and the cup is empty.
ILLEGAL = {
    "the cup is empty": (0, "feed", "CUP_EMPTY", "C-R10"),
    "another seat's turn": (1, "harvest", "NOT_YOUR_TURN", "C-R4"),
    "a seat says that time is up": (0, "timeout", "HOST_ONLY", "C-H1"),
    "the host harvests": (None, "harvest", "SEAT_ONLY", "C-H1"),
}


@pytest.mark.parametrize("case", ILLEGAL)
def test_the_rules_say_why_a_move_is_illegal(server: Stubs, case: str) -> None:
    seat, text, reason, rule = ILLEGAL[case]
    refused = refusal_of(lambda: server.rules().ApplyMove(service.ApplyMoveRequest(**moved(seat=seat, move_text=text))))
    assert refused.kind == ("FAILED_PRECONDITION", CABBAGES, reason)
    assert refused.metadata == {"rule": rule}
    assert refused.rules == {rule: reason}


@pytest.mark.parametrize("case", ILLEGAL)
def test_validating_answers_what_applying_refuses(server: Stubs, case: str) -> None:
    seat, text, reason, rule = ILLEGAL[case]
    request = service.ValidateMoveRequest(position=START, seat=seat, move_text=text)
    answer = server.rules().ValidateMove(request)
    assert (answer.legal, answer.refusal.reason, answer.refusal.rule) == (False, reason, rule)
    applied = refusal_of(lambda: server.rules().ApplyMove(service.ApplyMoveRequest(**moved(seat=seat, move_text=text))))
    assert answer.refusal.message == applied.message


@pytest.mark.parametrize("case", ILLEGAL)
def test_a_session_passes_the_games_refusal_on_untouched(server: Stubs, any_server: Stubs, case: str) -> None:
    seat, text, reason, rule = ILLEGAL[case]
    created = create(any_server)
    token = bearer(created.host_token if seat is None else created.seat_tokens[seat])
    for action in ({"text": text}, {"move": move(text)}):
        request = wire.SubmitMoveRequest(name=created.session.name, **action)
        refused = refusal_of(lambda: any_server.sessions.SubmitMove(request, metadata=token))  # noqa: B023  called here
        assert refused == refusal_of(
            lambda: server.rules().ApplyMove(service.ApplyMoveRequest(**moved(seat=seat, move_text=text)))
        )
        assert refused.kind == ("FAILED_PRECONDITION", CABBAGES, reason)
        assert refused.rules == {rule: reason}


def test_a_stream_passes_the_games_refusal_on_too(any_server: Stubs) -> None:
    with Player(any_server, create(any_server), 0) as player:
        player.submit("feed")
        *_, message = player.answer()
        refused = read_status(message.acknowledgement.error)
        assert (refused.kind, refused.rules) == (
            ("FAILED_PRECONDITION", CABBAGES, "CUP_EMPTY"),
            {"C-R10": "CUP_EMPTY"},
        )


@pytest.fixture(scope="module")
def over(server: Stubs) -> tuple[Created, cabbages.Position]:
    """A session that is over, and its last position."""
    created = create(server)
    play_out(server, created)
    position = cabbages.Position()
    reveal_of(server, created).steps[-1].position.Unpack(position)
    return created, position


def test_the_rules_refuse_to_go_on_with_a_game_that_is_over(
    server: Stubs, over: tuple[Created, cabbages.Position]
) -> None:
    for seat, text in ((0, "harvest"), (1, "feed"), (None, "timeout")):
        request = service.ApplyMoveRequest(position=over[1], seat=seat, move_text=text)
        refused = refusal_of(lambda: server.rules().ApplyMove(request))  # noqa: B023  called here
        assert refused.kind == ("FAILED_PRECONDITION", CABBAGES, "GAME_OVER")
        assert refused.rules == {"C-R13": "GAME_OVER"}


def test_a_session_refuses_to_go_on_with_a_game_that_is_over(
    server: Stubs, over: tuple[Created, cabbages.Position]
) -> None:
    refused = refusal_of(lambda: submit(server, over[0], 0))
    assert refused.kind == ("FAILED_PRECONDITION", "monsters.session.v1", "GAME_OVER")
    assert refused.metadata == {"name": over[0].session.name}


Ask = Callable[[Stubs, cabbages.Position], Any]
EVERY_METHOD: dict[str, Ask] = {
    "EnumerateMoves": lambda stubs, position: stubs.rules().EnumerateMoves(
        service.EnumerateMovesRequest(position=position, seat=0)
    ),
    "ValidateMove": lambda stubs, position: stubs.rules().ValidateMove(
        service.ValidateMoveRequest(position=position, seat=0, move_text="harvest")
    ),
    "ApplyMove": lambda stubs, position: stubs.rules().ApplyMove(
        service.ApplyMoveRequest(position=position, seat=0, move_text="harvest")
    ),
    "ViewPosition": lambda stubs, position: stubs.rules().ViewPosition(
        service.ViewPositionRequest(position=position, seat=0)
    ),
}


@pytest.mark.parametrize("method", EVERY_METHOD)
def test_every_flaw_of_an_impossible_position_is_named(server: Stubs, method: str) -> None:
    impossible = cabbages.Position()
    impossible.CopyFrom(START)
    impossible.cabbages[:] = [-3, 4]
    impossible.feedings[:] = [0, 1]
    refused = refusal_of(lambda: EVERY_METHOD[method](server, impossible))
    assert refused.kind == ("INVALID_ARGUMENT", RULES, "IMPOSSIBLE_POSITION")
    assert refused.metadata == {"game": "cabbages"}
    assert set(refused.fields) == {"position.cabbages[0]", "position.cabbages[1]", "position.feedings[1]"}


def test_an_impossible_position_is_not_remembered_as_possible(server: Stubs) -> None:
    impossible = cabbages.Position()
    impossible.CopyFrom(START)
    impossible.cup_dice = 10
    first, second = (refusal_of(lambda: EVERY_METHOD["ApplyMove"](server, impossible)) for _ in range(2))
    assert first == second
    assert first.reason == "IMPOSSIBLE_POSITION"


# A move without a type is of no game either.
STRANGERS = ("monsters.chess.v1.Move", "monsters.cabbages.v1.Position", "google.protobuf.Any", "")


@pytest.mark.parametrize("stranger", STRANGERS)
def test_another_games_move_is_refused(any_server: Stubs, stranger: str) -> None:
    created = create(any_server)
    strange = move("harvest")
    strange.type_url = f"type.googleapis.com/{stranger}" if stranger else ""
    refused = refusal_of(lambda: submit(any_server, created, 0, move=strange))
    assert refused.kind == ("INVALID_ARGUMENT", RULES, "WRONG_GAME")
    assert refused.metadata == {"game": "cabbages", "type": stranger}


def test_another_games_options_are_refused(any_server: Stubs) -> None:
    refused = refusal_of(lambda: create(any_server, options=move("harvest")))
    assert refused.kind == ("INVALID_ARGUMENT", RULES, "WRONG_GAME")
    assert refused.metadata == {"game": "cabbages", "type": "monsters.cabbages.v1.Move"}
