"""Every method of every service through HTTP: whole games of each game there is, played and verified from JSON."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from monsters.rules.v1 import rules_pb2 as words
from monsters.session.v1 import session_pb2 as wire

import lair
from lair import _calls
from services.app import serving
from services.edge.protos import read_protos
from services.games import Entry
from services.runtime.settings import Settings
from tests.support.edge import Web, edge, needs_envoy
from tests.support.games import ENTRIES, every_game
from tests.support.servers import Stubs, bearer, hosting, running, service_of
from tests.support.sessions import (
    abort,
    create,
    endless,
    feed_on,
    history_of,
    join,
    new_id,
    open_lobby,
    play_out,
    reveal_of,
    session_of,
    submit,
    view_of,
    watch,
)
from tests.support.transcoded import SESSIONS, Transcoded

pytestmark = needs_envoy
BEGINNING = 3
LONG = 150
OVER_HTTP = {method.path for method in read_protos().methods if method.bindings}
UNBOUND = {method.path for method in read_protos().methods if not method.bindings}


@pytest.fixture(scope="module")
def stubs(web: Web) -> Iterator[Transcoded]:
    with Transcoded(web.address) as transcoded:
        yield transcoded


def test_every_method_but_streams_in_both_directions_has_a_path() -> None:
    both = {method.path for method in read_protos().methods if method.streams} - OVER_HTTP
    assert both == UNBOUND


@every_game
def test_a_game_is_played_over_http(stubs: Transcoded, entry: Entry) -> None:
    """What is told of it in JSON is what gRPC tells, field by field."""
    token, seats = entry.game.token, entry.game.seats[0]
    created = create(stubs, seats, game=token, options=None)
    watching = watch(stubs, created)
    assert next(watching).HasField("snapshot")
    updates = play_out(stubs, created, most=BEGINNING)
    abort(stubs, created)
    *told, aborted, closing = (message for message in watching if not message.HasField("heartbeat"))
    assert [message.update.revision for message in told] == [update.revision for update in updates]
    assert aborted.session == session_of(stubs, created)
    assert closing.closing.reason == wire.CLOSING_REASON_SESSION_ENDED
    with Stubs(stubs.address) as plain:
        for ask in (session_of, history_of, reveal_of, view_of):
            assert ask(stubs, created) == ask(plain, created)


def test_a_finished_game_is_verified_from_json(stubs: Transcoded) -> None:
    created = create(stubs)
    updates = play_out(stubs, created)
    assert session_of(stubs, created).state == wire.STATE_OVER
    reveal, _ = _calls._reveal(reveal_of(stubs, created))
    with lair.connect(stubs.address) as client:
        verification = client.rules(created.session.game).verify(reveal, created.session.commitment)
    assert verification.ok, verification
    assert verification.moves == len(updates)


@every_game
def test_the_rules_alone_are_asked_over_http(stubs: Transcoded, entry: Entry) -> None:
    """Each answer is the one that gRPC gives, field by field."""
    token, seats = entry.game.token, entry.game.seats[0]
    messages, rules, plain = service_of(token), stubs.rules(token), Stubs.rules(stubs, token)
    assert rules.DescribeGame(messages.DescribeGameRequest()).game.token == token
    chance = words.Chance(seed=bytes(32))
    start = rules.StartGame(messages.StartGameRequest(seats=seats, chance=chance))
    (seat, *_) = start.standing.may_act
    here: dict[str, Any] = {"position": start.position, "seat": seat}
    moves = rules.EnumerateMoves(messages.EnumerateMovesRequest(**here)).moves
    line = rules.FormatPosition(messages.FormatPositionRequest(position=start.position)).position_text
    ask = {
        "DescribeGame": messages.DescribeGameRequest(),
        "StartGame": messages.StartGameRequest(seats=seats, chance=chance),
        "EnumerateMoves": messages.EnumerateMovesRequest(**here),
        "ValidateMove": messages.ValidateMoveRequest(**here, move=moves[0].move),
        "ApplyMove": messages.ApplyMoveRequest(
            **here, move=moves[0].move, chance=chance, view_for=words.ViewFor(seats=[0], spectator=True, moves=True)
        ),
        "ViewPosition": messages.ViewPositionRequest(**here),
        "SuggestMove": messages.SuggestMoveRequest(**here, chance=chance),
        "FormatPosition": messages.FormatPositionRequest(position=start.position),
        "ParsePosition": messages.ParsePositionRequest(position_text=line),
    }
    for name, request in ask.items():
        assert getattr(rules, name)(request) == getattr(plain, name)(request), name
    service = f"/monsters.{token}.v1.RulesService/"
    assert {path for path in OVER_HTTP if path.startswith(service)} == {f"{service}{name}" for name in ask}


def test_the_lobby_is_used_over_http(stubs: Transcoded) -> None:
    lobby = open_lobby(stubs, listed=True)
    listed = stubs.sessions.ListSessions(wire.ListSessionsRequest(page_size=100)).sessions
    assert lobby.session.name in [session.name for session in listed]
    assert "cabbages" in [game.token for game in stubs.sessions.ListGames(wire.ListGamesRequest()).games]
    by_name = wire.JoinSessionRequest(name=lobby.session.name, display_name="Ann", seat=1)
    seat = stubs.sessions.JoinSession(by_name)
    keys = [wire.SeatKey(name=lobby.session.name, token=token) for token in (seat.seat_token, "nobody's", "")]
    asked = wire.BatchGetStandingsRequest(seats=keys)
    standings = stubs.sessions.BatchGetStandings(asked).standings
    assert [(it.seat, it.HasField("error"), it.session.name) for it in standings] == [
        (1, False, lobby.session.name),
        (0, True, ""),
        (0, False, lobby.session.name),
    ]
    with Stubs(stubs.address) as plain:
        assert plain.sessions.BatchGetStandings(asked).standings == standings
    leaving = wire.LeaveSessionRequest(name=lobby.session.name, request_id=new_id())
    for _ in ("first", "again"):
        assert not stubs.sessions.LeaveSession(leaving, metadata=bearer(seat.seat_token)).session.seats[1].taken
    seat = join(stubs, lobby, display_name="Ann", seat=1)
    assert abort(stubs, lobby).state == wire.STATE_ABORTED
    asking = wire.CreateRematchRequest(name=lobby.session.name)
    again = stubs.sessions.CreateRematch(asking, metadata=bearer(lobby.host_token)).session
    sitting = wire.JoinRematchRequest(name=lobby.session.name, request_id=new_id())
    taken = stubs.sessions.JoinRematch(sitting, metadata=bearer(seat.seat_token))
    assert (taken.seat, taken.session.name) == (1, again.name)
    assert session_of(stubs, lobby).rematch == again.name


def test_a_watch_goes_on_after_the_revision_that_it_names(stubs: Transcoded) -> None:
    created = create(stubs)
    submit(stubs, created, 0)
    watching = watch(stubs, created, after_revision=-1)
    assert [next(watching).update.revision for _ in range(2)] == [0, 1]
    watching.cancel()


def test_an_answer_may_be_larger_than_a_request(server: Stubs, monkeypatch: pytest.MonkeyPatch) -> None:
    """A page of a thousand positions is: so it has a limit of its own."""
    created = create(server, **endless(LONG))
    feed_on(server, created)
    monkeypatch.setattr("services.edge.listener.REQUEST_BYTES", 16 * 1024)
    with edge(server.address) as web, Transcoded(web.address) as stubs:
        assert len(reveal_of(stubs, created).steps) == LONG + 1
        ((_, answer),) = stubs.answers
        assert len(json.dumps(answer)) > 64 * 1024


@every_game
def test_the_sdk_plays_through_the_edge(stubs: Transcoded, entry: Entry) -> None:
    """By gRPC, streams in both directions too."""
    with lair.connect(stubs.address) as client:
        assert entry.game.token in [game.token for game in client.games()]
        session = client.create(entry.game.token, seats=["Ann"] * entry.game.seats[0])
        seat = session.seats[session.facts().standing.may_act[0]]
        with seat.stream() as line:
            assert next(line).revision == 0
            assert line.play(seat.moves()[0]).revision == 1


def test_sessions_and_rules_may_have_servers_of_their_own(tmp_path: Path) -> None:
    chosen: dict[str, Any] = {"address": "127.0.0.1:0", "database": tmp_path / "lair.db"}
    with (
        running() as rules,
        hosting(serving(Settings(**chosen, rules=rules.address), rules=False)) as sessions,
        edge(sessions, rules=rules.address) as web,
        Transcoded(web.address) as stubs,
    ):
        assert play_out(stubs, create(stubs), most=2)
        assert stubs.rules().DescribeGame(service_of("cabbages").DescribeGameRequest()).game.token


def test_every_path_of_the_sessions_is_among_these(stubs: Transcoded) -> None:
    """The tests above, for one game: they need nothing that another game would have differently."""
    test_the_lobby_is_used_over_http(stubs)
    test_a_game_is_played_over_http(stubs, ENTRIES[0])
    used = {method.path for method, _ in stubs.answers if method.service == SESSIONS}
    assert used == {path for path in OVER_HTTP if path.startswith(f"/{SESSIONS}/")}


def test_an_absent_seat_stays_absent_and_other_fields_are_there(stubs: Transcoded) -> None:
    """Scalars are written out even when they are 0, so that a page need not know defaults. Absence means something."""
    created = create(stubs)

    def snapshot(token: str | None) -> Any:
        return Web(stubs.address).ask("GET", f"/v1/{created.session.name}/view", token=token).json["snapshot"]

    assert snapshot(None)["view"]["cupDice"] == 0
    assert "seat" not in snapshot(None)
    assert snapshot(created.seat_tokens[0])["seat"] == 0
