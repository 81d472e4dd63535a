"""Sessions for tests of stores: values that can be told from each other, and stored as they are."""

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager

from monsters.rules.v1 import rules_pb2 as words
from msgspec.structs import replace

from services.session.domain.session import Record, Seat, Session, State, Step
from services.session.ports import Change, RememberedRequest, SessionStore

Open = Callable[[], AbstractAsyncContextManager[SessionStore]]
AT_ONCE = 20
"""How many do something at once."""


def session_called(name: str, created: int = 1_000, **changes: object) -> Session:
    """A session of two that waits for players."""
    session = Session(
        id=name,
        version=0,
        game="cabbages",
        state=State.LOBBY,
        seats=(Seat("Ann", 1), Seat("Ben", 2, entropy=b"dice")),
        options=b"\x08\x00",
        rules_version="1",
        server_seed=bytes(range(32)),
        host_hash=b"host of " + name.encode(),
        join_hash=b"code of " + name.encode(),
        created=created,
        updated=created,
    )
    return replace(session, **changes)  # type: ignore[arg-type]  # as the caller says


def record_of(revision: int, seat: int | None = 0) -> Record:
    """A revision that can be told from every other one."""
    step = Step(position=f"position {revision}".encode(), events=[b"\x00\xff"], standing=words.Standing(awaited=[1]))
    return Record(revision, seat, step, 2_000 + revision)


def played(session: Session, request: bytes | None = None) -> Change:
    """The next move of a session."""
    record = record_of(session.head.revision + 1 if session.head else 0)
    remember = RememberedRequest(session.id, request, b"body", session.id, record.revision) if request else None
    return Change(session.with_record(record), record, remember=remember)


def nothing() -> None:
    """Nobody has to be told."""


async def playing(store: SessionStore, name: str = "a", moves: int = 0) -> Session:
    """A stored session after so many moves."""
    session = session_called(name).with_record(record_of(0, None))
    assert await store.create(session, session.head, None)
    for _ in range(moves):
        change = played(session)
        assert await store.save(change, nothing)
        session = change.after
    return session
