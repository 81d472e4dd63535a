"""Whose token it is, and what the log says of a call."""

from typing import Any

import pytest
import structlog

from services.runtime import calls
from services.runtime.admission import Admission
from services.runtime.calls import Call


class Metadata:
    """The two things of a gRPC context that tell who calls."""

    def __init__(self, *pairs: tuple[str, Any]) -> None:
        self.pairs = pairs

    def invocation_metadata(self) -> tuple[tuple[str, Any], ...] | None:
        return self.pairs or None

    def peer(self) -> str:
        return "ipv4:127.0.0.1:4321"


def token(*pairs: tuple[str, Any]) -> str | None:
    return Call(Metadata(*pairs), Admission.up_to(1)).token  # type: ignore[arg-type]  # the part that is used


@pytest.mark.parametrize(
    ("header", "read"),
    [
        ("Bearer abc", "abc"),
        ("bearer abc", "abc"),
        ("BEARER   abc  ", "abc"),
        ("Bearer ", ""),
        ("Basic abc", ""),
        ("abc", ""),
        ("", ""),
        (b"Bearer abc", ""),
    ],
)
def test_a_token_is_a_bearers_and_any_other_authorization_opens_nothing(header: str | bytes, read: str) -> None:
    assert token(("user-agent", "x"), ("authorization", header)) == read


def test_without_metadata_there_is_no_token() -> None:
    assert token() is None
    assert token(("authentication", "Bearer abc")) is None


def test_a_quiet_call_is_told_at_debug_unless_it_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    heard = structlog.testing.CapturingLogger()
    monkeypatch.setattr(calls, "log", heard)
    call = Call(Metadata(), Admission.up_to(1))  # type: ignore[arg-type]  # the part that is used
    calls._tell("/quiet", call, 0.0, "OK")
    call.quiet = True
    calls._tell("/quiet", call, 0.0, "OK")
    calls._tell("/quiet", call, 0.0, "PERMISSION_DENIED", "REPLICAS_ONLY")
    assert [each.method_name for each in heard.calls] == ["info", "debug", "info"]
