"""Sessions and seats with asyncio: what _sync.py has, with `await`."""

from collections.abc import AsyncIterator, Callable
from contextlib import aclosing
from typing import Any, Generic

from lair import _calls as calls
from lair import _flows as flows
from lair._aio_line import AsyncLine
from lair._aio_replaying import AsyncReplaying
from lair._aio_running import run
from lair._aio_streams import follow, history
from lair._calls import SPECTATOR, Call, Playable
from lair._connection import AsyncConnection, adrive
from lair._handles import Keys, SeatHandle, SessionHandle
from lair._known import KnownFacts
from lair._talk import Talk
from lair.changes import WatchItem
from lair.playing import Policy, Wait, play_out
from lair.turns import AsyncStrategy
from lair.types import LegalMove, Outcome, Reveal, SessionFacts, Snapshot, Update, View
from lair.verification import Verification
from lair.watching import Watch


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
        async with AsyncReplaying(self._connection) as replaying:
            return await adrive(flows.verify(self.name, self.commitment, self.entropies), replaying.answer)

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

    async def run(self, strategy: AsyncStrategy[View]) -> Outcome:
        """Play this seat until the game is over: the strategy is called whenever the seat may act.

        It is given a Turn (view, legal moves, deadline), and returns one of the moves, its text, or the game's Move;
        None waits for what comes next. It is called once for each revision at most. When its answer comes after the
        turn has passed, by a time-out or by what others did, it is not played, and the strategy is called again when
        the seat may act then. With asyncio it is a coroutine function, and is cancelled as soon as its turn has passed.

        Connections that break and servers that start again are waited for as a watch does, and no move is played
        twice. A game that is not started yet is waited for. What the strategy raises ends the run, as do IllegalMove
        and InvalidRequest for an answer that is none; BadToken when the seat was left, WrongState when the session is
        aborted, Unavailable when nobody answers for long.
        """
        return await run(self._connection, self._known, self.token, self.index, strategy)
