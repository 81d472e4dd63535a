"""The session service knows no game: every one is played, shown, revealed and recomputed in the same way."""

import random
from hashlib import sha256
from typing import Any

import pytest
from google.protobuf.message import Message
from monsters.session.v1 import session_pb2 as wire

from services.games import find_games
from tests.support.draws import every_draw_agrees
from tests.support.servers import Stubs, messages_of
from tests.support.sessions import Created, abort, create, history_of, reveal_of, session_of, submit, view_of

MOST_MOVES = 60


@pytest.fixture(params=find_games())
def game(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def play_some(stubs: Stubs, created: Created) -> list[wire.Update]:
    """Play random moves of random seats that may act: by their text, and as they came."""
    whim, updates = random.Random(7), list[wire.Update]()
    standing = created.session.standing
    while len(updates) < MOST_MOVES and not standing.HasField("outcome"):
        seat = whim.choice(standing.awaited)
        chosen = whim.choice(view_of(stubs, created, seat).moves)
        action: dict[str, Any] = {"text": chosen.text} if whim.random() < 0.5 else {"move": chosen.move}
        updates.append(submit(stubs, created, seat, **action))
        standing = updates[-1].standing
    return updates


def unpacked(game: str, name: str, packed: Any) -> Message:
    """What an Any holds: it has to be of the game's own type."""
    message: Message = getattr(messages_of(game), name)()
    assert packed.Unpack(message)
    return message


@pytest.mark.parametrize("most", [False, True], ids=["fewest seats", "most seats"])
def test_every_game_is_played_as_every_other(any_server: Stubs, game: str, most: bool) -> None:  # noqa: FBT001  a case
    seats = find_games()[game].game.seats
    created = create(any_server, seats[-1 if most else 0], game=game, options=None)
    assert not created.session.standing.HasField("outcome")
    updates = play_some(any_server, created)
    assert [update.revision for update in updates] == list(range(1, len(updates) + 1))
    session = session_of(any_server, created)
    if session.state != wire.STATE_OVER:
        abort(any_server, created)
    for update in updates:
        unpacked(game, "View", update.view)
        for event in update.events:
            unpacked(game, "Event", event)
        for move in update.moves:
            unpacked(game, "Move", move.move)
    assert len(history_of(any_server, created)) == len(updates) + 1


def test_every_game_can_be_recomputed(any_server: Stubs, game: str) -> None:
    created = create(any_server, find_games()[game].game.seats[-1], game=game, options=None)
    updates = play_some(any_server, created)
    if not updates[-1].standing.HasField("outcome"):
        abort(any_server, created)
    revealed = reveal_of(any_server, created)
    assert sha256(revealed.server_seed).digest() == created.session.commitment
    assert every_draw_agrees(revealed)
    for step in revealed.steps:
        unpacked(game, "Position", step.position)


def test_a_view_is_the_same_whoever_makes_it(any_server: Stubs, game: str) -> None:
    """The one that comes with the move, and the one that is made of the stored position."""
    created = create(any_server, find_games()[game].game.seats[0], game=game, options=None)
    for update in play_some(any_server, created)[:20]:
        if update.HasField("seat"):
            snapshot = view_of(any_server, created, update.seat, revision=update.revision)
            assert (snapshot.view, snapshot.moves) == (update.view, update.moves)
