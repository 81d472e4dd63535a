"""How a channel is configured."""

import json

import grpc
import pytest

from lair._channel import OPTIONS, SERVICE_CONFIG, open_sync


def test_the_service_config_has_neither_a_timeout_nor_retries() -> None:
    """A timeout would fire too early (https://github.com/grpc/grpc/issues/40633); retries are the SDK's own."""
    assert set(SERVICE_CONFIG) == {"loadBalancingConfig"}


def test_the_service_config_is_sent_as_it_stands_here() -> None:
    assert json.loads(dict(OPTIONS)["grpc.service_config"]) == SERVICE_CONFIG


def test_a_caller_s_channel_arguments_take_the_place_of_ours() -> None:
    """An invalid service config fails every call, as it would if ours were invalid."""
    broken = {"methodConfig": [{"name": [{}], "retryPolicy": {"maxAttempts": 1}}]}
    with open_sync("127.0.0.1:1", None, [("grpc.service_config", json.dumps(broken))]) as channel:
        with pytest.raises(grpc.RpcError) as refused:
            channel.unary_unary("/a/b", bytes, bytes)(b"", timeout=5)
        assert "maxAttempts" in str(refused.value)
