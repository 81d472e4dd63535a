"""What a stream of moves refuses: a move in its place, and a message that is wrong as a whole with the stream."""

from collections.abc import Iterable, Iterator, Mapping
from queue import SimpleQueue
from typing import Any

import pytest
from google.protobuf.field_mask_pb2 import FieldMask
from monsters.cabbages.v1 import cabbages_pb2 as cabbages
from monsters.cabbages.v1 import rules_service_pb2 as service
from monsters.rules.v1 import opaque_pb2 as opaque
from monsters.rules.v1 import rules_pb2 as words

from services.rules.chains import MOST_CHAINS, MOST_MOVES
from services.runtime.admission import Admission
from services.runtime.calls import serve
from services.runtime.server import listening
from services.runtime.settings import Settings
from tests.support.refusals import RULES, Refused, read_status, refusal_of
from tests.support.servers import Stubs, hosting, running

PATH = "/monsters.cabbages.v1.RulesService/ApplyMoves"
CABBAGES = "monsters.cabbages.v1"
MALFORMED = ("INVALID_ARGUMENT", RULES, "MALFORMED_REQUEST")
START = cabbages.Position(cabbages=[0, 0], feedings=[0, 0], cup_gap=1, turn=1, options=cabbages.Options(first_seat=0))
HARVEST = cabbages.Move(harvest=cabbages.Harvest())


def script(*results: int) -> words.Chance:
    return words.Chance(script=words.Script(results=results))


def harvest(**changes: Any) -> service.NextMove:
    """A move that is fine, with something changed."""
    fields = {"position": START, "seat": 0, "move_text": "harvest", "chance": script(6, 5), **changes}
    return service.NextMove(**fields)


def sent(server: Stubs, *messages: opaque.ApplyMovesRequest | service.ApplyMovesRequest) -> list[Any]:
    """The answers of one stream to whole messages."""
    ask: Any = server.channel.stream_stream(PATH, response_deserializer=service.ApplyMovesResponse.FromString)
    answers = ask(iter([message.SerializeToString() for message in messages]))
    return [applied for answer in answers for applied in answer.moves]


def played(server: Stubs, *moves: opaque.NextMove | service.NextMove) -> list[Any]:
    """The answers to the moves of one message."""
    raw = b"".join(opaque.ApplyMovesRequest(moves=[_opaque(move)]).SerializeToString() for move in moves)
    return sent(server, opaque.ApplyMovesRequest.FromString(raw))


def _opaque(move: opaque.NextMove | service.NextMove) -> opaque.NextMove:
    return opaque.NextMove.FromString(move.SerializeToString())


def refused(answer: Any) -> Refused:
    """Why a move was not played. There is nothing beside it."""
    error = read_status(answer.error)
    answer.ClearField("error")
    assert answer == service.AppliedMove()
    return error


CASES: Mapping[str, tuple[opaque.NextMove | service.NextMove, str]] = {
    "no move": (harvest(move_text=""), "move"),
    "a move and a text": (harvest(move=HARVEST), "move_text"),
    "a text that is no move": (harvest(move_text="dance"), "move_text"),
    "a move that can't be read": (opaque.NextMove(position=START.SerializeToString(), move=b"\xff", seat=0), "move"),
    "a move of no kind that is known": (
        opaque.NextMove(position=START.SerializeToString(), move=b"\x7a\x00", seat=0),
        "move.kind",
    ),
    "a position that can't be read": (opaque.NextMove(position=b"\xff", seat=0, move_text="harvest"), "position"),
    "a seat that there isn't": (harvest(seat=2), "seat"),
    "a seat below zero": (harvest(seat=-1), "seat"),
    "a short seed": (harvest(chance=words.Chance(seed=b"x")), "chance.seed"),
    "a result that isn't on the die": (harvest(chance=script(7, 1)), "chance.script.results[0]"),
    "a script that is too short": (harvest(chance=script(6)), "chance.script.results"),
    "a script that is too long": (harvest(chance=script(6, 5, 4)), "chance.script.results"),
    "a chain that there isn't": (harvest(chain=MOST_CHAINS), "chain"),
    "a chain below zero": (harvest(chain=-1), "chain"),
    "a chain without a position": (harvest(position=None), "position"),
}


@pytest.mark.parametrize("case", CASES)
def test_a_malformed_move_is_refused_in_its_place_with_the_field(server: Stubs, case: str) -> None:
    move, field = CASES[case]
    before, wrong, after = played(server, harvest(chain=1), move, harvest(chain=2))
    error = refused(wrong)
    assert error.kind == MALFORMED
    assert set(error.fields) == {field}
    assert before == after
    assert after.position.cabbages == [11, 0]


def test_views_of_seats_that_there_are_not_are_refused_with_each_move(server: Stubs) -> None:
    view_for = words.ViewFor(seats=[1, 2])
    whole = service.ApplyMovesRequest(moves=[harvest(), harvest()], view_for=view_for)
    *answers, after = sent(server, whole, service.ApplyMovesRequest(moves=[harvest(position=None)]))
    assert after.position.turn == 2, "a move that was refused for its views was not played"
    for answer in answers:
        error = refused(answer)
        assert error.kind == MALFORMED
        assert set(error.fields) == {"view_for.seats[1]"}


def test_every_flaw_of_an_impossible_position_is_named(server: Stubs) -> None:
    impossible = cabbages.Position(cabbages=[-3, 4], feedings=[0, 1], cup_gap=1, turn=1)
    first, second = (refused(played(server, harvest(position=impossible))[0]) for _ in range(2))
    assert first == second
    assert first.kind == ("INVALID_ARGUMENT", RULES, "IMPOSSIBLE_POSITION")
    assert first.metadata == {"game": "cabbages"}
    assert set(first.fields) == {"position.cabbages[0]", "position.cabbages[1]", "position.feedings[1]"}


# What is played at the start, by whom, and how the game refuses it: seat 0 is first, and the cup is empty.
ILLEGAL = {
    "the cup is empty": (0, "feed", "CUP_EMPTY", "C-R10"),
    "another seat's turn": (1, "harvest", "NOT_YOUR_TURN", "C-R4"),
    "a seat says that time is up": (0, "timeout", "HOST_ONLY", "C-H1"),
    "the host harvests": (None, "harvest", "SEAT_ONLY", "C-H1"),
}


@pytest.mark.parametrize("case", ILLEGAL)
def test_the_rules_say_why_a_move_is_illegal_as_apply_move_says_it(server: Stubs, case: str) -> None:
    seat, text, reason, rule = ILLEGAL[case]
    error = refused(played(server, service.NextMove(position=START, seat=seat, move_text=text))[0])
    assert error.kind == ("FAILED_PRECONDITION", CABBAGES, reason)
    assert error.metadata == {"rule": rule}
    request = service.ApplyMoveRequest(position=START, seat=seat, move_text=text)
    assert error == refusal_of(lambda: server.rules().ApplyMove(request))


def test_a_game_that_is_over_does_not_go_on(server: Stubs) -> None:
    ending = cabbages.Options(first_seat=0, max_turns=1)
    start = cabbages.Position(cabbages=[0, 0], feedings=[0, 0], cup_gap=1, turn=1, options=ending)
    last, beyond = played(server, harvest(position=start), following())
    assert last.standing.HasField("outcome")
    error = refused(beyond)
    assert error.kind == ("FAILED_PRECONDITION", CABBAGES, "GAME_OVER")
    assert error.rules == {"C-R13": "GAME_OVER"}


def following(**changes: Any) -> service.NextMove:
    """The move after it: of the other seat, with any dice."""
    return harvest(**{"position": None, "seat": 1, "chance": None, **changes})


def test_what_follows_a_refused_move_on_its_chain_is_not_tried(server: Stubs) -> None:
    again = following(chain=3, seat=0)
    answers = played(server, harvest(chain=3), harvest(chain=4), again, following(chain=3), following(chain=4))
    assert refused(answers[2]).kind == ("FAILED_PRECONDITION", CABBAGES, "NOT_YOUR_TURN")
    broken = refused(answers[3])
    assert broken.kind == ("ABORTED", RULES, "CHAIN_BROKEN")
    assert broken.metadata == {"chain": "3"}
    assert [answers[index].position.turn for index in (0, 1, 4)] == [2, 2, 3]


def test_the_next_message_goes_on_where_the_chain_was(server: Stubs) -> None:
    once = service.ApplyMovesRequest(moves=[harvest(), following(seat=0), following()])
    *_, broken, last = sent(server, once, service.ApplyMovesRequest(moves=[following()]))
    assert refused(broken).reason == "CHAIN_BROKEN"
    assert last.position.turn == 3


def test_a_position_mends_its_chain_also_when_its_move_is_refused(server: Stubs) -> None:
    wrong = harvest(seat=1)
    answers = played(server, harvest(), wrong, following(), harvest(), following())
    assert [answer.HasField("error") for answer in answers] == [False, True, True, False, False]
    refusal, first = sent(
        server, service.ApplyMovesRequest(moves=[wrong]), service.ApplyMovesRequest(moves=[harvest(position=None)])
    )
    assert refused(refusal).reason == "NOT_YOUR_TURN"
    assert first.position.cabbages == [11, 0]


def test_a_position_that_can_not_be_leaves_its_chain_without_one(server: Stubs) -> None:
    impossible = harvest(position=cabbages.Position(turn=-1))
    one, two, three = (service.ApplyMovesRequest(moves=[m]) for m in (harvest(), impossible, harvest(position=None)))
    _, flawed, lost = sent(server, one, two, three)
    assert refused(flawed).reason == "IMPOSSIBLE_POSITION"
    assert set(refused(lost).fields) == {"position"}


WHOLE: Mapping[str, tuple[service.ApplyMovesRequest, set[str]]] = {
    "no moves": (service.ApplyMovesRequest(), {"moves"}),
    "too many moves": (service.ApplyMovesRequest(moves=[harvest()] * (MOST_MOVES + 1)), {"moves"}),
    "fields that there are not": (
        service.ApplyMovesRequest(moves=[harvest()], read_mask=FieldMask(paths=["standing", "moves.text", "error"])),
        {"read_mask.paths[1]", "read_mask.paths[2]"},
    ),
}


def ended(server: Stubs, raw: Iterable[bytes]) -> Refused:
    """What a stream of these bytes ends with."""
    ask: Any = server.channel.stream_stream(PATH)
    return refusal_of(lambda: ask(iter(raw)))


@pytest.mark.parametrize("case", WHOLE)
def test_a_message_that_is_wrong_as_a_whole_ends_the_stream(server: Stubs, case: str) -> None:
    message, fields = WHOLE[case]
    error = ended(server, [message.SerializeToString()])
    assert error.kind == MALFORMED
    assert set(error.fields) == fields


@pytest.mark.parametrize("junk", [b"\xff", b"\x52\x02\xff\xfe", b"\x0b" * 1000, b"\x52\xff\xff\xff\xff\x0f"])
def test_bytes_that_are_no_message_end_the_stream(server: Stubs, junk: bytes) -> None:
    good = service.ApplyMovesRequest(moves=[harvest()]).SerializeToString()
    assert ended(server, [good, junk]).kind == MALFORMED


def test_what_was_answered_before_the_end_is_read(server: Stubs) -> None:
    ask: Any = server.channel.stream_stream(PATH, response_deserializer=service.ApplyMovesResponse.FromString)
    answers = ask(iter([service.ApplyMovesRequest(moves=[harvest()]).SerializeToString(), b"\xff"]))
    assert next(answers).moves[0].position.cabbages == [11, 0]
    assert refusal_of(lambda: answers).kind == MALFORMED


def test_as_many_moves_as_may_be_are_played(server: Stubs) -> None:
    answers = played(server, *[harvest()] * MOST_MOVES)
    assert len(answers) == MOST_MOVES
    assert all(answer == answers[0] for answer in answers)
    assert not answers[0].HasField("error")


@pytest.mark.parametrize("size", [1_000, 30_000])
def test_an_error_stays_small_however_absurd_the_move(server: Stubs, size: int) -> None:
    """`read_status` looks at the size of each."""
    long = "\U0001f47e" * (size // 4)
    flawed = cabbages.Position(cabbages=[-1] * (size // 16))
    for move in (harvest(move_text=long), harvest(position=flawed), harvest(chance=script(*[9] * (size // 4)))):
        assert refused(played(server, move)[0]).code == "INVALID_ARGUMENT"
    mask = FieldMask(paths=[long[: size // 16]] * 4)
    message = service.ApplyMovesRequest(moves=[harvest()], read_mask=mask)
    assert ended(server, [message.SerializeToString()]).kind == MALFORMED


def test_streams_of_rules_have_a_limit(server: Stubs) -> None:
    assert server.serving()
    with running(max_streams=1, max_calls=0) as limited:
        first = limited.rules().ApplyMoves(iter(()))
        assert list(first) == [], "it is not among the calls, of which none is taken here"
        held: Any = limited.channel.stream_stream(PATH)
        waiting = Waiting(service.ApplyMovesRequest(moves=[harvest()]).SerializeToString())
        holding = held(iter(waiting))
        assert next(holding)
        error = refusal_of(lambda: limited.rules().ApplyMoves(iter(())))
        assert error.kind == ("RESOURCE_EXHAUSTED", RULES, "RATE_LIMITED")
        assert error.metadata == {"limit": "1"}
        assert error.retry_after
        waiting.end()
        assert list(holding) == []
        assert list(limited.rules().ApplyMoves(iter(()))) == [], "there is room again"


class Waiting:
    """Sends one message, and keeps the stream open until it is told to end."""

    def __init__(self, message: bytes) -> None:
        self._messages: SimpleQueue[bytes | None] = SimpleQueue()
        self._messages.put(message)

    def __iter__(self) -> Iterator[bytes]:
        return iter(self._messages.get, None)

    def end(self) -> None:
        self._messages.put(None)


class Broken:
    """A servicer with a defect in every method."""

    def __getattr__(self, _: str) -> object:
        async def fail(*_: object) -> None:
            raise RuntimeError

        return fail


def test_a_defect_of_ours_ends_the_stream_as_an_incident() -> None:
    descriptor = service.DESCRIPTOR.services_by_name["RulesService"]
    handlers = {descriptor.full_name: serve(descriptor, Broken(), Admission.up_to(10))}
    server = listening(Settings(address="127.0.0.1:0"), handlers, leave=lambda: None)
    with hosting(server) as address, Stubs(address) as stubs:
        error = refusal_of(lambda: stubs.rules().ApplyMoves(iter(())))
        assert error.kind == ("INTERNAL", RULES, "UNEXPECTED")
