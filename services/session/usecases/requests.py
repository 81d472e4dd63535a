"""Requests that may be sent again: what is kept of one, and what it means to be the same."""

import os

from msgspec import Struct
from msgspec.structs import replace

from services.session.domain import failures
from services.session.domain.secrets import Keys, hash_of
from services.session.ports import RememberedRequest

REQUEST_ID_BYTES = 16


class IdempotentRequest(Struct, frozen=True):
    """A request that may be sent again: the hash of its body, and its id when the caller gave one."""

    body: bytes
    request_id: str = ""

    @property
    def request(self) -> bytes:
        """What the store keeps of the id."""
        return hash_of(self.request_id)

    def by(self, token: str | None) -> "IdempotentRequest":
        """The request as this caller's: from somebody with another token it is another request."""
        return replace(self, body=hash_of(self.body + hash_of(token or "")))

    def keys(self, nonce: bytes) -> Keys:
        """What the answer's tokens are derived with. Without an id from the caller, nobody can ask again."""
        return Keys(nonce, self.request_id.encode() if self.request_id else os.urandom(REQUEST_ID_BYTES))

    def remembered(self, scope: str, session_id: str, number: int = 0, nonce: bytes = b"") -> RememberedRequest | None:
        """What the store keeps of the request with its answer; None without an id."""
        return RememberedRequest(scope, self.request, self.body, session_id, number, nonce) if self.request_id else None

    def check_same(self, seen: RememberedRequest) -> None:
        """Raise Failure REQUEST_ID_REUSED when the request that was seen with this id was another one."""
        if seen.body != self.body:
            raise failures.request_id_reused(self.request_id)
