"""The sessions that were seen last. They may have changed since: what is made of one is proven when it is saved."""

from services.session.domain.session import Session

MOST = 10_000
"""Sessions that go on."""


class Remembered:
    """Sessions by their ids, each as it was last seen. What has ended is not kept."""

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._sessions: dict[str, Session] = {}
        """The ones that were seen last are at the end."""

    def get(self, session_id: str) -> Session | None:
        """A session as it was last seen."""
        return self._sessions.get(session_id)

    def keep(self, session: Session) -> None:
        """Keep what was seen, unless something newer was. After a standstill only `touched` tells."""
        kept = self._sessions.get(session.id)
        if kept and (kept.version, kept.touched) > (session.version, session.touched):
            return
        self._sessions.pop(session.id, None)
        if session.state.ended:
            return
        if len(self._sessions) >= self._most:
            del self._sessions[next(iter(self._sessions))]
        self._sessions[session.id] = session

    def forget(self, session_id: str) -> None:
        """It is gone."""
        self._sessions.pop(session_id, None)

    def clear(self) -> None:
        """All of them have changed."""
        self._sessions.clear()
