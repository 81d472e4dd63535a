"""Tokens, join codes and seeds are derived as they are described. The vectors were made with another program:

printf '<request id><label>' | openssl dgst -sha256 -mac HMAC -macopt hexkey:<nonce>
"""

import hmac
from base64 import urlsafe_b64decode
from hashlib import sha256

import pytest

from services.session.domain.callers import HOST, SPECTATOR, Caller, identify
from services.session.domain.secrets import (
    CODE_ALPHABET,
    Keys,
    commitment_of,
    hash_of,
    hash_of_code,
    new_secret,
    new_session_id,
    opens,
    seed_of,
)
from services.session.domain.session import Seat, Session, State

SECRET = bytes(range(32))
REQUEST_ID = b"9b2e4c1a-0000-4000-8000-000000000001"
KEYS = Keys(SECRET, REQUEST_ID)
NAME = "sessions/7f3k9mqa7f3k"


def test_a_token_is_the_hmac_of_its_request_and_its_label() -> None:
    assert KEYS.token("seat 0") == "a5b62lajrh4JvF4wrDgU9qsSiYRMtjryy7m_jgjDkB8"
    assert KEYS.token("host") == "tDHmMXOVV_hRAMrqdm1P4FMieBtbjsXJV9tqV0adVJ4"
    assert len(urlsafe_b64decode(f"{KEYS.token('host')}=")) == 32


def test_a_join_code_is_spelled_from_the_same() -> None:
    derived = bytes.fromhex("2865f4fea28b318d6500341686fc5904ed96561641947d5339eae2784d660b22")
    spelled = "".join("0123456789abcdefghjkmnpqrstvwxyz"[byte % 32] for byte in derived[:8])
    assert KEYS.join_code() == f"{spelled[:4]}-{spelled[4:]}"


def test_another_request_or_nonce_has_other_keys() -> None:
    others = (Keys(SECRET, b"another"), Keys(bytes(32), REQUEST_ID))
    for label in ("host", "seat 0", "seat 1"):
        assert len({keys.token(label) for keys in (KEYS, *others)}) == 3
    assert len({KEYS.token(label) for label in ("host", "seat 0", "seat 1")}) == 3


def test_a_seed_is_the_hmac_of_the_name_the_revision_and_the_entropies() -> None:
    assert seed_of(SECRET, NAME, 0x0102, (b"dice of Ben", b"dice of Cleo"), 1).hex() == (
        "0cbc8ec71640a6deaf8f44c4e114bdec83a435ffcaa3db98eea8c39e01379ac1"
    )
    assert seed_of(SECRET, NAME, 0, (b"", b""), 1).hex() == (
        "e51460874fb0abf5a931472166507ae4865fad8e3e2fa5ca2b5f8ffd66ddfecd"
    )


@pytest.mark.parametrize("changed", [(bytes(32), NAME, 1), (SECRET, "sessions/other", 1), (SECRET, NAME, 2)])
def test_every_part_of_a_seed_matters(changed: tuple[bytes, str, int]) -> None:
    first = seed_of(SECRET, NAME, 1, (b"a", b"b"))
    assert first != seed_of(*changed, (b"a", b"b"))
    assert first != seed_of(SECRET, NAME, 1, (b"a", b"c"))


def test_a_commitment_is_the_hash_of_the_server_seed() -> None:
    assert commitment_of(SECRET).hex() == "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd"


def test_a_code_is_hashed_without_what_does_not_matter() -> None:
    plain = bytes.fromhex("9e59916ef73c771b852449505bba741fa1a8544c87c46cc25340b160a8467cad")
    for spelling in ("7f3k9mqa", "7F3K-9MQA", " 7f3k - 9mqa\n", "7f3k9mq-a"):
        assert hash_of_code(spelling) == plain
    assert hash_of_code("oil0") == hash_of_code("0110")
    assert hash_of_code("7f3k9mqb") != plain


def test_secrets_are_new_each_time() -> None:
    assert len({new_secret() for _ in range(100)}) == 100
    assert {len(new_secret()) for _ in range(10)} == {32}
    ids = {new_session_id() for _ in range(100)}
    assert len(ids) == 100
    assert all(len(name) == 12 and set(name) <= set(CODE_ALPHABET) for name in ids)


def test_only_its_own_token_opens_a_hash() -> None:
    assert opens(hash_of("token"), hash_of("token"))
    assert hash_of("token") == hash_of(b"token") == sha256(b"token").digest()
    for wrong in ("", "Token", "token ", "é"):
        assert not opens(hash_of(wrong), hash_of("token"))
    assert not opens(hash_of(""), None), "nobody has the token of a free seat"


def test_a_token_says_who_calls() -> None:
    session = Session(
        id="a",
        version=0,
        game="cabbages",
        state=State.LOBBY,
        seats=(Seat("Ann", 1, hash_of("ann")), Seat("", 1), Seat("Cleo", 1, hash_of("cleo"))),
        options=b"",
        rules_version="",
        server_seed=SECRET,
        host_hash=hash_of("host"),
        join_hash=None,
        created=0,
        updated=0,
    )
    known = {None: SPECTATOR, "host": HOST, "ann": Caller(seat=0), "cleo": Caller(seat=2)}
    assert {token: identify(session, token) for token in known} == known
    for stranger in ("", "Ann", hash_of("ann").hex()):
        assert identify(session, stranger) is None


def test_hmac_is_the_one_of_rfc_2104() -> None:
    """Written out, so that the vectors do not rest on one library."""
    key = SECRET.ljust(64, b"\0")
    inner = sha256(bytes(byte ^ 0x36 for byte in key) + REQUEST_ID + b"host").digest()
    assert sha256(bytes(byte ^ 0x5C for byte in key) + inner).digest() == hmac.digest(
        SECRET, REQUEST_ID + b"host", "sha256"
    )


@pytest.mark.parametrize("length", [0, 1, 32, 63, 64, 65, 200])
def test_a_seed_is_the_hmac_that_the_library_makes(length: int) -> None:
    """Whether its halves were kept from the last time or not."""
    key, entropies = bytes(range(length)), (b"salt", b"")
    joined = sha256(b"".join(len(each).to_bytes(8, "big") + each for each in entropies)).digest()
    for revision in (0, 1, 1, 2**40):
        message = NAME.encode() + revision.to_bytes(8, "big") + joined
        assert seed_of(key, NAME, revision, entropies) == hmac.digest(key, message, "sha256")
