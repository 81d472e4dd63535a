"""What everybody may know of a session comes on every stream: first of all, and when it changes by no revision."""

from collections.abc import Callable

import pytest
from monsters.session.v1 import session_pb2 as wire

from tests.support.servers import Stubs
from tests.support.sessions import (
    Player,
    abort,
    create,
    endless,
    feed_on,
    join,
    leave,
    open_lobby,
    options,
    rematch_of,
    session_of,
    submit,
    watch,
    watch_from_the_first,
)

TURNS = 6


def test_every_stream_begins_with_what_everybody_may_know(any_server: Stubs) -> None:
    created = create(any_server)
    submit(any_server, created, 0)
    for fields in ({}, {"after_revision": 0}, {"after_revision": 1}):
        stream = watch_from_the_first(any_server, created, **fields)
        assert next(stream).session == session_of(any_server, created)
        stream.cancel()
    with Player(any_server, created, 0) as player:
        assert next(player.received).session == session_of(any_server, created)


def test_who_joins_and_who_leaves_is_told_to_everybody(any_server: Stubs) -> None:
    """A join and a leave are no revisions: before the start, during the game, and to those who play, too."""
    lobby = open_lobby(any_server, seats=3)
    stream = watch(any_server, lobby)
    assert next(stream).HasField("snapshot")
    lobby.seat_tokens.append(join(any_server, lobby, display_name="Ann").seat_token)
    assert next_facts(stream) == session_of(any_server, lobby)
    leave(any_server, lobby, 0)
    told = next_facts(stream)
    assert (told.seats[0].display_name, told.seats[0].taken) == ("", False)
    lobby.seat_tokens[:] = [join(any_server, lobby, display_name=name).seat_token for name in ("Ben", "Cid", "Dan")]
    with Player(any_server, lobby, 0) as player:
        assert next(player.received).HasField("session")
        assert player.take().HasField("snapshot")
        leave(any_server, lobby, 2)
        message = next(player.received)
        assert [seat.left for seat in message.session.seats] == [False, False, True]
    told = next_facts(stream, having=lambda session: session.seats[2].left)
    assert [seat.display_name for seat in told.seats] == ["Ben", "Cid", "Dan"]
    stream.cancel()


def test_a_move_tells_no_facts_anew(any_server: Stubs) -> None:
    """What a revision tells is not told twice."""
    created = create(any_server, **endless(TURNS))
    stream = watch(any_server, created)
    feed_on(any_server, created)
    assert kinds(list(stream)) == ["snapshot", *["update"] * TURNS, "closing"]


@pytest.mark.parametrize("over", [True, False], ids=["over", "aborted"])
def test_who_awaits_a_rematch_is_told_of_it(any_server: Stubs, over: bool) -> None:  # noqa: FBT001  a parameter
    created = create(any_server, options=options(max_turns=1))
    stream = watch(any_server, created, await_rematch=True)
    resumed = watch(any_server, created, after_revision=0, await_rematch=True)
    with Player(any_server, created, 1, await_rematch=True) as player:
        assert player.take().HasField("snapshot")
        if over:
            submit(any_server, created, 0)
        else:
            abort(any_server, created)
        rematch = rematch_of(any_server, created).session
        messages = [list(stream), list(resumed), list(player.received)]
    for told in messages:
        *_, facts, closing = (message for message in told if not message.HasField("heartbeat"))
        assert facts.session.rematch == rematch.name
        assert closing.closing.reason == wire.CLOSING_REASON_SESSION_ENDED
    assert kinds(list(watch(any_server, created, await_rematch=True))) == ["snapshot", "closing"], "it is there already"


def next_facts(stream: object, having: Callable[[wire.Session], bool] = lambda _: True) -> wire.Session:
    """The next session on a stream that is so."""
    while True:
        message: wire.WatchSessionResponse = next(stream)  # type: ignore[call-overload]  # a stream of gRPC
        if message.HasField("session") and having(message.session):
            return message.session


def kinds(messages: list[wire.WatchSessionResponse]) -> list[str | None]:
    return [message.WhichOneof("message") for message in messages if not message.HasField("heartbeat")]
