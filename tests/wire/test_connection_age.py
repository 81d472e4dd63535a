"""A connection that is too old ends between two calls, and no call notices."""

import time

import grpc
import pytest
from monsters.cabbages.v1 import rules_service_pb2, rules_service_pb2_grpc

from tests.support.servers import running

AGE = 0.3


@pytest.mark.parametrize(("age", "connects"), [(AGE, True), (0.0, False)])
def test_clients_connect_anew_when_they_are_asked_to(age: float, connects: bool) -> None:  # noqa: FBT001  pytest's way
    with running(connection_age=age) as server, grpc.insecure_channel(server.address) as channel:
        states: list[grpc.ChannelConnectivity] = []
        channel.subscribe(states.append)
        describe = rules_service_pb2_grpc.RulesServiceStub(channel).DescribeGame
        deadline = time.monotonic() + 4 * AGE
        calls = 0
        while time.monotonic() < deadline:
            describe(rules_service_pb2.DescribeGameRequest(), wait_for_ready=True, timeout=10)
            calls += 1
        assert calls > 1
        assert (states.count(grpc.ChannelConnectivity.READY) > 1) == connects
