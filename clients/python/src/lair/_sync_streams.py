"""Reading what goes on: watches and histories, blocking."""

import time
from collections.abc import Generator, Iterator

from lair import _calls as calls
from lair._connection import Connection
from lair.changes import WatchItem
from lair.errors import LairError
from lair.types import Update, View
from lair.watching import Watch


def follow(connection: Connection, watch: Watch) -> Generator[WatchItem[View], None, None]:
    """What a watch gives, over as many streams as it takes. Raises LairError when another makes no sense."""
    while not watch.ended:
        error: LairError | None = None
        messages = connection.stream(watch.call())
        try:
            for message in messages:
                item: WatchItem[View] | None = watch.take(message)
                if item is not None:
                    yield item
        except LairError as broken:
            error = broken
        finally:
            messages.close()
        if not watch.ended:
            time.sleep(watch.broken(error))


def history(connection: Connection, name: str, token: str) -> Iterator[Update[View]]:
    """Every revision so far, page after page."""
    page = connection.run(calls.history(name, token, ""))
    yield from page.items
    while page.next_token:
        page = connection.run(calls.history(name, token, page.next_token))
        yield from page.items
