"""What `connect` takes, and what it refuses before anything is opened."""

from collections.abc import Callable
from typing import Any

import pytest

import lair
from lair._proxies import proxy_of
from lair._targets import read_target

BOTH = pytest.mark.parametrize("connect", [lair.connect, lair.aconnect])


@BOTH
@pytest.mark.parametrize(
    ("target", "sentence"),
    [
        ("", """target: must be "host:port", is ''"""),
        ("http://127.0.0.1:50051", "target: must be \"host:port\" without 'http://', is 'http://127.0.0.1:50051'"),
        ("https://lair.example", "target: must be \"host:port\" without 'https://', is 'https://lair.example'"),
        ("lair.example", "target: must be \"host:port\", and 'lair.example' has no port"),
        ("127.0.0.1:99999", "port from 1 to 65535"),
        ("127.0.0.1:0", "port from 1 to 65535"),
        ("127.0.0.1:", "port from 1 to 65535"),
        ("127.0.0.1:http", "port from 1 to 65535"),
        ("::1:50051", "an IPv6 host in []"),
        ("ann@lair.example:50051", "must be"),
        ("lair.example:50051/path", "must be"),
        (" lair.example:50051", "must be"),
        ("lair\n.example:50051", "must be"),
        ("\ud800:1", "must be"),
        (None, "target: must be a text"),
        (50051, "target: must be a text"),
        (b"127.0.0.1:50051", "target: must be a text"),
    ],
)
def test_what_is_no_target_is_refused_in_a_sentence(connect: Callable[..., Any], target: Any, sentence: str) -> None:
    with pytest.raises(lair.InvalidRequest) as refused:
        connect(target)
    assert sentence in str(refused.value)
    assert "\n" not in str(refused.value)
    assert [violation.field for violation in refused.value.violations] == ["target"]


@pytest.mark.parametrize(
    ("target", "host", "port"),
    [
        ("localhost:50051", "localhost", 50051),
        ("127.0.0.1:1", "127.0.0.1", 1),
        ("[::1]:65535", "::1", 65535),
        ("lair_1.svc.cluster.local:50051", "lair_1.svc.cluster.local", 50051),
        ("dns:///lair.example:50051", "lair.example", 50051),
        ("dns:lair.example:50051", "lair.example", 50051),
        ("unix:/run/lair.sock", "", 0),
        ("ipv4:127.0.0.1:1,127.0.0.1:2", "", 0),
    ],
)
def test_targets_are_read(target: str, host: str, port: int) -> None:
    found = read_target(target)
    assert (found.text, found.host, found.port) == (target, host, port)


@BOTH
@pytest.mark.parametrize("name", ["timeout", "silence"])
@pytest.mark.parametrize("seconds", [0, -1, float("inf"), float("nan"), "10", None, True])
def test_absurd_times_are_refused(connect: Callable[..., Any], name: str, seconds: Any) -> None:
    with pytest.raises(lair.InvalidRequest, match=f"{name}: must be a positive number of seconds"):
        connect("localhost:50051", **{name: seconds})


@BOTH
@pytest.mark.parametrize(
    ("name", "value"),
    [("credentials", "secret"), ("options", {"a": 1}), ("options", "a"), ("options", [("a",)]), ("options", 5)],
)
def test_other_settings_of_a_wrong_type_are_refused(connect: Callable[..., Any], name: str, value: Any) -> None:
    with pytest.raises(lair.InvalidRequest, match=f"{name}: must be") as refused:
        connect("localhost:50051", **{name: value})
    assert "secret" not in str(refused.value)


@pytest.mark.parametrize("loopback", ["localhost:1", "LOCALHOST:1", "a.localhost:1", "127.9.9.9:1", "[::1]:1"])
def test_no_proxy_stands_on_the_way_to_this_machine(loopback: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("grpc_proxy", "http://proxy.example:3128")
    assert read_target(loopback).loopback
    assert proxy_of(read_target(loopback)) == ""
    assert not read_target("10.0.0.1:1").loopback


@pytest.mark.parametrize(
    ("variables", "named"),
    [
        ({"http_proxy": "http://proxy.example:3128"}, "proxy.example:3128 (from http_proxy)"),
        ({"http_proxy": "http://a", "https_proxy": "http://b", "grpc_proxy": "http://c"}, "c:80 (from grpc_proxy)"),
        ({"https_proxy": "http://ann:secret@proxy.example:3128"}, "proxy.example:3128 (from https_proxy)"),
        ({"http_proxy": "http://proxy", "no_proxy": "other, .example"}, ""),
        ({"http_proxy": "http://proxy", "no_proxy": "other"}, "proxy:80 (from http_proxy)"),
        ({"http_proxy": "socks5://proxy:1"}, ""),
        ({"HTTP_PROXY": "http://proxy:1"}, ""),
        ({"http_proxy": "http://proxy:nonsense"}, ""),
        ({}, ""),
    ],
)
def test_a_proxy_is_named_as_grpc_takes_it(
    variables: dict[str, str], named: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for variable in ("grpc_proxy", "https_proxy", "http_proxy", "no_grpc_proxy", "no_proxy"):
        monkeypatch.delenv(variable, raising=False)
    for variable, value in variables.items():
        monkeypatch.setenv(variable, value)
    assert proxy_of(read_target("lair.example:50051")) == named


def test_networks_are_excepted_from_proxies(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("grpc_proxy", "http://proxy:1")
    monkeypatch.setenv("no_grpc_proxy", "10.0.0.0/8")
    assert proxy_of(read_target("10.1.2.3:1")) == ""
    assert proxy_of(read_target("11.1.2.3:1")) == "proxy:1 (from grpc_proxy)"
