"""Views, history, lobbies, and what is revealed after the end."""

import asyncio
from collections.abc import Sequence
from functools import partial

from monsters.rules.v1 import opaque_pb2 as opaque
from monsters.rules.v1 import rules_pb2 as words
from msgspec import Struct

from services.runtime.failure import Failure
from services.runtime.single_flight import SingleFlight
from services.session.domain import failures
from services.session.domain.callers import Caller
from services.session.domain.session import Record, Session
from services.session.ports import Ports, Viewer
from services.session.usecases.access import Access

MOST_BYTES = 65_536
"""Of the revisions of a page, as they are stored; it has some more where the last ones are large."""
TOGETHER = 50
"""Revisions read from the store at once."""


class Snapshot(Struct, frozen=True):
    """How things stand for one reader. Before the start there is neither record nor view."""

    session: Session
    caller: Caller
    record: Record | None
    view: opaque.SeatView | None

    @property
    def revision(self) -> int:
        """After which a stream goes on from here. Before the start even revision 0 is still to come."""
        return self.record.revision if self.record else -1


class Page(Struct, frozen=True):
    """Some revisions of a session, and whether there are more."""

    session: Session
    caller: Caller
    records: Sequence[Record]
    more: bool


class Reading:
    """Shows what a caller may know."""

    def __init__(self, ports: Ports, access: Access) -> None:
        self._ports = ports
        self._access = access
        self._views: SingleFlight[tuple[str, int, Viewer], opaque.SeatView] = SingleFlight()

    async def snapshot(self, session: Session, caller: Caller, revision: int | None = None) -> Snapshot:
        """How things stand, or stood at a revision. Raises Failure REVISION_NOT_FOUND."""
        record = session.head if revision is None else await self._access.record(session, revision)
        view = await self.view(session, record, caller.seat) if record else None
        return Snapshot(session, caller, record, view)

    async def view(self, session: Session, record: Record, viewer: Viewer) -> opaque.SeatView:
        """What a seat or a spectator may know at a revision, with the seat's legal moves.

        The rules are asked once for all who want the same view at the same time: spectators are all alike.
        """
        return await self._views.call(
            (session.id, record.revision, viewer), partial(self._ask_for_view, session, record, viewer)
        )

    async def _ask_for_view(self, session: Session, record: Record, viewer: Viewer) -> opaque.SeatView:
        request = opaque.ViewPositionRequest(position=record.step.position, seat=viewer)
        try:
            return (await self._ports.rules.view(session.game, session.rules_version, request)).view
        except Failure as failure:
            failures.hide_position(failure)
            raise

    async def history(self, session: Session, caller: Caller, after: int, limit: int) -> Page:
        """So many revisions after one, or fewer where they are large: a page costs so much and no more."""
        records: list[Record] = []
        size = 0
        while len(records) < limit and size < MOST_BYTES:
            some = await self._ports.store.records(session.id, after, min(TOGETHER, limit - len(records)))
            if not some:
                return Page(session, caller, records, more=False)
            records += some
            size += sum(record.step.ByteSize() for record in some)
            after = records[-1].revision
        return Page(session, caller, records, more=after < session.revision)

    async def reveal(self, session: Session, caller: Caller, after: int, limit: int) -> Page:
        """The same, for everything to be shown. Raises Failure SESSION_NOT_OVER before the end."""
        if not session.state.ended:
            raise failures.session_not_over(session.name)
        return await self.history(session, caller, after, limit)

    async def lobbies(self, game: str, before: tuple[int, str] | None, limit: int) -> tuple[Sequence[Session], bool]:
        """So many listed sessions that wait for players, of one game or of all, and whether there are more."""
        sessions = await self._ports.store.lobbies(game, before, limit + 1)
        return sessions[:limit], len(sessions) > limit

    async def games(self) -> Sequence[words.GameDescription]:
        """The games that can be played now. One whose rules don't answer is left out."""
        described = await asyncio.gather(*map(self._describe, self._ports.rules.games))
        return [game for game in described if game is not None]

    async def _describe(self, game: str) -> words.GameDescription | None:
        try:
            return (await self._ports.rules.describe(game)).game
        except Failure:
            return None
