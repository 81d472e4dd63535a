"""Positions in the store that their rules don't take any more: nobody hears what is in them, and other games go on."""

import time
from pathlib import Path

from google.protobuf.duration_pb2 import Duration
from monsters.session.v1 import session_pb2 as wire

from services.games import find_games
from tests.support.canary.game import CANARY
from tests.support.leaks.defects import finding_flaws_in_every_position
from tests.support.leaks.overhearing import log_of_everything
from tests.support.leaks.secrets import Cards
from tests.support.refusals import refusal_of
from tests.support.servers import PATIENCE, running
from tests.support.sessions import abort, create, reveal_of, session_of, submit, view_of, watch

TURN = wire.TimeLimits(turn=Duration(nanos=200_000_000))
BROKEN = finding_flaws_in_every_position(CANARY)


def test_nobody_hears_what_is_wrong_with_a_stored_position(tmp_path: Path) -> None:
    """The rules have changed since it was stored: for the caller that is a defect of ours, without details."""
    database = tmp_path / "lair.db"
    with running(database, [CANARY]) as stubs:
        created = create(stubs, 2, game=CANARY.game.token, options=None)
    with log_of_everything() as log, running(database, [BROKEN]) as stubs:
        for call in (
            lambda: submit(stubs, created, 0, "draw"),
            lambda: view_of(stubs, created, 0),
            lambda: view_of(stubs, created),
            lambda: list(watch(stubs, created, 1)),
        ):
            refused = refusal_of(call)
            assert refused.kind == ("INTERNAL", "monsters.rules.v1", "UNEXPECTED")
            assert not refused.fields
            assert refused.metadata["incident"] in log.getvalue()
        abort(stubs, created)
        cards = Cards(reveal_of(stubs, created).steps).spellings
    assert cards
    for card in cards:
        assert card not in log.getvalue()


def test_a_broken_game_stops_nobody_elses_clock(tmp_path: Path) -> None:
    """Its own time-out is tried again and again, and the others are played."""
    database, whole = tmp_path / "lair.db", next(iter(find_games().values()))
    with running(database, [CANARY, whole]) as stubs:
        broken = create(stubs, 2, game=CANARY.game.token, options=None, limits=TURN)
        other = create(stubs, 2, game=whole.game.token, options=None, limits=TURN)
        revisions = [session_of(stubs, created).revision for created in (broken, other)]
    with running(database, [BROKEN, whole]) as stubs:
        deadline = time.monotonic() + PATIENCE
        while session_of(stubs, other).revision < revisions[1] + 3:
            assert time.monotonic() < deadline, "the clocks stand still"
            time.sleep(0.02)
        assert session_of(stubs, broken).revision <= revisions[0] + 1
