"""Every error of the services once more, through HTTP and JSON: the same tests, held to the same reasons and details.

Each body has to be a google.rpc.Status, and each HTTP status the one of its code: `Transcoded` looks at that.
"""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

import pytest
from google.protobuf.any_pb2 import Any as Packed
from monsters.cabbages.v1 import cabbages_pb2 as cabbages

from tests.support.edge import edge, needs_envoy
from tests.support.processes import Server
from tests.support.refusals import RULES, SESSION, documented, refusal_of
from tests.support.servers import Stubs, running
from tests.support.sessions import create, pack, submit
from tests.support.transcoded import Transcoded
from tests.wire import test_errors_documented, test_errors_limits, test_errors_unavailable
from tests.wire.test_errors_documented import test_a_defect_of_ours_is_told_as_an_incident_and_nothing_of_it  # noqa: F401  run here again
from tests.wire.test_errors_limits import (
    test_a_server_that_takes_no_calls_says_when_to_come_again,  # noqa: F401  as above
    test_streams_have_a_limit_of_their_own,  # noqa: F401  as above
)
from tests.wire.test_errors_malformed import test_a_seat_of_a_lobby_that_there_isnt  # noqa: F401  as above
from tests.wire.test_errors_rules import *  # noqa: F403  as above
from tests.wire.test_errors_session import *  # noqa: F403  as above
from tests.wire.test_errors_unavailable import no_room, test_sessions_survive_their_rules  # noqa: F401  as above

pytestmark = needs_envoy
OF_STREAMS = {"CHAIN_BROKEN", "TOO_SLOW"}
"""What only a stream in both directions says: those are gRPC's alone."""


class Edged(Transcoded):
    """Stubs of a server that get an edge of their own before it."""

    def __init__(self, address: str) -> None:
        self._stack = ExitStack()
        super().__init__(self._stack.enter_context(edge(address)).address)

    def __exit__(self, *error: object) -> None:
        super().__exit__(*error)
        self._stack.close()


@contextmanager
def running_behind_an_edge(*arguments: Any, **settings: Any) -> Iterator[Stubs]:
    with running(*arguments, **settings) as server:
        if not arguments:  # rules alone, for sessions that call them by gRPC
            yield server
            return
        with Edged(server.address) as stubs:
            yield stubs


@pytest.fixture(scope="module")
def server(server: Stubs) -> Iterator[Stubs]:
    with Edged(server.address) as stubs:
        yield stubs


@pytest.fixture(scope="module")
def any_server(server: Stubs) -> Stubs:
    return server


@pytest.fixture(autouse=True)
def edges_before_servers_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (test_errors_documented, test_errors_limits, test_errors_unavailable):
        for name, replacement in (("running", running_behind_an_edge), ("Stubs", Edged)):
            monkeypatch.setattr(module, name, replacement, raising=False)


def test_a_full_disk_is_told_through_the_edge(tmp_path: Path) -> None:
    """Health says NOT_SERVING then, and the edge still asks: the server has the better words."""
    with Server(tmp_path / "lair.db") as process, Edged(process.address) as server, no_room(process):
        refused = refusal_of(lambda: create(server))
        assert refused.kind == ("UNAVAILABLE", SESSION, "STORE_UNAVAILABLE")
        assert refused.retry_after is not None


def test_another_games_move_is_refused(server: Stubs) -> None:  # type: ignore[no-redef]  # instead of the one over gRPC
    """In JSON only types that there are can be written: for others see what the edge says by itself."""
    created = create(server)
    for move in (cabbages.Position(), Packed()):
        refused = refusal_of(lambda: submit(server, created, 0, move=pack(move)))  # noqa: B023  called here
        assert refused.kind == ("INVALID_ARGUMENT", RULES, "WRONG_GAME")


def test_every_reason_of_the_services_is_among_these() -> None:
    said = "".join(said_by(test) for name, test in globals().items() if name.startswith("test_") and callable(test))
    reasons = {reason for domain, reason in documented() if domain in (RULES, SESSION)}
    assert {reason for reason in reasons - OF_STREAMS if f"'{reason}'" not in said} == set()


def said_by(test: FunctionType) -> str:
    """All constants of a test, its own and those of its file that it names."""
    codes = [test.__code__]
    for code in codes:
        codes += [constant for constant in code.co_consts if isinstance(constant, CodeType)]
    names = {name for code in codes for name in code.co_names}
    return f"{[code.co_consts for code in codes]}{[test.__globals__.get(name) for name in names]}"
