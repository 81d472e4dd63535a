"""A stream listens, and then loads its session, once: whatever is played meanwhile is told."""

from collections.abc import Iterator
from contextlib import nullcontext
from typing import Any

import pytest

from services import app
from services.runtime.settings import Settings
from tests.support.replicas import CountingStore, on_the_servers_loop, until
from tests.support.servers import Stubs, hosting
from tests.support.sessions import Created, Player, create, endless, submit, watch_from_the_first

FAR = 3600.0
"""Seconds of a heartbeat, longer than a server may be told: a stream finds nothing by one that it was not told."""


@pytest.fixture
def store(monkeypatch: pytest.MonkeyPatch) -> CountingStore:
    store = CountingStore()
    monkeypatch.setattr(app, "_opened", lambda _: nullcontext(store))
    return store


@pytest.fixture
def held(store: CountingStore) -> Iterator[Stubs]:
    """A server over the store that counts, and can be held up."""
    settings = Settings(address="127.0.0.1:0", database="memory:", grace=0).model_copy(update={"heartbeat": FAR})
    with hosting(app.serving(settings)) as address, Stubs(address) as stubs:
        yield stubs
    assert store.open.is_set()


def opened(stubs: Stubs, created: Created, method: str) -> Any:
    """What a stream of this method tells."""
    return watch_from_the_first(stubs, created, 0) if method == "watch" else Player(stubs, created, 0).received


async def let_on(store: CountingStore) -> None:
    """Let everything go on that was held up."""
    store.open.set()


@pytest.mark.parametrize("method", ["watch", "play"])
def test_a_stream_loads_its_session_once(held: Stubs, store: CountingStore, method: str) -> None:
    created = create(held)
    store.loads = 0
    stream = opened(held, created, method)
    assert next(stream).HasField("session")
    assert next(stream).HasField("snapshot")
    assert store.loads == 1
    stream.cancel()


@pytest.mark.parametrize("method", ["watch", "play"])
def test_what_is_played_while_the_session_is_loaded_is_told(held: Stubs, store: CountingStore, method: str) -> None:
    created = create(held, **endless(100))
    store.loads = 0
    store.open.clear()
    stream = opened(held, created, method)
    on_the_servers_loop(until(lambda: store.loads == 1))
    submit(held, created, 0, "feed")
    on_the_servers_loop(let_on(store))
    assert next(stream).HasField("session")
    assert next(stream).snapshot.revision == 0
    assert next(stream).update.revision == 1
    stream.cancel()
