"""A failure becomes a status and comes back as it was."""

import pytest
from google.protobuf.any_pb2 import Any
from google.rpc.error_details_pb2 import DebugInfo, ErrorInfo
from google.rpc.status_pb2 import Status

from services.kernel.refusals import Flaw, IllegalMove, ImpossiblePosition, Refusal
from services.rules.failures import chain_broken, illegal, impossible
from services.runtime.failure import Code, Failure, Violation, malformed, rate_limited, too_slow, unexpected
from services.runtime.status import from_status, to_status
from services.session.domain import failures
from tests.support.refusals import MOST_BYTES, read_status

FLAWS = (Flaw("seats[1].name", "must be printable"), Flaw("", "is no message"))
REFUSAL = Refusal("CUP_EMPTY", "C-R10", "The Monster Cup holds no die to take out.")
FAILURES = {
    "malformed": malformed(*FLAWS),
    "impossible": impossible("cabbages", ImpossiblePosition(FLAWS)),
    "wrong game": failures.wrong_game("cabbages", "monsters.chess.v1.Move"),
    "illegal": illegal("monsters.cabbages.v1", IllegalMove(REFUSAL)),
    "chain broken": chain_broken(255),
    "rate limited": rate_limited(7, 0.25, "under way"),
    "too slow": too_slow(10.0),
    "unexpected": unexpected("c0ffee"),
    "session not found": failures.session_not_found("sessions/7f3k"),
    "join code not found": failures.join_code_not_found(),
    "game not found": failures.game_not_found("chess"),
    "revision not found": failures.revision_not_found(-(2**63)),
    "bad token": failures.bad_token(),
    "not your seat": failures.not_your_seat(1),
    "host only": failures.host_only(),
    "request id reused": failures.request_id_reused("again"),
    "stale": failures.stale_session('"42"'),
    "over": failures.game_over("sessions/7f3k"),
    "aborted": failures.session_aborted("sessions/7f3k"),
    "not started": failures.session_not_started("sessions/7f3k"),
    "not over": failures.session_not_over("sessions/7f3k"),
    "seat taken": failures.seat_taken("sessions/7f3k"),
    "too many watchers": failures.too_many_watchers(3),
    "rules unavailable": failures.rules_unavailable("cabbages"),
    "store unavailable": failures.store_unavailable(),
}


def same(one: Failure, other: Failure | None) -> bool:
    """Whether two failures say the same: no metadata is empty metadata."""
    if other is None:
        return False
    return (one.code, one.domain, one.reason, one.message, dict(one.metadata or {})) == (
        other.code,
        other.domain,
        other.reason,
        other.message,
        dict(other.metadata or {}),
    ) and (tuple(one.flaws), one.violation, one.retry_after) == (tuple(other.flaws), other.violation, other.retry_after)


@pytest.mark.parametrize("kind", FAILURES)
def test_a_failure_comes_back_as_it_was(kind: str) -> None:
    failure = FAILURES[kind]
    assert same(failure, from_status(to_status(failure)))


@pytest.mark.parametrize("kind", FAILURES)
def test_a_failure_keeps_to_what_the_proto_says(kind: str) -> None:
    refused = read_status(to_status(FAILURES[kind]))
    assert (refused.domain, refused.reason) == (FAILURES[kind].domain, FAILURES[kind].reason)


def test_a_failure_shows_itself_in_a_log() -> None:
    assert str(FAILURES["host only"]) == ("PERMISSION_DENIED monsters.session.v1/HOST_ONLY: only the host may do this")


@pytest.mark.parametrize("letter", ["a", "é", "\U0001f47e"])
def test_a_status_stays_small_whatever_is_in_it(letter: str) -> None:
    long = letter * 10_000
    absurd = (
        malformed(*(Flaw(f"{number}{long}", long) for number in range(100))),
        failures.wrong_game(long, long),
        illegal("d", IllegalMove(Refusal("R", "C-R10", long))),
        Failure(
            Code.NOT_FOUND, "d", "R", long, {"name": long}, (Flaw(long, long),), Violation("R", "C-R10", long), 1.0
        ),
    )
    for failure in absurd:
        status = to_status(failure)
        assert status.ByteSize() < MOST_BYTES
        assert from_status(status) is not None
        assert len(status.message.encode()) > 200, "what fits is still told"


def test_as_many_flaws_are_told_as_fit() -> None:
    flaws = [Flaw(f"position.cabbages[{number}]", f"must be 0, is {number}") for number in range(1000)]
    kept = from_status(to_status(malformed(*flaws)))
    assert kept is not None
    assert list(kept.flaws) == flaws[: len(kept.flaws)]
    assert len(kept.flaws) >= 10


def packed(message: ErrorInfo | DebugInfo) -> Any:
    detail = Any()
    detail.Pack(message)
    return detail


def test_a_status_of_somebody_else_is_no_failure() -> None:
    strangers = (
        Status(code=14, message="connection refused"),
        Status(code=3, details=[packed(DebugInfo(detail="of a proxy"))]),
        Status(code=0, details=[packed(ErrorInfo(reason="FINE", domain="d"))]),
        Status(code=2, details=[packed(ErrorInfo(reason="WHO_KNOWS", domain="d"))]),
        Status(code=99, details=[packed(ErrorInfo(reason="WHO_KNOWS", domain="d"))]),
    )
    assert [from_status(stranger) for stranger in strangers] == [None] * 5


def test_a_detail_that_is_unknown_disturbs_nothing() -> None:
    status = to_status(failures.host_only())
    status.details.append(packed(DebugInfo(detail="of a later version")))
    assert same(failures.host_only(), from_status(status))
