"""A server behind the edge is replaced under load, and nobody notices: neither by JSON nor by gRPC."""

import threading
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Self

import grpc
import pytest
from monsters.cabbages.v1 import rules_service_pb2 as service

from tests.support.edge import Web, edge, needs_envoy
from tests.support.processes import Server
from tests.support.servers import PATIENCE, Stubs

CALLERS = 4
DRAIN = 3.0
PACE = 0.02
"""Seconds between two calls of a caller: who doesn't pause keeps the servers from starting, and proves no more."""

pytestmark = [needs_envoy, pytest.mark.slow]


class Load:
    """Callers who ask and ask."""

    def __init__(self, calls: list[Callable[[], str]]) -> None:
        self.answers: Counter[str] = Counter()
        self._over = threading.Event()
        self._threads = [threading.Thread(target=self._ask, args=[call]) for call in calls]

    def _ask(self, call: Callable[[], str]) -> None:
        while not self._over.wait(PACE):
            try:
                said = call()
            except (OSError, grpc.RpcError) as error:
                said = repr(error)
            self.answers[said] += 1

    def wait_for(self, answers: int) -> None:
        """Go on until so many more are there."""
        wanted = self.answers.total() + answers
        pause = threading.Event()
        for _ in range(int(PATIENCE / 0.05)):
            if self.answers.total() >= wanted:
                return
            pause.wait(0.05)
        raise AssertionError(self.answers)

    def __enter__(self) -> Self:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        for thread in self._threads:
            thread.join()


def test_no_call_fails_when_a_server_is_replaced(tmp_path: Path) -> None:
    old = Server(tmp_path / "old.db", LAIR_DRAIN=str(DRAIN))
    new = Server(tmp_path / "new.db")
    with old, edge(f"{old.address},{new.address}") as web, Stubs(web.address) as stubs:
        rules = stubs.rules()

        def by_json() -> str:
            return str(Web(web.address).ask("POST", "/v1/games/cabbages:startGame", {"seats": 2}).status)

        def by_grpc() -> str:
            rules.StartGame(service.StartGameRequest(seats=2))
            return "OK"

        with Load([by_json, by_grpc] * (CALLERS // 2)) as load:
            load.wait_for(100)
            with new:
                assert old.stop() == 0
                load.wait_for(100)
                assert set(load.answers) == {"200", "OK"}, load.answers
