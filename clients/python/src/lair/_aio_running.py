"""Playing a seat by a function, with asyncio."""

import asyncio
import inspect
from collections.abc import AsyncGenerator
from typing import Any

from lair._aio_streams import follow
from lair._calls import Call, Result
from lair._connection import AsyncConnection
from lair._known import KnownFacts
from lair._running import Insistence, Run
from lair.changes import WatchItem
from lair.errors import LairError, StaleSession
from lair.turns import Answer, AsyncStrategy, Turn
from lair.types import Outcome, View
from lair.watching import Watch


async def run(
    connection: AsyncConnection, known: KnownFacts, token: str, seat: int, strategy: AsyncStrategy[View]
) -> Outcome:
    """Play a seat until its session has ended. Raises LairError, and what the strategy raises.

    The stream is read while the strategy thinks, which is cancelled when its turn has passed.
    """
    playing: Run[View] = Run(known, token, seat)
    items: AsyncGenerator[WatchItem[View], None] = follow(connection, Watch(known, token, seat, None))
    turn: Turn[View] | None = None
    coming: asyncio.Task[WatchItem[View] | None] | None = None
    thinking: asyncio.Task[Answer] | None = None
    try:
        while True:
            coming = coming or asyncio.create_task(_following(items))
            await asyncio.wait([task for task in (coming, thinking) if task], return_when=asyncio.FIRST_COMPLETED)
            if turn is not None and thinking is not None and thinking.done():
                turn = await _play(connection, playing, turn, thinking.result())
            else:
                item, coming = coming.result(), None
                if item is None:
                    return playing.outcome()
                if not playing.brings(item):
                    continue
                await _end(thinking)
                turn = playing.take(item)
            thinking = None if turn is None else asyncio.create_task(_ask(strategy, turn))
    finally:
        await _end(thinking)
        await _end(coming)
        await items.aclose()


async def _following(items: AsyncGenerator[WatchItem[View], None]) -> WatchItem[View] | None:
    return await anext(items, None)


async def _ask(strategy: AsyncStrategy[View], turn: Turn[View]) -> Answer:
    answer = strategy(turn)
    return await answer if inspect.isawaitable(answer) else answer


async def _end(task: asyncio.Task[Any] | None) -> None:
    """Cancel what nobody waits for any more, and wait until it has ended, however it does."""
    if task is not None:
        task.cancel()
        await asyncio.wait([task])
        if not task.cancelled():
            task.exception()  # it is retrieved: else asyncio would complain


async def _play(connection: AsyncConnection, playing: Run[View], turn: Turn[View], answer: Answer) -> Turn[View] | None:
    """Play what was answered, and give the turn that follows at once."""
    call = playing.submit(turn, answer)
    if call is None:
        return None
    try:
        update = await _insist(connection, call)
    except StaleSession:  # others were faster, or the time was over: the stream will tell, but this is sooner
        snapshot = await _insist(connection, playing.look())
        return playing.take(snapshot)
    return playing.take(update)


async def _insist(connection: AsyncConnection, call: Call[Result]) -> Result:
    insistence = Insistence()
    while True:
        try:
            return await connection.run(call)
        except LairError as error:
            await asyncio.sleep(insistence.failed(error))
