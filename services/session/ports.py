"""What the session service needs from outside: a store, the rules, a fan-out, a clock."""

from collections.abc import Callable, Collection, Sequence
from collections.abc import Set as AbstractSet
from contextlib import AbstractContextManager
from typing import Protocol

from monsters.rules.v1 import opaque_pb2 as opaque
from msgspec import Struct

from services.session.domain.session import Record, Revision, Session

Viewer = int | None
"""Whose view: a seat's, or a spectator's."""


class RememberedRequest(Struct, frozen=True):
    """A request that has had its answer: what it was, and what the answer can be made from again."""

    scope: str
    """A session's id, or "" for requests that make one. A request id is unique within it."""
    request: bytes
    """The hash of the request id."""
    body: bytes
    """The hash of everything else in the request."""
    session: str
    number: int = 0
    """The revision that a move led to, or the seat that was taken or left."""
    nonce: bytes = b""
    """What the tokens of the answer were derived with."""


class Change(Struct, frozen=True):
    """One transaction: the session after it, a new revision, a seat that was taken, a request to remember."""

    after: Session
    record: Record | None = None
    seat: int | None = None
    remember: RememberedRequest | None = None
    moves_alarm: bool = True
    """Whether the alarm may be another than before. It seldom is, and costs an entry in an index each time."""

    @property
    def move_request(self) -> RememberedRequest | None:
        """The request whose whole answer is the new revision, so that the two are one row. None: there is none."""
        remember, record = self.remember, self.record
        return remember if remember and record and record.revision == remember.number and not remember.nonce else None


class SessionStore(Protocol):
    """Keeps sessions. Every method raises Failure STORE_UNAVAILABLE when it can't.

    Every read sees all writes that have been acknowledged, whoever made them, and all that an earlier read has seen:
    what a request has led to is there for whoever has found the request. One read sees one moment.
    """

    async def create(
        self,
        session: Session,
        record: Record | None,
        remember: RememberedRequest | None,
        before: Session | None = None,
        committed: Callable[[], None] | None = None,
    ) -> bool:
        """Store a new session; and with it what the session `before` has become, which names it as its rematch.

        `committed` is called once it is durable. False when its id, its join code or the request is there already, or
        when the session before is not at the version before its change any more.
        """

    async def save(self, change: Change, committed: Callable[[], None]) -> bool:
        """Make a change durable, all or nothing, and call `committed` once it is: also when the caller has gone.

        False when the session is not at the version before it any more, or the request has had an answer: somebody
        was faster. A cancelled caller does not cut it in half.
        """

    async def load(self, session_id: str) -> Session | None:
        """The session with its latest revision."""

    async def recall(self, session_id: str) -> Session | None:
        """The session as it was last seen here, which others may have changed since; loaded when it was not seen.

        What is accepted by it is proven when it is saved. What is refused by it has to be asked again of `load`.
        """

    def outdate(self, session_id: str, version: int) -> None:
        """Others have brought a session to this version: what was seen of it before is good for nothing any more."""

    async def find_join(self, join_hash: bytes) -> Session | None:
        """The session with this join code."""

    async def find_request(self, scope: str, request: bytes) -> RememberedRequest | None:
        """The answer that a request has had."""

    async def records(self, session_id: str, after: int, limit: int) -> Sequence[Record]:
        """So many revisions after one, in order."""

    async def lobbies(self, game: str, before: tuple[int, str] | None, limit: int) -> Sequence[Session]:
        """So many listed sessions that wait for players, newest first, older than (created, id).

        Those of one game, or of all when it is empty.
        """

    def listen(self, heard: Callable[[int], None]) -> None:
        """Call `heard` with the alarm of each session that is stored or changed through here, once that is durable."""

    async def games(self) -> Sequence[str]:
        """The games that have sessions."""

    async def claim_due(self, game: str, now: int, lease: int, limit: int) -> Sequence[Session]:
        """So many sessions of a game whose alarm has rung and that nobody has claimed, the longest due first.

        They are claimed by it: nobody gets them again before now + lease, or before they have changed. A claim spares
        work and decides nothing; whoever has one changes the session as everybody does, at the version it was loaded.
        """

    async def next_alarm(self, after: int) -> int | None:
        """When the first alarm after this time rings. None when there is none."""

    async def shared_time(self) -> int | None:
        """The time by a clock that all servers of this store share. None: they have none but their own."""

    async def last_time(self) -> int | None:
        """The latest time that was noted. None in a new store."""

    async def note_time(self, now: int, standstill: int = 0) -> None:
        """Keep a time as the last one seen, unless a later one was.

        After a standstill the clocks of all sessions are that much later, in the same transaction: `touched`, `alarm`,
        and the deadline of the latest revision. But not when a time was kept since the standstill began: of several
        who start after it one makes them later.
        """

    async def delete(self, session: Session) -> bool:
        """Delete a session with everything it owns. False when it is not at this version any more."""

    async def ready(self) -> bool:
        """Whether it can be written to."""


class RulesGateway(Protocol):
    """Every game's rules, in the opaque form. Refusals pass through as the Failure that the rules gave.

    `version` is the one of the rules that the session started with. Where several are served, that one answers; else
    the one that is there does, and its answer says which it is.

    Raises Failure GAME_NOT_FOUND, and RULES_UNAVAILABLE when there is no answer.
    """

    @property
    def games(self) -> Collection[str]:
        """The tokens of the games whose rules are served. They stay the same."""

    async def describe(self, game: str) -> opaque.DescribeGameResponse:
        """What the game is, in the version of new sessions."""

    async def start(self, game: str, request: opaque.StartGameRequest) -> opaque.StartGameResponse:
        """A new game, in the version of new sessions."""

    async def apply(self, game: str, version: str, request: opaque.ApplyMoveRequest, /) -> opaque.ApplyMoveResponse:
        """The position after a move."""

    async def view(
        self, game: str, version: str, request: opaque.ViewPositionRequest, /
    ) -> opaque.ViewPositionResponse:
        """What a seat or a spectator may know."""

    async def suggest(
        self, game: str, version: str, request: opaque.SuggestMoveRequest, /
    ) -> opaque.SuggestMoveResponse:
        """A plausible move of a seat whose player is away."""


class News(Struct, frozen=True):
    """A session has changed: a new revision, or its public facts alone."""

    session: Session
    """As it is after the change."""
    revision: Revision | None = None


class Subscription(Protocol):
    """What one stream hears of one session. News may be lost when many come at once: the store is the truth."""

    leaving: bool
    """Whether the server goes away."""
    deleted: bool
    """Whether the session was deleted."""
    viewers: Sequence[Viewer]
    """Whose views its reader wants with each revision. Nobody's, until it is known who reads."""

    def take(self) -> Sequence[News]:
        """What has come since the last time."""

    def wake(self) -> None:
        """End the wait that is on, or the next one."""

    async def wait(self, seconds: float) -> bool:
        """Wait for news. False when none came in so many seconds."""


class Fanout(Protocol):
    """Tells streams that a session has changed, once that is durable."""

    def subscribe(self, session_id: str) -> AbstractContextManager[Subscription]:
        """Hear of a session, until the context is left. Whoever loads it afterwards misses nothing."""

    def viewers(self, session_id: str) -> AbstractSet[Viewer]:
        """Whose views are worth making with the next revision."""

    def publish(self, session_id: str, news: News) -> None:
        """Tell everybody who listens."""

    def publish_deletion(self, session_id: str, version: int) -> None:
        """Tell everybody who listens that a session was deleted, which counts as this version of it."""


class Hints(Protocol):
    """Tells other replicas that sessions have changed, and hears the same from them.

    Best effort: a hint may be late, lost or told twice, and the store is the truth. Nobody waits for one.
    """

    def tell(self, session_id: str, version: int) -> None:
        """Let the others hear soon that a session is at this version. Of several hints of a session the latest is told.

        The deletion of a session counts as one more version of it.

        Returns at once, and never fails.
        """

    def listen(self, heard: Callable[[str, int], None], missed: Callable[[], None]) -> None:
        """Call `heard` with the session and the version of each hint that comes, one's own perhaps among them.

        `missed` is called when hints may have been lost, such as after a connection that was away.
        """


class Ports(Struct, frozen=True):
    """All of them."""

    store: SessionStore
    rules: RulesGateway
    fanout: Fanout
    now: Callable[[], int]
    """The service's time in microseconds since 1970, which never goes back and never jumps."""
