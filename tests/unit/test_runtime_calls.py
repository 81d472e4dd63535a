"""Who is let in, and whose token it is."""

from typing import Any

import pytest

from services.runtime.calls import Call, Gate
from services.runtime.failure import Failure


def test_a_gate_lets_in_as_many_as_it_may() -> None:
    gate = Gate(2)
    with gate, gate:
        with pytest.raises(Failure) as caught, gate:
            pytest.fail("the third one is in")
        assert caught.value.reason == "RATE_LIMITED"
        assert caught.value.retry_after
        assert gate.under_way == 2
    assert gate.under_way == 0


def test_whoever_fails_leaves_room() -> None:
    gate = Gate(1)
    for _ in range(3):
        with pytest.raises(KeyError), gate:
            raise KeyError
    assert gate.under_way == 0


class Metadata:
    """The one thing of a gRPC context that a token is read from."""

    def __init__(self, *pairs: tuple[str, Any]) -> None:
        self.pairs = pairs

    def invocation_metadata(self) -> tuple[tuple[str, Any], ...] | None:
        return self.pairs or None


def token(*pairs: tuple[str, Any]) -> str | None:
    return Call(Metadata(*pairs)).token  # type: ignore[arg-type]  # the part that is used


@pytest.mark.parametrize(
    ("header", "read"),
    [
        ("Bearer abc", "abc"),
        ("bearer abc", "abc"),
        ("BEARER   abc  ", "abc"),
        ("Bearer ", ""),
        ("Basic abc", None),
        ("abc", None),
        ("", None),
        (b"Bearer abc", None),
    ],
)
def test_a_token_is_a_bearers(header: str | bytes, read: str | None) -> None:
    assert token(("user-agent", "x"), ("authorization", header)) == read


def test_without_metadata_there_is_no_token() -> None:
    assert token() is None
    assert token(("authentication", "Bearer abc")) is None
