"""How things stand at many seats, of as many sessions: what each of them would be told alone."""

import asyncio
from collections.abc import Sequence

from msgspec import Struct

from services.runtime.failure import Failure
from services.session.domain import failures
from services.session.domain.callers import Caller
from services.session.domain.session import Session
from services.session.ports import Ports
from services.session.usecases.access import Access


class SeatKey(Struct, frozen=True):
    """A session, and the token of somebody who asks about it."""

    session_id: str
    token: str | None
    """None: a spectator."""


class SeatStanding(Struct, frozen=True):
    """A session as it is now, and who the token says that the caller is."""

    session: Session
    caller: Caller


class Standings:
    """Looks at many sessions at once."""

    def __init__(self, ports: Ports, access: Access) -> None:
        self._ports = ports
        self._access = access

    async def of(self, keys: Sequence[SeatKey]) -> Sequence[SeatStanding | Failure]:
        """One for each key, in their order: SESSION_NOT_FOUND or BAD_TOKEN is one key's alone.

        Each session is loaded once, and all of them together. Raises Failure STORE_UNAVAILABLE.
        """
        ids = list(dict.fromkeys(key.session_id for key in keys))
        sessions = dict(zip(ids, await asyncio.gather(*map(self._ports.store.load, ids)), strict=True))
        return [self._of(key, sessions[key.session_id]) for key in keys]

    def _of(self, key: SeatKey, session: Session | None) -> SeatStanding | Failure:
        if session is None:
            return failures.session_not_found(f"sessions/{key.session_id}")
        try:
            return SeatStanding(session, self._access.reader(session, key.token, None))
        except Failure as failure:
            return failure
