"""The asyncio client, its sessions and its seats: what _sync.py has, with `await`."""

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import aclosing
from typing import Any, Generic, Self

import grpc

from lair import _calls as calls
from lair import _flows as flows
from lair._aio_line import AsyncLine
from lair._aio_rules import AsyncRules
from lair._aio_streams import follow, history
from lair._calls import SPECTATOR, Call, Playable
from lair._channel import DEFAULT_SILENCE, DEFAULT_TARGET, DEFAULT_TIMEOUT, ChannelOptions
from lair._clocks import Seconds, time_limits
from lair._connection import AsyncConnection, adrive
from lair._handles import Keys, SeatHandle, SessionHandle
from lair._known import KnownFacts
from lair._options import Options
from lair._talk import Talk
from lair.changes import WatchItem
from lair.descriptions import GameFacts
from lair.games import Game
from lair.playing import Policy, Wait, play_out
from lair.types import Bot, LegalMove, Move, Outcome, Position, Reveal, SessionFacts, Snapshot, Update, View
from lair.verification import Verification
from lair.watching import Watch


def aconnect(
    target: str = DEFAULT_TARGET,
    *,
    timeout: float = DEFAULT_TIMEOUT,
    credentials: grpc.ChannelCredentials | None = None,
    options: ChannelOptions = (),
    silence: float = DEFAULT_SILENCE,
) -> "AsyncClient":
    """A client of the server at "host:port". It connects with the first call: nothing is asked here.

    `timeout` is what a call may take, in seconds, retries included. `credentials` are gRPC's, for a server behind TLS.
    `options` are gRPC channel arguments that come after ours: [("grpc.enable_retries", 0)] turns retries off.

    `silence` is how many seconds a stream may say nothing: then its connection counts as broken, and it goes on over a
    new one. Servers send something every 15 s. A call is waited for as long, or for half of its timeout, before it is
    made again over a new connection. Raises InvalidRequest for what can't be a target or a setting.
    """
    return AsyncClient(AsyncConnection(target, timeout, credentials, options, silence))


class AsyncClient:
    """A server, as one caller sees it. Made by `aconnect`; use it in an `async with` block, in one event loop.

    A game is given by its token, or by its generated module. Every method that asks the server raises Unavailable when
    nobody answers in time.
    """

    def __init__(self, connection: AsyncConnection) -> None:
        self._connection = connection

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """End every call and stream."""
        await self._connection.close()

    async def games(self) -> list[GameFacts]:
        """The games that can be played. `AsyncRules.describe` has the rules, options and ends of one in words."""
        return await self._connection.run(calls.games())

    def rules(self, game: str | Game[Position, Move, View]) -> AsyncRules[Position, Move, View]:
        """The rules of a game, without any session. Raises NotFound when its messages are not installed here."""
        return AsyncRules(self._connection, game)

    async def create(
        self,
        game: str | Game[Any, Any, View],
        *,
        seats: Sequence[str | Bot],
        options: Options | None = None,
        entropies: Sequence[bytes] | None = None,
        request_id: str | None = None,
        turn_limit: Seconds | None = None,
        idle_limit: Seconds | None = None,
        keep: Seconds | None = None,
        stand_in: Seconds | None = None,
    ) -> "AsyncSession[View]":
        """A session that starts at once, with every seat's key in hand: `session.seats`.

        `seats` are the names; a `Bot` among them is a seat that the server plays, and has no key. `options` are a
        mapping, strings such as "cup_start=3", or the game's Options message. `entropies` are each seat's share in the
        seeds, at most 64 bytes. Raises InvalidRequest and NotFound.

        The clocks are in seconds, or timedeltas. `turn_limit` is how long the game may wait in one turn or round, 0.1
        seconds to 30 days: then the host's time-out is played. Without it the game waits for ever. `idle_limit` is how
        long nobody may touch the session, 1 second to 365 days: then it is aborted. `keep` is how long it is kept once
        it has ended, 1 second to 3650 days: then it is deleted. `stand_in` is how long a stand-in waits after the last
        change before it moves in a seat that was left, 0 to 60 seconds. Without them the server's own count.
        """
        limits = time_limits(turn_limit, idle_limit, keep, stand_in)
        created = await self._connection.run(
            calls.create(game, seats, options, entropies, all_tokens=True, request_id=request_id, limits=limits)
        )
        tokens = {index: token for index, token in enumerate(created.seat_tokens) if token}
        keys = Keys(created.host_token, tokens=tokens, entropies=dict(enumerate(entropies or ())))
        return AsyncSession(self._connection, created.facts, keys)

    async def open(
        self,
        game: str | Game[Any, Any, View],
        *,
        seats: int | Sequence[str | Bot],
        options: Options | None = None,
        listed: bool = False,
        turn_limit: Seconds | None = None,
        idle_limit: Seconds | None = None,
        keep: Seconds | None = None,
        stand_in: Seconds | None = None,
    ) -> "AsyncSession[View]":
        """A session that waits for players, who join by its `join_code`. The clocks are those of `create`.

        `seats` are how many, or for each of them a name, an empty name or a `Bot`. With `listed` everybody can find it
        by `lobbies` and join it by its name. The last seat taken starts the game. Raises InvalidRequest and NotFound.
        """
        wanted = calls.unnamed(seats)
        limits = time_limits(turn_limit, idle_limit, keep, stand_in)
        created = await self._connection.run(
            calls.create(game, wanted, options, all_tokens=False, limits=limits, listed=listed)
        )
        return AsyncSession(self._connection, created.facts, Keys(created.host_token, created.join_code))

    async def join(
        self, code_or_session: str, *, name: str = "", seat: int | None = None, entropy: bytes | None = None
    ) -> "AsyncSeat[Any]":
        """Take a seat by the join code, or of a listed session by its name, as in "sessions/7f3k".

        It is the first that is free, or this one. The last one taken starts the game. `entropy` is the seat's share in
        the seeds, at most 64 bytes: whoever doesn't know it can't predict a draw. Without it, 32 bytes come from the
        operating system. Raises NotFound, SeatTaken, and PermissionDenied for the name of a session that isn't listed.
        """
        joined = await self._connection.run(calls.join(code_or_session, name, seat, entropy))
        keys = Keys.of_seat(joined.index, joined.token, joined.entropy)
        return AsyncSession[Any](self._connection, joined.facts, keys).seats[0]

    async def session(self, name: str, *, host_token: str | None = None) -> "AsyncSession[Any]":
        """A session that is there, by "sessions/7f3k" or "7f3k". Raises NotFound."""
        facts = await self._connection.run(calls.get(name))
        return AsyncSession(self._connection, facts, Keys(host_token or ""))

    async def seat(self, name: str, token: str) -> "AsyncSeat[Any]":
        """A seat of a session that is there, by its key. Raises NotFound and BadToken."""
        facts, index = await adrive(flows.find_seat(name, token), self._connection.run)
        return AsyncSession[Any](self._connection, facts, Keys(tokens={index: token})).seats[0]

    async def lobbies(self, game: str | Game[Any, Any, Any] | None = None) -> AsyncIterator[SessionFacts]:
        """The listed sessions that wait for players, newest first, of this game or of all: see `open`."""
        page = await self._connection.run(calls.lobbies(game, ""))
        for facts in page.items:
            yield facts
        while page.next_token:
            page = await self._connection.run(calls.lobbies(game, page.next_token))
            for facts in page.items:
                yield facts


class AsyncSession(SessionHandle, Generic[View]):
    """A session: one game being played. Made by `AsyncClient.create`, `open` and `session`."""

    def __init__(self, connection: AsyncConnection, facts: SessionFacts, keys: Keys) -> None:
        super().__init__(facts, keys)
        self._connection = connection
        self.seats: tuple[AsyncSeat[View], ...] = tuple(
            AsyncSeat(self, connection, self._known, index, token) for index, token in keys.tokens.items()
        )
        """The seats whose keys this handle has: all of them after `create`, none after `open`."""

    async def facts(self) -> SessionFacts:
        """What everybody may know: seats, state, revision, standing."""
        return self._known.hear(await self._connection.run(calls.get(self.name)))

    async def view(self, revision: int | None = None) -> View:
        """What a spectator may know, now or at an earlier revision. Raises WrongState before the start, NotFound."""
        view: View = await self._connection.run(calls.view(self.name, SPECTATOR, None, revision))
        return view

    async def snapshot(self, revision: int | None = None) -> Snapshot[View]:
        """How things stand for a spectator, now or at an earlier revision. Raises NotFound."""
        return await self._connection.run(calls.look(self.name, SPECTATOR, None, revision))

    def watch(self, after: int | None = None, *, until_rematch: bool = False) -> AsyncIterator[WatchItem[View]]:
        """What a spectator may know, as it happens: see `AsyncSeat.watch`."""
        return follow(self._connection, Watch(self._known, SPECTATOR, None, after, until_rematch=until_rematch))

    def history(self) -> AsyncIterator[Update[View]]:
        """Every revision so far, as far as a spectator may know it, without views and moves."""
        return history(self._connection, self.name, SPECTATOR)

    async def timeout(self) -> Update[View]:
        """Say as the host that the game has waited long enough: see `GameDescription.timeout` for what happens then.

        Raises PermissionDenied without the host's token, IllegalMove where the game knows no time-out.
        """
        return await self._connection.run(calls.submit(self.name, self.host_token, None, "timeout"))

    async def abort(self) -> SessionFacts:
        """End the session as the host, without a result. Raises PermissionDenied without the host's token."""
        return self._known.hear(await self._connection.run(calls.abort(self.name, self.host_token)))

    async def rematch(self) -> "AsyncSession[View]":
        """Play again, as the host: a session with the same game, options, clocks and seats, once this one has ended.

        Every seat whose key this handle has is taken again, unless it was left. The others come by `AsyncSeat.rematch`,
        or by the `join_code`; the last one starts the game. Raises PermissionDenied without the host's token,
        WrongState while the game goes on, SeatTaken when somebody sits there already.
        """
        tokens = {seat.index: seat.token for seat in self.seats}
        facts, keys = await adrive(flows.rematch(self.name, self.host_token, tokens), self._connection.run)
        return AsyncSession(self._connection, facts, keys)

    async def reveal(self) -> Reveal:
        """Everything of the finished game. Raises WrongState while it goes on."""
        return await adrive(flows.reveal(self.name), self._connection.run)

    async def verify(self) -> Verification:
        """Check every die and every position of the finished game, with this server's rules.

        Whoever trusts another server more gives the `reveal` to that one's `AsyncRules.verify`. Raises WrongState while
        the game goes on.
        """
        return await adrive(flows.verify(self.name, self.commitment, self.entropies), self._connection.run)

    async def play_out(
        self,
        policy: Policy | str = "random",
        seed: int | None = None,
        on_move: Callable[[Update[View]], None] | None = None,
    ) -> Outcome:
        """Play the seats of this handle until the game ends, and wait for the others where it is their turn.

        A policy is "random", or a function from a seat's snapshot to one of its legal moves; equal seeds make equal
        choices. `on_move` is told of each move made here. A seat that has been left is its stand-in's to play. Raises
        WrongState when the session is aborted.
        """
        return await adrive(play_out(self.name, self.seats, policy, seed, on_move), self._take_step)

    async def _take_step(self, step: Call[Any] | Wait) -> Any:
        if not isinstance(step, Wait):
            return await self._connection.run(step)
        async with aclosing(follow(self._connection, Watch(self._known, SPECTATOR, None, step.after))) as items:
            async for item in items:
                if isinstance(item, Update):
                    return item
        return self.known_facts


class AsyncSeat(SeatHandle, Generic[View]):
    """A seat of a session, with its key: what a player does. Made by `AsyncClient.create`, `join` and `seat`."""

    def __init__(
        self, session: AsyncSession[View], connection: AsyncConnection, known: KnownFacts, index: int, token: str
    ) -> None:
        super().__init__(known, index, token)
        self.session = session
        self._connection = connection

    async def view(self, revision: int | None = None) -> View:
        """What this seat may know, now or at an earlier revision. Raises WrongState before the start, NotFound."""
        view: View = await self._connection.run(calls.view(self.session_name, self.token, self.index, revision))
        return view

    async def snapshot(self, revision: int | None = None) -> Snapshot[View]:
        """How things stand for this seat, now or at an earlier revision: view, legal moves, etag. Raises NotFound."""
        return await self._connection.run(calls.look(self.session_name, self.token, self.index, revision))

    async def moves(self) -> tuple[LegalMove[Any], ...]:
        """The legal moves of this seat: none when it may not act."""
        return (await self.snapshot()).moves

    async def play(self, move: Playable, *, etag: str | None = None, request_id: str | None = None) -> Update[View]:
        """Play a move, by its text, by the game's Move, or as one of the legal moves. It is durable on return.

        With an `etag` it is played on the revision that was seen, or not at all. The same `request_id` gives the same
        answer and plays once; without one each call has its own, which also covers a connection that breaks. Raises
        IllegalMove, StaleSession, WrongState, InvalidRequest.
        """
        update: Update[View] = await self._connection.run(
            calls.submit(self.session_name, self.token, self.index, move, etag=etag, request_id=request_id)
        )
        self._known.follow(update)
        return update

    def watch(self, after: int | None = None, *, until_rematch: bool = False) -> AsyncIterator[WatchItem[View]]:
        """How things stand, then every revision once and in order, until the session has ended.

        After a revision there is no snapshot: the next update comes first; -1 is before the start. Between them comes
        a FactsChanged whenever something public changes that is no revision: somebody joins or leaves, the session is
        aborted, a rematch is opened. What it was when the watch began is in `known_facts`, which the watch keeps fresh.

        With `until_rematch` it goes on after the end, until the host asks for a rematch: then `known_facts.rematch` is
        its name. A connection that breaks is made anew, and nothing is lost or doubled. Raises Unavailable when that
        does not help for long.
        """
        return follow(self._connection, Watch(self._known, self.token, self.index, after, until_rematch=until_rematch))

    def history(self) -> AsyncIterator[Update[View]]:
        """Every revision so far, as far as this seat may know it, without views and moves."""
        return history(self._connection, self.session_name, self.token)

    async def leave(self) -> SessionFacts:
        """Give the seat up: in a lobby it is free again, in a game a stand-in plays it to the end, seeing what it saw.

        The token opens nothing afterwards. Raises BadToken when it was left before, GameOver, WrongState.
        """
        return self._known.hear(await self._connection.run(calls.leave(self.session_name, self.token)))

    async def rematch(self, *, entropy: bytes | None = None) -> "AsyncSeat[View]":
        """Take this seat in the rematch, once the host has asked for one: then `SessionFacts.rematch` has its name.

        `entropy` is the seat's share in the new seeds, as with `AsyncClient.join`. Raises NotFound when there is no
        rematch, BadToken when the seat was left, SeatTaken.
        """
        joined = await self._connection.run(calls.join_rematch(self.session_name, self.token, entropy))
        keys = Keys.of_seat(joined.index, joined.token, joined.entropy)
        return AsyncSession[View](self._connection, joined.facts, keys).seats[0]

    def stream(self, *, until_rematch: bool = False) -> AsyncLine[View]:
        """One stream for playing and watching, in an `async with` block: for those who play fast."""
        return AsyncLine(self._connection, Talk(self._known, self.token, self.index, until_rematch=until_rematch))
