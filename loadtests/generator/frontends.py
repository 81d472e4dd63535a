"""The loads of frontends that speak JSON over HTTP with an edge: what `loads` and `sessions` do, the same calls.

Each lane has a connection of its own, as browsers have, and each stream of server-sent events another one.
"""

import uuid
from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass
from typing import Any

from loadtests.baselines.empty import HTTP_PATH
from loadtests.generator.games import SEATS, Script
from loadtests.generator.http_client import Connection
from loadtests.generator.loads import LANES, Call

GAME = "/v1/games/cabbages"
SESSIONS = "/v1/sessions"


async def json_empty(address: str, _: int) -> Sequence[Call]:
    """A method that does nothing."""
    message = {"text": "sessions/0123456789ab", "number": "7"}

    async def lane() -> Call:
        connection = await Connection.open(address)

        async def call() -> None:
            assert (await connection.post(HTTP_PATH, message)) == message

        return call

    return [await lane() for _ in range(LANES)]


async def json_apply_move(address: str, _: int) -> Sequence[Call]:
    """The rules alone: each lane plays on from the position that it got."""

    async def begin(connection: Connection) -> tuple[Script, Any]:
        started = await connection.post(f"{GAME}:startGame", {"seats": SEATS})
        return Script(started["standing"]["mayAct"][0]), started["position"]

    async def lane() -> Call:
        connection = await Connection.open(address)
        game, position = await begin(connection)

        async def call() -> None:
            nonlocal game, position
            if game.done:
                game, position = await begin(connection)
            move = {"position": position, "seat": game.seat, "moveText": game.text}
            answer = await connection.post(f"{GAME}:applyMove", move)
            position, game.made = answer["position"], game.made + 1
            assert answer["standing"]["mayAct"] == [game.seat]

        return call

    return [await lane() for _ in range(LANES)]


async def json_submit_move(address: str, _: int) -> Sequence[Call]:
    """Moves in sessions that both seats watch."""

    async def lane() -> Call:
        connection = await Connection.open(address)
        table = await _lay(address, connection)

        async def call() -> None:
            nonlocal table
            if table.game.done:
                table.leave()
                table = await _lay(address, connection)
            await table.move()

        return call

    return [await lane() for _ in range(LANES)]


@dataclass(slots=True)
class Table:
    """A session that both seats watch."""

    path: str
    tokens: Sequence[str]
    game: Script
    connection: Connection
    """Over which moves go."""
    watching: Sequence[Connection]
    streams: Sequence[AsyncGenerator[Any, None]]

    async def move(self) -> None:
        """Play the next move, until both seats have heard of it."""
        game = self.game
        play = {"text": game.text, "requestId": str(uuid.uuid4())}
        answer = await self.connection.post(f"{self.path}:submitMove", play, self.tokens[game.seat])
        game.made += 1
        assert answer["update"]["revision"] == str(game.made)
        for stream in self.streams:
            await _hear(stream, game.made)

    def leave(self) -> None:
        """Both seats close their streams."""
        for connection in self.watching:
            connection.close()


async def _lay(address: str, connection: Connection) -> Table:
    """A new session, and its streams."""
    seats = [{"name": name} for name in ("Ann", "Ben")]
    created = await connection.post(SESSIONS, {"game": "cabbages", "seats": seats, "allTokens": True})
    path, tokens = f"/v1/{created['session']['name']}", created["seatTokens"]
    watching = [await Connection.open(address) for _ in tokens]
    streams = [each.events(f"{path}:watch", token) for each, token in zip(watching, tokens, strict=True)]
    for stream in streams:
        assert "session" in await anext(stream)
        assert "snapshot" in await anext(stream)
    return Table(path, tokens, Script(created["session"]["standing"]["mayAct"][0]), connection, watching, streams)


async def _hear(stream: AsyncGenerator[Any, None], revision: int) -> None:
    """Read until the update of a revision. Heartbeats and the session may come before it."""
    while (message := await anext(stream)).keys() & {"heartbeat", "session"}:
        pass
    assert message["update"]["revision"] == str(revision)
