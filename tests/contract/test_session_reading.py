"""Views now and then, the history, and the lobbies that wait."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from monsters.session.v1 import session_pb2 as wire

from tests.support.servers import Stubs, bearer, running
from tests.support.sessions import (
    Created,
    create,
    endless,
    feed_on,
    history_of,
    join,
    open_lobby,
    options,
    play_out,
    session_of,
    submit,
    view_of,
)

TURNS = 7


@pytest.fixture
def alone(tmp_path: Path) -> Iterator[Stubs]:
    """A server whose lobbies are this test's."""
    with running(tmp_path / "lair.db") as stubs:
        yield stubs


def test_a_seat_sees_its_view_with_its_moves(any_server: Stubs) -> None:
    created = create(any_server, options=options(cup_start=3))
    first, second = (view_of(any_server, created, seat) for seat in range(2))
    assert (first.seat, second.seat) == (0, 1)
    assert [move.text for move in first.moves] == ["harvest", "feed"]
    assert not second.moves
    assert first.view == second.view, "nothing is hidden in this game (C-R24)"
    assert (first.state, first.revision, first.etag) == (wire.STATE_PLAYING, 0, created.session.etag)
    assert first.standing == created.session.standing


def test_a_spectator_sees_a_view_without_moves(any_server: Stubs) -> None:
    created = create(any_server)
    for snapshot in (
        view_of(any_server, created),
        any_server.sessions.GetView(
            wire.GetViewRequest(name=created.session.name), metadata=bearer(created.host_token)
        ).snapshot,
    ):
        assert not snapshot.HasField("seat")
        assert not snapshot.moves
        assert snapshot.view == view_of(any_server, created, 0).view


def test_a_seat_may_say_which_it_is(any_server: Stubs) -> None:
    created = create(any_server)
    assert view_of(any_server, created, 1, seat=1).seat == 1


def test_every_earlier_revision_can_be_seen_again(any_server: Stubs) -> None:
    created = create(any_server, options=options(max_turns=TURNS))
    seen = [view_of(any_server, created, 0)]
    while not seen[-1].standing.HasField("outcome"):
        submit(any_server, created, seen[-1].standing.awaited[0])
        seen.append(view_of(any_server, created, 0))
    for revision, snapshot in enumerate(seen):
        again = view_of(any_server, created, 0, revision=revision)
        assert (again.revision, again.etag) == (revision, snapshot.etag)
        assert (again.view, again.moves, again.standing) == (snapshot.view, snapshot.moves, snapshot.standing)


def test_before_the_start_there_is_nothing_to_see(any_server: Stubs) -> None:
    lobby = open_lobby(any_server)
    snapshot = view_of(any_server, lobby)
    assert (snapshot.state, snapshot.revision) == (wire.STATE_LOBBY, 0)
    assert not snapshot.HasField("view")
    assert not snapshot.HasField("standing")


def test_the_history_is_what_the_players_were_told_without_their_views(any_server: Stubs) -> None:
    created = create(any_server, options=options(max_turns=TURNS))
    told = play_out(any_server, created)
    for update in told:
        update.ClearField("view")
        update.ClearField("moves")
    start, *history = history_of(any_server, created)
    assert (start.revision, start.etag) == (0, created.session.etag)
    assert start.events
    assert history == told


@pytest.mark.parametrize("size", [1, 3, TURNS, TURNS + 1, 1000])
def test_the_history_comes_in_pages(any_server: Stubs, size: int) -> None:
    created = create(any_server, **endless(TURNS))
    feed_on(any_server, created)
    whole = history_of(any_server, created)
    assert [update.revision for update in whole] == list(range(TURNS + 1))
    request = wire.ListEventsRequest(name=created.session.name, page_size=size)
    pages: list[list[wire.Update]] = []
    while not pages or request.page_token:
        page = any_server.sessions.ListEvents(request)
        pages.append(list(page.updates))
        request.page_token = page.next_page_token
    assert [update for page in pages for update in page] == whole
    assert {len(page) for page in pages[:-1]} <= {size}
    assert pages[-1], "no page is empty"


def test_a_page_has_a_hundred_revisions_unless_told_otherwise(any_server: Stubs) -> None:
    created = create(any_server, **endless(110))
    feed_on(any_server, created)
    page = any_server.sessions.ListEvents(wire.ListEventsRequest(name=created.session.name))
    assert (len(page.updates), bool(page.next_page_token)) == (100, True)


def test_a_page_ends_by_its_size(any_server: Stubs, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever was asked for: a thousand revisions cost what a hundred requests do. All come, each once."""
    created = create(any_server, **endless(TURNS))
    feed_on(any_server, created)
    whole = history_of(any_server, created)
    monkeypatch.setattr("services.session.usecases.reading.MOST_BYTES", 1)
    monkeypatch.setattr("services.session.usecases.reading.TOGETHER", 2)
    request = wire.ListEventsRequest(name=created.session.name, page_size=1000)
    assert len(any_server.sessions.ListEvents(request).updates) == 2
    assert history_of(any_server, created, page_size=1000) == whole
    asked, revisions = wire.RevealSessionRequest(name=created.session.name, page_size=1000), list[int]()
    while not revisions or asked.page_token:
        page = any_server.sessions.RevealSession(asked)
        assert 1 <= len(page.steps) <= 2
        revisions += [step.revision for step in page.steps]
        asked.page_token = page.next_page_token
    assert revisions == list(range(TURNS + 1))


def names(stubs: Stubs, size: int) -> Iterator[list[str]]:
    """The lobbies, page by page."""
    request = wire.ListSessionsRequest(page_size=size)
    while True:
        page = stubs.sessions.ListSessions(request)
        yield [session.name for session in page.sessions]
        if not page.next_page_token:
            return
        request.page_token = page.next_page_token


@pytest.mark.parametrize("size", [1, 2, 5, 100])
def test_lobbies_are_listed_newest_first(alone: Stubs, size: int) -> None:
    opened = [open_lobby(alone, listed=True).session.name for _ in range(5)]
    pages = list(names(alone, size))
    assert [name for page in pages for name in page] == opened[::-1]
    assert {len(page) for page in pages[:-1]} <= {size}


def test_a_page_has_twenty_lobbies_unless_told_otherwise(alone: Stubs) -> None:
    lobbies = [open_lobby(alone, listed=True).session.name for _ in range(21)]
    assert [len(page) for page in names(alone, 0)] == [20, 1]
    assert next(names(alone, 0))[0] == lobbies[-1]


def test_what_is_opened_or_started_meanwhile_disturbs_no_page(alone: Stubs) -> None:
    lobbies = [open_lobby(alone, listed=True) for _ in range(6)]
    pages = names(alone, 2)
    first = next(pages)
    open_lobby(alone, listed=True)
    start(alone, lobbies[0])
    start(alone, lobbies[5])
    rest = [name for page in pages for name in page]
    assert first + rest == [lobby.session.name for lobby in lobbies[:0:-1]]


def start(stubs: Stubs, lobby: Created) -> None:
    for _ in lobby.session.seats:
        join(stubs, lobby)
    assert session_of(stubs, lobby).state == wire.STATE_PLAYING
