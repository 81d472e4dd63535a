"""Page tokens come back as they were, and nothing else is one."""

from base64 import urlsafe_b64encode
from collections.abc import Callable
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.runtime.failure import Failure
from services.session.domain.secrets import CODE_ALPHABET
from services.session.wire.pages import read_lobby, read_revision, read_size, write_token

NONSENSE = ("x", "é", "====", "\x00", "bnVsbA==", "[1]", "W10=", "WzEsMl0=", "e30=", "\U0001f47e" * 1000)
READERS: tuple[Callable[[str], object], ...] = (read_revision, read_lobby)


def refused(call: Callable[[], object]) -> str:
    """The one field that is wrong."""
    with pytest.raises(Failure) as caught:
        call()
    (flaw,) = caught.value.flaws
    return flaw.field


@given(st.integers(0, 2**63 - 1))
def test_a_revision_comes_back(revision: int) -> None:
    assert read_revision(write_token(revision)) == revision


@given(st.integers(0, 2**63 - 1), st.text(CODE_ALPHABET, min_size=1))
def test_a_lobby_comes_back(created: int, session_id: str) -> None:
    assert read_lobby(write_token(created, session_id)) == (created, session_id)


def test_the_first_page_has_no_token() -> None:
    assert read_revision("") == -1
    assert read_lobby("") is None


@pytest.mark.parametrize("read", READERS)
@pytest.mark.parametrize("token", NONSENSE)
def test_nonsense_is_refused(read: Callable[[str], object], token: str) -> None:
    assert refused(lambda: read(token)) == "page_token"


@given(st.text())
def test_any_text_is_a_token_or_refused(token: str) -> None:
    for read in READERS:
        with suppress(Failure):
            read(token)


@given(st.binary(max_size=40) | st.sampled_from([b"[" * 100_000, b"[" + b"9" * 5000 + b"]", b'[1, "\\ud800"]']))
def test_any_bytes_in_a_token_are_a_key_or_refused(raw: bytes) -> None:
    token = urlsafe_b64encode(raw).decode()
    for read in READERS:
        with suppress(Failure):
            read(token)


@pytest.mark.parametrize("key", [(-1,), (2**63,), ("a",), (1.5,), (1, 2), (-1, "a"), (2**63, "a"), (1, ""), (1, "a/b")])
def test_a_key_that_nothing_has_is_refused(key: tuple[int, ...]) -> None:
    for read in READERS:
        assert refused(lambda: read(write_token(*key))) == "page_token"  # noqa: B023  called here


def test_one_kind_of_page_is_not_the_other() -> None:
    assert refused(lambda: read_revision(write_token(1, "a"))) == "page_token"
    assert refused(lambda: read_lobby(write_token(1))) == "page_token"


def test_a_page_has_a_size() -> None:
    assert [read_size(size, 20, 100) for size in (0, 1, 100)] == [20, 1, 100]
    for absurd in (-1, 101, 2**31 - 1, -(2**31)):
        assert refused(lambda: read_size(absurd, 20, 100)) == "page_size"  # noqa: B023  called here
