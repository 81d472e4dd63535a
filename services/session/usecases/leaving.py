"""Leaving and aborting: how players and hosts give up."""

from functools import partial

from msgspec.structs import replace

from services.session.domain import failures
from services.session.domain.callers import identify
from services.session.domain.secrets import hash_of, new_secret
from services.session.domain.session import Seat, Session, State
from services.session.ports import Change, News, Ports
from services.session.usecases.access import Access, check_goes_on
from services.session.usecases.requests import IdempotentRequest


class Leaving:
    """Gives seats and sessions up."""

    def __init__(self, ports: Ports, access: Access) -> None:
        self._ports = ports
        self._access = access

    async def leave(self, session_id: str, token: str | None, asked: IdempotentRequest) -> Session:
        """Give a seat up: in a lobby it is free again, in a game a stand-in plays it. Its token opens nothing more.

        The token of a seat that was left still has the answer to the request that left it, and to no other. Raises
        Failure BAD_TOKEN for anybody who has no seat, REQUEST_ID_REUSED, GAME_OVER, SESSION_ABORTED.
        """
        asked = asked.by(token)
        while True:
            session = await self._access.load(session_id)
            caller = identify(session, token)
            number = caller.seat if caller else None
            seen = await self._ports.store.find_request(session.id, asked.request) if asked.request_id else None
            if number is None:
                if seen and seen.body == asked.body:
                    return session
                raise failures.bad_token()
            if seen:
                asked.check_same(seen)
            check_goes_on(session)
            seat = session.seats[number]
            given_up = (
                Seat("", seat.kind)
                if session.state is State.LOBBY
                else replace(seat, token_hash=hash_of(new_secret()), left=True)
            )
            now = session.after(self._ports.now())
            seats = (*session.seats[:number], given_up, *session.seats[number + 1 :])
            after = session.changed(now, seats=seats, touched=now)
            if await self._save(Change(after, seat=number, remember=asked.remembered(session.id, session.id, number))):
                return after

    async def abort(self, session_id: str, token: str | None) -> Session:
        """End a session without a result. Aborting again changes nothing. Raises Failure HOST_ONLY, GAME_OVER."""
        while True:
            session = await self._access.load(session_id)
            self._access.host(session, token)
            if session.state is State.ABORTED:
                return session
            check_goes_on(session)
            if after := await self.end(session):
                return after

    async def end(self, session: Session) -> Session | None:
        """End a session that is at this version, or give None when somebody was faster."""
        now = session.after(self._ports.now())
        after = session.changed(now, state=State.ABORTED, touched=now)
        return after if await self._save(Change(after)) else None

    async def _save(self, change: Change) -> bool:
        tell = partial(self._ports.fanout.publish, change.after.id, News(change.after))
        return await self._ports.store.save(change, tell)
