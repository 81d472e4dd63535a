"""How a channel is configured."""

import json
from typing import Any

import grpc
import pytest

from lair._channel import DEFAULT_TIMEOUT, OPTIONS, SERVICE_CONFIG, open_sync


def methods() -> list[Any]:
    found = SERVICE_CONFIG["methodConfig"]
    assert isinstance(found, list)
    return found


def test_only_a_server_that_is_away_or_goes_away_is_tried_again_and_for_some_seconds() -> None:
    (method,) = methods()
    policy = method["retryPolicy"]
    assert policy["retryableStatusCodes"] == ["UNAVAILABLE", "CANCELLED"]
    first, longest = (float(policy[name].removesuffix("s")) for name in ("initialBackoff", "maxBackoff"))
    waits = [min(first * policy["backoffMultiplier"] ** n, longest) for n in range(policy["maxAttempts"] - 1)]
    assert 3 < sum(waits) < DEFAULT_TIMEOUT - 2
    assert policy["maxAttempts"] <= 5, "gRPC's core makes no more"


def test_the_service_config_has_no_timeout() -> None:
    """It would fire too early: https://github.com/grpc/grpc/issues/40633."""
    (method,) = methods()
    assert "timeout" not in method


def test_the_service_config_is_sent_as_it_stands_here() -> None:
    assert json.loads(dict(OPTIONS)["grpc.service_config"]) == SERVICE_CONFIG


def test_a_caller_s_channel_arguments_take_the_place_of_ours() -> None:
    """An invalid service config fails every call, as it would if ours were invalid."""
    broken = {"methodConfig": [{"name": [{}], "retryPolicy": {"maxAttempts": 1}}]}
    with open_sync("127.0.0.1:1", None, [("grpc.service_config", json.dumps(broken))]) as channel:
        with pytest.raises(grpc.RpcError) as refused:
            channel.unary_unary("/a/b", bytes, bytes)(b"", timeout=5)
        assert "maxAttempts" in str(refused.value)
