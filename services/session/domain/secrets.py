"""Tokens, join codes and seeds: what is derived from what, and what of it is stored.

A token is HMAC-SHA256(nonce, request id || label). The store keeps the nonce, the hash of the request id and the hash
of the token: enough to give a retried request its first answer, and not enough for a thief of the store to play.
"""

import hmac
import os
import re
from base64 import urlsafe_b64encode
from collections.abc import Sequence
from functools import lru_cache
from hashlib import sha256
from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:  # hashlib has it by this name in the stubs alone
    from _hashlib import HASH

SECRET_BYTES = 32
CODE_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
"""Crockford's base 32: no letter that looks like a digit."""
CODE_LENGTH = 8
ID_LENGTH = 12
CHANCE_VERSION = 2
"""How the seeds of a session are derived that is made now: a version of docs/chance.md."""
LENGTH_BYTES = 8
MOST_KEYED = 4096
"""Sessions whose next seed needs nothing to be hashed but its revision."""
BLOCK_BYTES = 64
"""Of SHA-256."""
INNER, OUTER = (bytes(byte ^ pad for byte in range(256)) for pad in (0x36, 0x5C))
"""What HMAC does to each byte of the key."""


class Keys(Struct, frozen=True):
    """Derives the tokens of one request."""

    nonce: bytes
    request_id: bytes

    def token(self, label: str) -> str:
        """A token of 256 bits, for a host or a seat."""
        return urlsafe_b64encode(self._derive(label)).decode().rstrip("=")

    def join_code(self) -> str:
        """A code that people can read to each other, such as 7f3k-9mqa."""
        code = _spell(self._derive("join"), CODE_LENGTH)
        return f"{code[:4]}-{code[4:]}"

    def _derive(self, label: str) -> bytes:
        return hmac.digest(self.nonce, self.request_id + label.encode(), "sha256")


def new_secret() -> bytes:
    """32 bytes from the operating system."""
    return os.urandom(SECRET_BYTES)


def new_session_id() -> str:
    """60 random bits: nobody guesses a session."""
    return _spell(new_secret(), ID_LENGTH)


def _spell(secret: bytes, length: int) -> str:
    return "".join(CODE_ALPHABET[byte % len(CODE_ALPHABET)] for byte in secret[:length])


def hash_of(secret: str | bytes) -> bytes:
    """What the store keeps of a secret that has enough bits of its own."""
    return sha256(secret.encode() if isinstance(secret, str) else secret).digest()


def hash_of_code(code: str) -> bytes:
    """What the store keeps of a join code. Case, dashes and spaces don't matter; o, i and l are read as digits."""
    plain = re.sub(r"[\s-]", "", code.lower()).translate(str.maketrans("oil", "011"))
    return hash_of(plain)


def opens(hashed: bytes, stored: bytes | None) -> bool:
    """Whether the hash of a token is the one that is stored, in constant time."""
    return hmac.compare_digest(hashed, stored or b"")


def commitment_of(server_seed: bytes) -> bytes:
    """What is published before anything is drawn."""
    return sha256(server_seed).digest()


def seed_of(
    server_seed: bytes, name: str, revision: int, entropies: Sequence[bytes], version: int = CHANCE_VERSION
) -> bytes:
    """The seed of one revision.

    HMAC-SHA256(server seed, name || revision as 8 bytes, big-endian || SHA-256(the entropies by seat)). From version 2
    on each entropy has its length before it, as 8 bytes, big-endian: else a seat could bring what another one's ends
    with, and nobody could tell whose it was.
    """
    inner, outer = _keyed(server_seed)
    inner, outer = inner.copy(), outer.copy()
    inner.update(name.encode() + revision.to_bytes(8, "big") + _joined(tuple(entropies), version))
    outer.update(inner.digest())
    return outer.digest()


@lru_cache(MOST_KEYED)
def _keyed(key: bytes) -> "tuple[HASH, HASH]":
    """HMAC's two hashes as they are once they have read the key (RFC 2104). `hmac` begins with it each time."""
    key = (sha256(key).digest() if len(key) > BLOCK_BYTES else key).ljust(BLOCK_BYTES, b"\0")
    return sha256(key.translate(INNER)), sha256(key.translate(OUTER))


@lru_cache(MOST_KEYED)
def _joined(entropies: tuple[bytes, ...], version: int) -> bytes:
    """The hash of all entropies. They stay as they are once the game has begun."""
    return sha256(b"".join(entropies if version == 1 else map(_with_length, entropies))).digest()


def _with_length(entropy: bytes) -> bytes:
    return len(entropy).to_bytes(LENGTH_BYTES, "big") + entropy
