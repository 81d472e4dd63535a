"""The gRPC face: reads a request, asks a room, writes the answer. It decides nothing."""

import contextlib
from collections.abc import AsyncGenerator
from functools import partial
from hashlib import sha256

from google.protobuf.message import Message
from monsters.session.v1 import session_pb2 as wire

from services.runtime.calls import Call, Read, Write
from services.runtime.failure import Failure
from services.session.domain import failures
from services.session.domain.bounds import Bounds
from services.session.domain.callers import Caller
from services.session.domain.session import Limits, Session
from services.session.ports import Ports
from services.session.usecases.access import Access
from services.session.usecases.items import Closed, FactsChanged, Heartbeat, Item, Shown, Told, Woken
from services.session.usecases.leaving import Leaving
from services.session.usecases.lobby import Lobby, Plan
from services.session.usecases.reading import Page, Reading, Snapshot
from services.session.usecases.rematches import Rematches
from services.session.usecases.requests import IdempotentRequest
from services.session.usecases.standings import Standings
from services.session.usecases.submitting import Submission, Submitting
from services.session.usecases.watching import Watching
from services.session.wire.allowances import Allowances
from services.session.wire.bounds import (
    check_entropy,
    read_action,
    read_display_name,
    read_join_code,
    read_options,
    read_seat_keys,
    read_seats,
)
from services.session.wire.encoding import delimited, tag_of
from services.session.wire.limits import read_limits
from services.session.wire.messages import (
    read_name,
    read_request_id,
    write_closing,
    write_failed,
    write_game,
    write_heartbeat,
    write_session,
    write_snapshot,
    write_standing,
    write_step,
)
from services.session.wire.pages import read_lobby, read_revision, read_size, write_token
from services.session.wire.playing import Playing
from services.session.wire.updates import Updates, UpdateWriter
from services.session.wire.values import write_time

# The updates in what is answered and streamed are bytes already.
SUBMITTED = tag_of(wire.SubmitMoveResponse, "update")
LISTED = tag_of(wire.ListEventsResponse, "updates")
WATCHED = tag_of(wire.WatchSessionResponse, "update")
IdempotentMessage = (
    wire.CreateSessionRequest | wire.JoinSessionRequest | wire.LeaveSessionRequest | wire.JoinRematchRequest
)
"""Requests that may be sent again."""
OPEN_WITHIN = 10.0
"""In seconds: how long a stream may take to say which session it is of."""


class SessionServicer:
    """monsters.session.v1.SessionService."""

    def __init__(
        self,
        ports: Ports,
        heartbeat: float,
        limits: Limits,
        bounds: Bounds = Bounds(),  # noqa: B008  a value that nobody can change
        allowances: Allowances | None = None,
    ) -> None:
        self._ports = ports
        self._limits = limits
        self._bounds = bounds
        self._allowances = allowances or Allowances()
        self._access = Access(ports)
        self._lobby = Lobby(ports, self._access)
        self._leaving = Leaving(ports, self._access)
        self._rematches = Rematches(ports, self._access, self._lobby)
        self._reading = Reading(ports, self._access)
        self._standings = Standings(ports, self._access)
        self._updates = UpdateWriter(self._reading)
        self._submitting = Submitting(ports, self._access, bounds.length)
        self._watching = Watching(ports, self._access, self._reading, heartbeat)
        self._playing = Playing(ports, self._access, self._submitting, self._watching, self._updates)

    async def list_games(self, _: wire.ListGamesRequest, __: Call) -> wire.ListGamesResponse:
        """List what can be played."""
        return wire.ListGamesResponse(games=[write_game(game) for game in await self._reading.games()])

    async def create_session(self, request: wire.CreateSessionRequest, call: Call) -> wire.CreateSessionResponse:
        """Open a session."""
        if request.game not in self._ports.rules.games:
            raise failures.game_not_found(request.game)
        seats = read_seats(request)
        limits = read_limits(request.limits, self._limits, self._bounds)
        plan = Plan(request.game, seats, read_options(request), limits, request.all_tokens, request.listed)
        self._allowances.creations.take(call.origin)
        created = await self._lobby.create(plan, _asked(request))
        call.facts |= {"session": created.session.id, "game": request.game}
        return wire.CreateSessionResponse(
            session=write_session(created.session),
            host_token=created.host_token,
            join_code=created.join_code,
            seat_tokens=created.seat_tokens,
        )

    async def get_session(self, request: wire.GetSessionRequest, call: Call) -> wire.GetSessionResponse:
        """Show public facts."""
        return wire.GetSessionResponse(session=write_session(await self._load(request.name, call)))

    async def list_sessions(self, request: wire.ListSessionsRequest, _: Call) -> wire.ListSessionsResponse:
        """List open lobbies."""
        size = read_size(request.page_size, 20, 100)
        sessions, more = await self._reading.lobbies(request.game, read_lobby(request.page_token), size)
        return wire.ListSessionsResponse(
            sessions=[write_session(session) for session in sessions],
            next_page_token=write_token(sessions[-1].created, sessions[-1].id) if more else "",
        )

    async def batch_get_standings(
        self, request: wire.BatchGetStandingsRequest, call: Call
    ) -> wire.BatchGetStandingsResponse:
        """Show how things stand at many seats."""
        keys = read_seat_keys(request)
        call.facts["seats"] = len(keys)
        return wire.BatchGetStandingsResponse(
            standings=[write_standing(standing) for standing in await self._standings.of(keys)],
            server_time=write_time(self._ports.now()),
        )

    async def join_session(self, request: wire.JoinSessionRequest, call: Call) -> wire.JoinSessionResponse:
        """Take a seat."""
        name = read_display_name(request.display_name, "display_name")
        check_entropy(request.entropy, "entropy")
        self._allowances.joins.take(call.origin)
        wanted = request.seat if request.HasField("seat") else None
        how = name, wanted, request.entropy, _asked(request)
        if request.name:
            if request.join_code:
                raise failures.invalid_field("name", "stands instead of a join code, not beside one")
            joined = await self._lobby.join_listed(read_name(request.name), *how)
        else:
            joined = await self._lobby.join(read_join_code(request.join_code), *how)
        call.facts |= {"session": joined.session.id, "seat": joined.seat}
        return wire.JoinSessionResponse(
            session=write_session(joined.session), seat=joined.seat, seat_token=joined.token
        )

    async def leave_session(self, request: wire.LeaveSessionRequest, call: Call) -> wire.LeaveSessionResponse:
        """Give a seat up."""
        session_id = _session_id(request.name, call)
        left = await self._leaving.leave(session_id, call.token, _asked(request))
        return wire.LeaveSessionResponse(session=write_session(left))

    async def submit_move(self, request: wire.SubmitMoveRequest, call: Call) -> bytes:
        """Play a move."""
        session_id = _session_id(request.name, call)
        submission = Submission(read_action(request), read_request_id(request.request_id), request.etag)
        seat = request.seat if request.HasField("seat") else None
        done = await self._submitting.submit(session_id, call.token, seat, submission)
        call.facts |= {"revision": done.revision.record.revision, "seat": done.caller.seat}
        return delimited(SUBMITTED, await self._updates.write(done.caller, done.revision))

    async def get_view(self, request: wire.GetViewRequest, call: Call) -> wire.GetViewResponse:
        """Show the caller's view."""
        session = await self._load(request.name, call)
        caller = self._access.reader(session, call.token, request.seat if request.HasField("seat") else None)
        revision = request.revision if request.HasField("revision") else None
        return wire.GetViewResponse(snapshot=self._snapshot(await self._reading.snapshot(session, caller, revision)))

    async def watch_session(self, request: wire.WatchSessionRequest, call: Call, write: Write) -> None:
        """Stream every revision."""
        session_id = _session_id(request.name, call)
        after = request.after_revision if request.HasField("after_revision") else None
        with self._ports.fanout.subscribe(session_id) as subscription:
            session = await self._access.load(session_id)
            caller = self._access.reader(session, call.token, request.seat if request.HasField("seat") else None)
            subscription.viewers = (caller.seat,)
            follow = self._watching.follow(
                session, caller, after, subscription, call.turn, await_rematch=request.await_rematch
            )
            with self._place_of(caller, call):
                await self._watch(follow, caller, call, write)

    async def _watch(self, follow: AsyncGenerator[Item, None], caller: Caller, call: Call, write: Write) -> None:
        async with contextlib.aclosing(follow) as items:
            async for item in items:
                if isinstance(item, Woken):
                    continue
                await write(await self._watched(caller, item))
                # Over HTTP the status has been sent by now, so a failure has to be told as a message.
                call.last_words = partial(_failed, item.revision)

    def _place_of(self, caller: Caller, call: Call) -> contextlib.AbstractContextManager[None]:
        """The place of a stream. Raises Failure TOO_MANY_WATCHERS when spectators have all of theirs."""
        if caller.spectator:
            return self._allowances.spectators.entered(call.origin.key)
        return contextlib.nullcontext()

    async def _watched(self, caller: Caller, item: Shown) -> Message | bytes:
        match item:
            case FactsChanged(session):
                return wire.WatchSessionResponse(session=write_session(session))
            case Snapshot():
                return wire.WatchSessionResponse(snapshot=self._snapshot(item))
            case Told(revision):
                return delimited(WATCHED, await self._updates.write(caller, revision))
            case Heartbeat():
                return wire.WatchSessionResponse(heartbeat=write_heartbeat(item, self._ports.now()))
            case Closed():
                return wire.WatchSessionResponse(closing=write_closing(item))

    async def play_seat(self, read: Read, call: Call, write: Write) -> None:
        """Play a seat over one stream."""
        first = await read(wire.PlaySeatRequest, OPEN_WITHIN)
        await call.turn()
        if not isinstance(first, wire.PlaySeatRequest) or not first.HasField("open"):
            raise failures.invalid_field("open", "must come first")
        session_id = _session_id(first.open.name, call, "open.name")
        after = first.open.after_revision if first.open.HasField("after_revision") else None
        stay = first.open.await_rematch
        await self._playing.play(session_id, call.token, after, read, write, call.turn, await_rematch=stay)

    async def list_events(self, request: wire.ListEventsRequest, call: Call) -> bytes:
        """List the history."""
        session = await self._load(request.name, call)
        caller = self._access.reader(session, call.token, None)
        size = read_size(request.page_size, 100, 1000)
        page = await self._reading.history(session, caller, read_revision(request.page_token), size)
        updates = [delimited(LISTED, Updates(session, record).write(caller)) for record in page.records]
        return b"".join((*updates, wire.ListEventsResponse(next_page_token=_next(page)).SerializeToString()))

    async def reveal_session(self, request: wire.RevealSessionRequest, call: Call) -> wire.RevealSessionResponse:
        """Show everything of a session that has ended."""
        session = await self._load(request.name, call)
        caller = self._access.reader(session, call.token, None)
        size = read_size(request.page_size, 100, 1000)
        page = await self._reading.reveal(session, caller, read_revision(request.page_token), size)
        return wire.RevealSessionResponse(
            session=write_session(session),
            server_seed=session.server_seed,
            entropies=session.entropies,
            steps=[write_step(session, record) for record in page.records],
            next_page_token=_next(page),
        )

    async def abort_session(self, request: wire.AbortSessionRequest, call: Call) -> wire.AbortSessionResponse:
        """End a session without a result."""
        session_id = _session_id(request.name, call)
        return wire.AbortSessionResponse(session=write_session(await self._leaving.abort(session_id, call.token)))

    async def create_rematch(self, request: wire.CreateRematchRequest, call: Call) -> wire.CreateRematchResponse:
        """Open a session to play again."""
        session_id = _session_id(request.name, call)
        self._allowances.creations.take(call.origin)
        created = await self._rematches.create(session_id, call.token)
        call.facts["rematch"] = created.session.id
        return wire.CreateRematchResponse(
            session=write_session(created.session), host_token=created.host_token, join_code=created.join_code
        )

    async def join_rematch(self, request: wire.JoinRematchRequest, call: Call) -> wire.JoinRematchResponse:
        """Take a seat again."""
        check_entropy(request.entropy, "entropy")
        session_id = _session_id(request.name, call)
        self._allowances.joins.take(call.origin)
        joined = await self._rematches.join(session_id, call.token, request.entropy, _asked(request))
        call.facts |= {"rematch": joined.session.id, "seat": joined.seat}
        return wire.JoinRematchResponse(
            session=write_session(joined.session), seat=joined.seat, seat_token=joined.token
        )

    def _snapshot(self, snapshot: Snapshot) -> wire.Snapshot:
        return write_snapshot(snapshot, self._ports.now())

    async def _load(self, name: str, call: Call) -> Session:
        return await self._access.load(_session_id(name, call))


def _session_id(name: str, call: Call, path: str = "name") -> str:
    """The id that a request names, which the log is told."""
    session_id = read_name(name, path)
    call.facts["session"] = session_id
    return session_id


def _failed(revision: int, failure: Failure) -> wire.WatchSessionResponse:
    return wire.WatchSessionResponse(closing=write_failed(revision, failure))


def _asked(request: IdempotentMessage) -> IdempotentRequest:
    request_id = read_request_id(request.request_id)
    body: Message = type(request)()
    body.CopyFrom(request)
    body.ClearField("request_id")
    return IdempotentRequest(sha256(body.SerializeToString(deterministic=True)).digest(), request_id)


def _next(page: Page) -> str:
    return write_token(page.records[-1].revision) if page.more else ""
