"""A live server gets streams of moves that nobody sends on purpose: each is answered in the server's own words.

LAIR_FUZZ_EXAMPLES sets how many streams are tried.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import grpc
import pytest
from hypothesis import given
from hypothesis import strategies as st
from monsters.rules.v1 import opaque_pb2 as opaque

from services.games import find_games
from tests.e2e.test_fuzz import PATIENCE, fuzzing, positions_of, refused_well, told
from tests.support.nonsense import JUNK, messages, spoiled
from tests.support.processes import Server
from tests.support.servers import Stubs, service_of

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(tmp_path_factory.mktemp("streams") / "lair.db", LAIR_LOG_LEVEL="warning") as process:
        yield process


def bombard(stubs: Stubs, game: str, raw: Sequence[bytes]) -> None:
    """Send a stream and read it to its end. Every move has an answer, or the stream an error."""
    channel: Any = stubs.channel
    answered = 0
    try:
        for answer in channel.stream_stream(f"/monsters.{game}.v1.RulesService/ApplyMoves")(
            iter(raw), timeout=PATIENCE
        ):
            for applied in opaque.ApplyMovesResponse.FromString(answer).moves:
                answered += 1
                if applied.HasField("error"):
                    told(applied.error)
    except grpc.RpcError as error:
        refused_well(error)
    else:
        assert answered == sum(len(opaque.ApplyMovesRequest.FromString(message).moves) for message in raw)


@pytest.mark.parametrize("game", find_games())
def test_streams_of_absurd_moves(server: Server, game: str) -> None:
    with Stubs(server.address) as stubs:
        hints: dict[str, Sequence[Any]] = {
            "position": positions_of(game, stubs),
            "seat": [0, 1],
            "chain": [0, 0, 1],
            "paths": ["standing", "moves", "*"],
        }
        absurd = messages(service_of(game).ApplyMovesRequest.DESCRIPTOR, hints).map(
            lambda message: message.SerializeToString()
        )
        anything = absurd | absurd | absurd | st.sampled_from(JUNK) | spoiled(absurd)

        @fuzzing
        @given(st.lists(anything, min_size=1, max_size=4))
        def stream(raw: list[bytes]) -> None:
            bombard(stubs, game, raw)

        stream()
        assert stubs.serving()
    assert server.process is not None
    assert server.process.poll() is None
    log = server.log.read_text()
    assert "incident" not in log
    assert "Traceback" not in log
