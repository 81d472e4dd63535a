"""One test body for both clients: the blocking one and the asyncio one."""

from collections.abc import AsyncIterator, Awaitable
from contextlib import asynccontextmanager
from typing import Any

import lair

FLAVOURS = ("blocking", "asyncio")


@asynccontextmanager
async def connected(flavour: str, target: str, **settings: Any) -> AsyncIterator[Any]:
    """A client of this flavour."""
    if flavour == "blocking":
        with lair.connect(target, **settings) as client:
            yield client
    else:
        async with lair.aconnect(target, **settings) as client:
            yield client


async def done(result: Any) -> Any:
    """The result of a call of either flavour."""
    return await result if isinstance(result, Awaitable) else result


async def items(source: Any) -> AsyncIterator[Any]:
    """The items of an iterator of either flavour."""
    if hasattr(source, "__aiter__"):
        async for item in source:
            yield item
    else:
        for item in source:
            yield item
