"""The SDK against a real server: one suite, both flavours."""

from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest
from monsters.cabbages.v1 import cabbages_pb2 as cabbages

import lair
import lair.testing
from lair import _calls
from services.games import find_games
from tests.support.flavours import FLAVOURS, connected, done, items

TWO = {"game": "cabbages", "seats": ["Ann", "Ben"], "options": {"first_seat": 0, "max_turns": 40}}


@pytest.fixture(scope="module")
def target() -> Iterator[str]:
    with lair.testing.server() as address:
        yield address


@pytest.fixture(params=FLAVOURS)
async def client(request: pytest.FixtureRequest, target: str) -> AsyncIterator[Any]:
    async with connected(request.param, target) as opened:
        yield opened


async def test_the_games_of_the_server_are_listed_and_each_is_described(client: Any) -> None:
    games = {game.token: game for game in await done(client.games())}
    assert list(games) == sorted(find_games())
    listed, game = games["cabbages"], await done(client.rules("cabbages").describe())
    assert (listed.min_seats, listed.max_seats) == (game.min_seats, game.max_seats) == (2, 5)
    assert (listed.title, listed.rules_versions) == (game.title, (game.rules_version,))
    assert "C-R10" in [rule.id for rule in game.rules]
    assert "cup_start" in [option.name for option in game.options]
    assert game.defaults.max_turns == 1000


async def test_a_created_session_has_all_its_seats(client: Any) -> None:
    session = await done(client.create(**TWO))
    assert [(seat.index, seat.name) for seat in session.seats] == [(0, "Ann"), (1, "Ben")]
    assert session.game == "cabbages"
    assert len(session.commitment) == 32
    facts = await done(session.facts())
    assert facts.name == session.name
    assert facts.state is lair.State.PLAYING
    assert facts.standing == lair.Standing((0,), (0,), stage=1)
    assert facts.options == cabbages.Options(first_seat=0, max_turns=40)


async def test_a_move_is_played_by_text_by_message_and_as_a_legal_move(client: Any) -> None:
    session = await done(client.create(**TWO))
    ann, ben = session.seats
    first = await done(ann.play("harvest"))
    assert (first.revision, first.seat) == (1, 0)
    assert first.events[0].harvested.cabbages == sum(first.draws[0].results) == first.view.cabbages[0]
    second = await done(ben.play(cabbages.Move(harvest=cabbages.Harvest())))
    assert second.standing.may_act == (0,)
    (legal, *_) = await done(ann.moves())
    assert (legal.text, legal.move) == ("harvest", cabbages.Move(harvest=cabbages.Harvest()))
    assert (await done(ann.play(legal))).revision == 3


async def test_an_illegal_move_says_why_and_changes_nothing(client: Any) -> None:
    session = await done(client.create(**TWO))
    ann, ben = session.seats
    with pytest.raises(lair.NotYourTurn) as not_hers:
        await done(ben.play("harvest"))
    assert (not_hers.value.reason, not_hers.value.rule) == ("NOT_YOUR_TURN", "C-R4")
    assert not_hers.value.domain == "monsters.cabbages.v1"
    assert not_hers.value.__cause__ is not None
    with pytest.raises(lair.IllegalMove) as empty:
        await done(ann.play("feed"))
    assert (type(empty.value), empty.value.reason, empty.value.rule) == (lair.IllegalMove, "CUP_EMPTY", "C-R10")
    assert (await done(session.facts())).revision == 0


async def test_what_is_no_move_is_an_invalid_request(client: Any) -> None:
    ann = (await done(client.create(**TWO))).seats[0]
    with pytest.raises(lair.InvalidRequest):
        await done(ann.play("dance"))
    with pytest.raises(lair.InvalidRequest):
        await done(ann.play(17))
    with pytest.raises(lair.WrongGame):
        await done(ann.play(cabbages.View()))


async def test_the_same_request_id_plays_once_and_answers_twice(client: Any) -> None:
    session = await done(client.create(**TWO))
    ann = session.seats[0]
    request_id = "7f3c1f0e-9a55-4b52-8a3c-5a0a1f3d9d11"
    first = await done(ann.play("harvest", request_id=request_id))
    again = await done(ann.play("harvest", request_id=request_id))
    assert again == first
    assert (await done(session.facts())).revision == 1
    with pytest.raises(lair.RequestIdReused):
        await done(ann.play("feed", request_id=request_id))


async def test_a_stale_etag_is_refused_with_the_present_one(client: Any) -> None:
    session = await done(client.create(**TWO))
    ann, ben = session.seats
    seen = await done(ann.snapshot())
    update = await done(ann.play("harvest", etag=seen.etag))
    with pytest.raises(lair.StaleSession) as stale:
        await done(ben.play("harvest", etag=seen.etag))
    assert stale.value.current_etag == update.etag


async def test_earlier_revisions_can_be_seen(client: Any) -> None:
    session = await done(client.create(**TWO))
    ann = session.seats[0]
    await done(ann.play("harvest"))
    assert list((await done(session.view(0))).cabbages) == [0, 0]
    assert (await done(ann.view())).cabbages[0] > 0
    assert (await done(ann.snapshot(0))).revision == 0
    with pytest.raises(lair.NotFound):
        await done(session.view(7))


async def test_players_join_by_the_code_and_the_last_one_starts_the_game(client: Any) -> None:
    session = await done(client.open("cabbages", seats=2))
    assert session.seats == ()
    assert session.name not in [facts.name async for facts in items(client.lobbies())]
    with pytest.raises(lair.PermissionDenied) as unlisted:
        await done(client.join(session.name, name="Ann"))
    assert unlisted.value.reason == "JOIN_CODE_REQUIRED"
    with pytest.raises(lair.WrongState):
        await done(session.view())
    ben = await done(client.join(session.join_code, name="Ben", seat=1))
    assert (ben.index, ben.name) == (1, "Ben")
    with pytest.raises(lair.SeatTaken):
        await done(client.join(session.join_code, name="Cleo", seat=1))
    ann = await done(client.join(session.join_code.upper(), name="Ann"))
    assert (ann.index, ann.session.seats) == (0, (ann,))
    facts = await done(session.facts())
    assert facts.state is lair.State.PLAYING
    assert [seat.name for seat in facts.seats] == ["Ann", "Ben"]
    with pytest.raises(lair.NotFound):
        await done(client.join("0000-0000"))


async def test_a_listed_session_is_found_by_its_game_and_joined_by_its_name(client: Any) -> None:
    session = await done(client.open("cabbages", seats=2, listed=True))
    for game in (None, "cabbages", cabbages):
        (found,) = [facts async for facts in items(client.lobbies(game)) if facts.name == session.name]
        assert (found.listed, found.state) == (True, lair.State.LOBBY)
    for game in ("heads", "goblins"):
        assert session.name not in [facts.name async for facts in items(client.lobbies(game))]
    ben = await done(client.join(session.name, name="Ben", seat=1))
    assert (ben.index, ben.name, ben.known_facts.listed) == (1, "Ben", True)
    assert (await done(client.join(session.join_code, name="Ann"))).index == 0
    assert session.name not in [facts.name async for facts in items(client.lobbies())]
    with pytest.raises(lair.SeatTaken):
        await done(client.join(session.name))


async def test_a_handle_can_be_made_again_from_a_name_and_a_token(client: Any) -> None:
    session = await done(client.create(**TWO))
    again = await done(client.session(session.name.removeprefix("sessions/"), host_token=session.host_token))
    assert (again.name, again.game, again.commitment) == (session.name, session.game, session.commitment)
    ben = await done(client.seat(session.name, session.seats[1].token))
    assert (ben.index, ben.name, ben.session.name) == (1, "Ben", session.name)
    assert (await done(again.timeout())).events[0].timed_out.seat == 0
    with pytest.raises(lair.BadToken):
        await done(client.seat(session.name, "nonsense"))
    with pytest.raises(lair.BadToken):
        await done(client.seat(session.name, session.host_token))
    with pytest.raises(lair.NotFound):
        await done(client.session("nowhere"))


async def test_only_the_host_ends_a_session_early(client: Any) -> None:
    session = await done(client.create(**TWO))
    stranger = await done(client.session(session.name))
    with pytest.raises(lair.PermissionDenied):
        await done(stranger.abort())
    assert (await done(session.abort())).state is lair.State.ABORTED
    assert (await done(session.abort())).state is lair.State.ABORTED, "a retry hears the same"
    with pytest.raises(lair.WrongState) as aborted:
        await done(session.seats[0].play("harvest"))
    assert aborted.value.reason == "SESSION_ABORTED"
    with pytest.raises(lair.WrongState):
        await done(session.play_out())


async def test_lists_go_on_over_all_pages(client: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_calls, "PAGE", 2)
    session = await done(client.create("cabbages", seats=["Ann", "Ben"], options={"max_turns": 20}))
    await done(session.play_out(seed=1))
    last = (await done(session.facts())).revision
    assert last > 2
    history = [update async for update in items(session.history())]
    assert [update.revision for update in history] == list(range(last + 1))
    assert all(update.view is None for update in history)
    assert [update.revision async for update in items(session.seats[0].history())] == list(range(last + 1))
    assert [step.revision for step in (await done(session.reveal())).steps] == list(range(last + 1))
    opened = [(await done(client.open("cabbages", seats=2, listed=True))).name for _ in range(5)]
    listed = [facts.name async for facts in items(client.lobbies())]
    assert listed[:5] == opened[::-1]


async def test_a_game_is_played_out_and_verified(client: Any) -> None:
    session = await done(client.create("cabbages", seats=["Ann", "Ben", "Cleo"], options={"max_turns": 40}))
    moves: list[lair.Update] = []
    outcome = await done(session.play_out(seed=4, on_move=moves.append))
    facts = await done(session.facts())
    assert facts.standing.outcome == outcome
    assert [update.revision for update in moves] == list(range(1, facts.revision + 1))
    verification = await done(session.verify())
    assert verification.ok, verification
    assert verification.moves == facts.revision
    assert str(verification) == f"verified: {verification.moves} moves, {verification.draws} draws"
    with pytest.raises(lair.GameOver):
        await done(session.seats[0].play("harvest"))


async def test_a_policy_sees_its_seat_and_chooses_among_its_moves(client: Any) -> None:
    session = await done(client.create(**TWO))
    seen: list[lair.Snapshot] = []

    def first(snapshot: lair.Snapshot) -> lair.LegalMove:
        seen.append(snapshot)
        return snapshot.moves[0]

    await done(session.play_out(first))
    assert all(snapshot.standing is not None and snapshot.seat in snapshot.standing.may_act for snapshot in seen)
    with pytest.raises(lair.InvalidRequest):
        await done(session.play_out("clever"))


async def test_nothing_is_revealed_while_the_game_goes_on(client: Any) -> None:
    session = await done(client.create(**TWO))
    with pytest.raises(lair.WrongState) as early:
        await done(session.reveal())
    assert early.value.reason == "SESSION_NOT_OVER"


async def test_options_are_checked_before_anything_is_sent(client: Any) -> None:
    with pytest.raises(lair.InvalidRequest) as wrong:
        await done(client.create("cabbages", seats=["Ann", "Ben"], options={"cup_strat": 3}))
    assert wrong.value.violations[0].field == "options.cup_strat"
    with pytest.raises(lair.InvalidRequest) as absurd:
        await done(client.create("cabbages", seats=["Ann", "Ben"], options={"cup_start": 7}))
    assert absurd.value.violations[0].field == "options.cup_start"


async def test_an_unknown_game_is_not_found(client: Any) -> None:
    with pytest.raises(lair.NotFound, match="cabbages"):
        await done(client.create("chess", seats=["Ann", "Ben"]))


async def test_a_closed_client_says_so(client: Any) -> None:
    await done(client.close())
    with pytest.raises(lair.Unavailable, match="closed"):
        await done(client.games())
