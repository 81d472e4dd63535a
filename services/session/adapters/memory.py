"""Sessions in memory, for tests and for trying things out: they are gone with the process.

Nothing in it waits, so whatever it does is done at once and for everybody.
"""

from collections.abc import Callable, Sequence
from operator import attrgetter

from msgspec.structs import replace

from services.session.adapters.claims import Claims
from services.session.domain.session import Record, Session, State
from services.session.ports import Change, RememberedRequest


class MemoryStore:
    """A SessionStore."""

    def __init__(self) -> None:
        self._sessions: dict[str, Session] = {}
        self._records: dict[str, list[Record]] = {}
        """By session, each at the place of its revision."""
        self._requests: dict[tuple[str, bytes], RememberedRequest] = {}
        self._join_hashes: dict[bytes, str] = {}
        self._claims = Claims()
        self._heard: Callable[[int], None] = lambda _: None
        self._seen: int | None = None

    async def create(
        self,
        session: Session,
        record: Record | None,
        remember: RememberedRequest | None,
        before: Session | None = None,
        committed: Callable[[], None] | None = None,
    ) -> bool:
        """Store a new session, and what the one before has become. False: somebody was faster."""
        if session.id in self._sessions or session.join_hash in self._join_hashes or self._answered(remember):
            return False
        if before:
            if not self._follows(before):
                return False
            self._keep(before, None, None)
        if session.join_hash is not None:
            self._join_hashes[session.join_hash] = session.id
        self._keep(session, record, remember)
        if committed:
            committed()
        return True

    async def save(self, change: Change, committed: Callable[[], None]) -> bool:
        """Make a change, and call `committed`. False: somebody was faster."""
        if not self._follows(change.after) or self._answered(change.remember):
            return False
        self._keep(change.after, change.record, change.remember)
        committed()
        return True

    def _follows(self, after: Session) -> bool:
        """Whether the session is still at the version before this one."""
        stored = self._sessions.get(after.id)
        return stored is not None and stored.version == after.version - 1

    def _answered(self, remember: RememberedRequest | None) -> bool:
        return remember is not None and (remember.scope, remember.request) in self._requests

    def _keep(self, session: Session, record: Record | None, remember: RememberedRequest | None) -> None:
        self._sessions[session.id] = session
        self._claims.drop(session.id)
        self._heard(session.alarm)
        if record:
            self._records.setdefault(session.id, []).append(record)
        if remember:
            self._requests[remember.scope, remember.request] = remember

    async def load(self, session_id: str) -> Session | None:
        """The session with its latest revision."""
        return self._sessions.get(session_id)

    async def recall(self, session_id: str) -> Session | None:
        """The same: nobody else changes it."""
        return self._sessions.get(session_id)

    def outdate(self, session_id: str, version: int) -> None:
        """Nobody else changes it."""

    async def find_join(self, join_hash: bytes) -> Session | None:
        """The session with this join code."""
        return self._sessions.get(self._join_hashes.get(join_hash, ""))

    async def find_request(self, scope: str, request: bytes) -> RememberedRequest | None:
        """The answer that a request has had."""
        return self._requests.get((scope, request))

    async def records(self, session_id: str, after: int, limit: int) -> Sequence[Record]:
        """So many revisions after one, in order."""
        return self._records.get(session_id, [])[after + 1 : after + 1 + limit]

    async def lobbies(self, game: str, before: tuple[int, str] | None, limit: int) -> Sequence[Session]:
        """So many listed sessions that wait for players, newest first, older than (created, id)."""
        found = [
            session
            for session in self._sessions.values()
            if session.state is State.LOBBY and session.listed and game in ("", session.game)
            if before is None or (session.created, session.id) < before
        ]
        return sorted(found, key=attrgetter("created", "id"), reverse=True)[:limit]

    def listen(self, heard: Callable[[int], None]) -> None:
        """Call `heard` with each alarm that is set."""
        self._heard = heard

    async def games(self) -> Sequence[str]:
        """The games that have sessions."""
        return list({session.game for session in self._sessions.values()})

    async def claim_due(self, game: str, now: int, lease: int, limit: int) -> Sequence[Session]:
        """Claim sessions whose alarm has rung."""
        held = self._claims.held(now)
        rung = [session for session in self._sessions.values() if session.game == game and session.alarm <= now]
        due = sorted((session for session in rung if session.id not in held), key=attrgetter("alarm"))[:limit]
        for session in due:
            self._claims.take(session.id, now + lease)
        return due

    async def next_alarm(self, after: int) -> int | None:
        """When the first alarm after this time rings."""
        return min((session.alarm for session in self._sessions.values() if session.alarm > after), default=None)

    async def shared_time(self) -> int | None:
        """None: one server has it alone, and its own clock counts."""
        return None

    async def last_time(self) -> int | None:
        """The latest time that was noted."""
        return self._seen

    async def note_time(self, now: int, standstill: int = 0) -> None:
        """Keep a time, and make the clocks of all sessions later."""
        stood_still = self._seen is None or self._seen <= now - standstill
        self._seen = max(now, self._seen or 0)
        if not stood_still:
            return
        for session_id, session in self._sessions.items():
            head = session.head
            if head and head.deadline is not None:
                head = self._records[session_id][-1] = replace(head, deadline=head.deadline + standstill)
            touched, alarm = session.touched + standstill, session.alarm + standstill
            self._sessions[session_id] = replace(session, head=head, touched=touched, alarm=alarm)

    async def delete(self, session: Session) -> bool:
        """Delete a session with everything it owns. False when it has changed."""
        stored = self._sessions.get(session.id)
        if stored is None or stored.version != session.version:
            return False
        del self._sessions[session.id]
        self._records.pop(session.id, None)
        self._join_hashes.pop(session.join_hash or b"", None)
        for key in [key for key in self._requests if key in (("", session.created_by), (session.id, key[1]))]:
            del self._requests[key]
        return True

    async def ready(self) -> bool:
        """Always."""
        return True
