"""The crowd that plays at several servers and checks what it saw, at one server of one file: what must hold for any."""

from pathlib import Path

from tests.support.processes import Server
from tests.support.spraying import Crowd, check


async def test_a_crowd_sees_one_story(tmp_path: Path) -> None:
    with Server(tmp_path / "lair.db", LAIR_LOG_LEVEL="warning") as server:
        crowd = Crowd([server.address] * 3, wanted=60, patience=60.0)
        await crowd.play(tables=3)
        await check(crowd, server.address)
    assert crowd.moves >= crowd.wanted
