"""The blocking client: a thin shell over the pure calls and flows."""

from collections.abc import Iterator, Sequence
from typing import Any, Self

import grpc

from lair import _calls as calls
from lair import _flows as flows
from lair._channel import DEFAULT_SILENCE, DEFAULT_TARGET, DEFAULT_TIMEOUT, ChannelOptions
from lair._clocks import Seconds, time_limits
from lair._connection import Connection, drive
from lair._handles import Keys
from lair._options import Options
from lair._sync import Seat, Session
from lair._sync_rules import Rules
from lair.descriptions import GameFacts
from lair.games import Game
from lair.standings import SeatKeys, SeatStanding
from lair.types import Bot, Move, Position, SessionFacts, View


def connect(
    target: str = DEFAULT_TARGET,
    *,
    timeout: float = DEFAULT_TIMEOUT,
    credentials: grpc.ChannelCredentials | None = None,
    options: ChannelOptions = (),
    silence: float = DEFAULT_SILENCE,
) -> "Client":
    """A client of the server at "host:port". It connects with the first call: nothing is asked here.

    `timeout` is what a call may take, in seconds, retries included. `credentials` are gRPC's, for a server behind TLS.
    `options` are gRPC channel arguments that come after ours: [("grpc.enable_retries", 0)] turns retries off.

    `silence` is how many seconds a stream may say nothing: then its connection counts as broken, and it goes on over a
    new one. Servers send something every 15 s. A call is waited for as long, or for half of its timeout, before it is
    made again over a new connection. Raises InvalidRequest for what can't be a target or a setting.
    """
    return Client(Connection(target, timeout, credentials, options, silence))


class Client:
    """A server, as one caller sees it. Made by `connect`; use it in a `with` block, from any number of threads.

    A game is given by its token, or by its generated module. Every method that asks the server raises Unavailable when
    nobody answers in time.
    """

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End every call and stream."""
        self._connection.close()

    def games(self) -> list[GameFacts]:
        """The games that can be played. `Rules.describe` has the rules, options and ends of one in words."""
        return self._connection.run(calls.games())

    def rules(self, game: str | Game[Position, Move, View]) -> Rules[Position, Move, View]:
        """The rules of a game, without any session. Raises NotFound when its messages are not installed here."""
        return Rules(self._connection, game)

    def create(
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
    ) -> Session[View]:
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
        created = self._connection.run(
            calls.create(game, seats, options, entropies, all_tokens=True, request_id=request_id, limits=limits)
        )
        tokens = {index: token for index, token in enumerate(created.seat_tokens) if token}
        keys = Keys(created.host_token, tokens=tokens, entropies=dict(enumerate(entropies or ())))
        return Session(self._connection, created.facts, keys)

    def open(
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
    ) -> Session[View]:
        """A session that waits for players, who join by its `join_code`. The clocks are those of `create`.

        `seats` are how many, or for each of them a name, an empty name or a `Bot`. With `listed` everybody can find it
        by `lobbies` and join it by its name. The last seat taken starts the game. Raises InvalidRequest and NotFound.
        """
        wanted = calls.unnamed(seats)
        limits = time_limits(turn_limit, idle_limit, keep, stand_in)
        created = self._connection.run(
            calls.create(game, wanted, options, all_tokens=False, limits=limits, listed=listed)
        )
        return Session(self._connection, created.facts, Keys(created.host_token, created.join_code))

    def join(
        self, code_or_session: str, *, name: str = "", seat: int | None = None, entropy: bytes | None = None
    ) -> Seat[Any]:
        """Take a seat by the join code, or of a listed session by its name, as in "sessions/7f3k".

        It is the first that is free, or this one. The last one taken starts the game. `entropy` is the seat's share in
        the seeds, at most 64 bytes: whoever doesn't know it can't predict a draw. Without it, 32 bytes come from the
        operating system. Raises NotFound, SeatTaken, and PermissionDenied for the name of a session that isn't listed.
        """
        joined = self._connection.run(calls.join(code_or_session, name, seat, entropy))
        keys = Keys.of_seat(joined.index, joined.token, joined.entropy)
        return Session[Any](self._connection, joined.facts, keys).seats[0]

    def session(self, name: str, *, host_token: str | None = None) -> Session[Any]:
        """A session that is there, by "sessions/7f3k" or "7f3k". Raises NotFound."""
        facts = self._connection.run(calls.get(name))
        return Session(self._connection, facts, Keys(host_token or ""))

    def seat(self, name: str, token: str) -> Seat[Any]:
        """A seat of a session that is there, by its key. Raises NotFound and BadToken."""
        facts, index = drive(flows.find_seat(name, token), self._connection.run)
        return Session[Any](self._connection, facts, Keys(tokens={index: token})).seats[0]

    def standings(self, seats: SeatKeys) -> list[SeatStanding]:
        """How things stand at many seats, the most urgent first: where it is one's turn, until when, how it ended.

        Seats are given by their handles, or by the names of their sessions and their tokens. What is wrong with one is
        its `error`, and the others are told all the same. A hundred of them are one call. Raises InvalidRequest for
        what is no name at all, NotServed when the server is older than the call.
        """
        return drive(flows.standings(seats), self._connection.run)

    def lobbies(self, game: str | Game[Any, Any, Any] | None = None) -> Iterator[SessionFacts]:
        """The listed sessions that wait for players, newest first, of this game or of all: see `open`."""
        page = self._connection.run(calls.lobbies(game, ""))
        yield from page.items
        while page.next_token:
            page = self._connection.run(calls.lobbies(game, page.next_token))
            yield from page.items
