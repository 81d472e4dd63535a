"""Reading what goes on: watches and histories, with asyncio."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator

from lair import _calls as calls
from lair._connection import AsyncConnection
from lair.changes import WatchItem
from lair.errors import LairError
from lair.types import Update, View
from lair.watching import Watch


async def follow(connection: AsyncConnection, watch: Watch) -> AsyncGenerator[WatchItem[View], None]:
    """What a watch gives, over as many streams as it takes. Raises LairError when another makes no sense."""
    while not watch.ended:
        error: LairError | None = None
        messages = connection.stream(watch.call())
        try:
            async for message in messages:
                item: WatchItem[View] | None = watch.take(message)
                if item is not None:
                    yield item
        except LairError as broken:
            error = broken
        finally:
            await messages.aclose()
        if not watch.ended:
            await asyncio.sleep(watch.broken(error))


async def history(connection: AsyncConnection, name: str, token: str) -> AsyncIterator[Update[View]]:
    """Every revision so far, page after page."""
    page = await connection.run(calls.history(name, token, ""))
    for update in page.items:
        yield update
    while page.next_token:
        page = await connection.run(calls.history(name, token, page.next_token))
        for update in page.items:
            yield update
