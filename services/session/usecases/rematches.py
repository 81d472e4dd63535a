"""Playing again: a session that has ended has one rematch at most, and its players find it by the session before.

The session before names its rematch, and remembers what the answer was derived with; both become durable with the new
session, in one transaction. The answer is derived from the host's token: asking again, with whatever, hears the same.
"""

from functools import partial

from services.session.domain import failures
from services.session.domain.secrets import Keys, hash_of, new_secret
from services.session.domain.session import Seat, Session
from services.session.ports import News, Ports, RememberedRequest
from services.session.usecases.access import Access
from services.session.usecases.lobby import Created, Joined, Lobby, Plan, created
from services.session.usecases.requests import IdempotentRequest

REMATCH = hash_of("rematch")
"""Stands where the hash of a request id would. No request id has it: they are UUIDs."""


class Rematches:
    """Opens rematches, and seats in them who sat in the session before."""

    def __init__(self, ports: Ports, access: Access, lobby: Lobby) -> None:
        self._ports = ports
        self._access = access
        self._lobby = lobby

    async def create(self, session_id: str, token: str | None) -> Created:
        """The rematch of a session: made now, or before.

        It waits for its players, unless all are bots; a share in the seeds is worth something only when it comes after
        the commitment.
        Raises Failure HOST_ONLY, BAD_TOKEN, SESSION_NOT_OVER.
        """
        while True:
            before = await self._access.load(session_id)
            self._access.host(before, token)
            if not before.state.ended:
                raise failures.session_not_over(before.name)
            if seen := await self._ports.store.find_request(before.id, REMATCH):
                return created(await self._access.load(seen.session), _keys(seen.nonce, token))
            keys = _keys(nonce := new_secret(), token)
            session = await self._lobby.open(_plan(before), keys)  # rules that have changed may refuse its options
            after = before.changed(before.after(self._ports.now()), rematch=session.id)
            tell = partial(self._ports.fanout.publish, before.id, News(after))
            remember = RememberedRequest(before.id, REMATCH, b"", session.id, 0, nonce)
            if await self._ports.store.create(session, session.head, remember, after, tell):
                return created(session, keys)

    async def join(self, session_id: str, token: str | None, entropy: bytes, asked: IdempotentRequest) -> Joined:
        """Take the seat again that this token had in the session before.

        Raises Failure BAD_TOKEN for whoever had none, REMATCH_NOT_FOUND, and what `Lobby.take` raises.
        """
        before = await self._access.load(session_id)
        number = self._access.player(before, token, None).seat
        if number is None:
            raise failures.bad_token()

        async def find() -> Session:
            rematch = (await self._access.load(session_id)).rematch
            if not rematch:
                raise failures.rematch_not_found(before.name)
            return await self._access.load(rematch)

        return await self._lobby.take(find, "", number, entropy, asked.by(token))


def _keys(nonce: bytes, token: str | None) -> Keys:
    """The host's token stands where other requests have their id: it is the half that the store does not have."""
    return Keys(nonce, (token or "").encode())


def _plan(before: Session) -> Plan:
    """The same again. A seat that was left is nobody's, and a bot stays."""
    seats = tuple(Seat("" if seat.left else seat.name, seat.kind) for seat in before.seats)
    return Plan(before.game, seats, before.options, before.limits, all_tokens=False)
