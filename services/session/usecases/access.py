"""Getting at sessions: the first checks of every call, in their order."""

from services.session.domain import failures
from services.session.domain.callers import Caller, identify
from services.session.domain.session import Record, Session, State
from services.session.ports import Ports


class Access:
    """Loads sessions and revisions, and tells callers from one another."""

    def __init__(self, ports: Ports) -> None:
        self._ports = ports

    async def load(self, session_id: str) -> Session:
        """The session. Raises Failure SESSION_NOT_FOUND."""
        return _found(session_id, await self._ports.store.load(session_id))

    async def recall(self, session_id: str) -> Session:
        """The session as it was last seen here. Raises Failure SESSION_NOT_FOUND."""
        return _found(session_id, await self._ports.store.recall(session_id))

    async def record(self, session: Session, revision: int) -> Record:
        """One revision. Raises Failure REVISION_NOT_FOUND."""
        if session.head is not None and session.head.revision == revision:
            return session.head
        records = await self._ports.store.records(session.id, revision - 1, 1) if revision >= 0 else ()
        if not records or records[0].revision != revision:
            raise failures.revision_not_found(revision)
        return records[0]

    def reader(self, session: Session, token: str | None, seat: int | None) -> Caller:
        """Who reads. Raises Failure BAD_TOKEN; NOT_YOUR_SEAT when the caller claims another seat."""
        caller = identify(session, token)
        if caller is None:
            raise failures.bad_token()
        if seat is not None and seat != caller.seat:
            raise failures.not_your_seat(seat)
        return caller

    def player(self, session: Session, token: str | None, seat: int | None) -> Caller:
        """Who plays: a seat, or the host. Raises Failure also when there is no token."""
        caller = self.reader(session, token, None)
        if caller.spectator:
            raise failures.bad_token()
        if seat is not None and seat != caller.seat:
            raise failures.not_your_seat(seat)
        return caller

    def host(self, session: Session, token: str | None) -> Caller:
        """The host. Raises Failure HOST_ONLY for a seat, BAD_TOKEN for anybody else."""
        caller = self.player(session, token, None)
        if not caller.host:
            raise failures.host_only()
        return caller


def _found(session_id: str, session: Session | None) -> Session:
    if session is None:
        raise failures.session_not_found(f"sessions/{session_id}")
    return session


def check_goes_on(session: Session) -> None:
    """Raise Failure SESSION_ABORTED or GAME_OVER when nothing more can happen in a session."""
    if session.state is State.ABORTED:
        raise failures.session_aborted(session.name)
    if session.state is State.OVER:
        raise failures.game_over(session.name)
