"""Watchers whose way to the server breaks again and again miss nothing, and leave nothing behind."""

import random
import threading
import time
from pathlib import Path

import grpc
import pytest
from monsters.session.v1 import session_pb2 as wire

from tests.support.processes import Server
from tests.support.servers import PATIENCE, Stubs
from tests.support.sessions import Created, Player, create, endless, feed_on, submit, watch

TURNS = 300
SOME = 10
CUTS = 20
CANCELLED = 200
STREAMS = 10

pytestmark = pytest.mark.slow


class Watcher:
    """Follows a session to its end over a connection that is cut off, going on after the last revision it has seen."""

    def __init__(self, address: str, created: Created, seat: int | None) -> None:
        self.address = address
        self.created = created
        self.seat = seat
        self.whim = random.Random(f"{created.session.name} {seat}")
        self.revisions: list[int] = []
        self.cuts = 0
        self.codes: set[grpc.StatusCode] = set()
        self.closing: wire.Closing | None = None

    def follow(self) -> None:
        """Watch to the end; cut the first connections at random moments, by the call or by its whole channel."""
        while self.closing is None:
            with Stubs(self.address) as stubs:
                stream = watch(stubs, self.created, self.seat, after_revision=max(self.revisions, default=-1))
                cut = None
                if self.cuts < CUTS:
                    cut = threading.Timer(
                        self.whim.uniform(0, 0.03), self.whim.choice([stream.cancel, stubs.channel.close])
                    )
                    cut.start()
                self.read(stream)
                if cut:
                    cut.join()

    def read(self, stream: object) -> None:
        try:
            for message in stream:  # type: ignore[attr-defined]  # a stream of gRPC
                assert not message.HasField("snapshot"), "whoever goes on is not shown what it has seen"
                if message.HasField("update"):
                    self.revisions.append(message.update.revision)
                if message.HasField("closing"):
                    self.closing = message.closing
        except grpc.RpcError as error:
            self.codes.add(error.code())
            self.cuts += 1
        except ValueError:
            self.cuts += 1  # the channel was closed before the first read


def test_a_watcher_that_is_cut_off_sees_every_revision_once_and_in_order(tmp_path: Path) -> None:
    with Server(tmp_path / "lair.db", LAIR_LOG_LEVEL="warning") as process, Stubs(process.address) as stubs:
        created = create(stubs, **endless(TURNS))
        watchers = [Watcher(process.address, created, seat) for seat in (None, 0, 1)]
        threads = [threading.Thread(target=watcher.follow) for watcher in watchers]
        for thread in threads:
            thread.start()
        for _ in range(TURNS // SOME - 1):
            feed_on(stubs, created, SOME)
            time.sleep(0.01)
        while any(watcher.cuts < CUTS for watcher in watchers):
            time.sleep(0.01)
        feed_on(stubs, created)
        for thread in threads:
            thread.join(PATIENCE)
        for watcher in watchers:
            assert watcher.cuts >= CUTS
            assert watcher.codes <= {grpc.StatusCode.CANCELLED}
            assert watcher.revisions == list(range(TURNS + 1))
            assert watcher.closing == wire.Closing(reason=wire.CLOSING_REASON_SESSION_ENDED, revision=TURNS)
        assert "incident" not in process.log.read_text()


def test_streams_that_were_broken_off_leave_nothing_behind(tmp_path: Path) -> None:
    """The server takes so few streams that it would be full if one of those that are gone still counted."""
    environment = {"LAIR_MAX_STREAMS": str(STREAMS), "LAIR_LOG_LEVEL": "warning"}
    with Server(tmp_path / "lair.db", **environment) as process, Stubs(process.address) as stubs:
        created = create(stubs)
        for number in range(CANCELLED // STREAMS):
            open_and_leave(process.address, created, whole_channel=bool(number % 2))
        wait_for_room(stubs, created)
        with Stubs(process.address) as others:
            streams = [watch(others, created) for _ in range(STREAMS)]
            assert [next(stream).HasField("snapshot") for stream in streams] == [True] * STREAMS
            assert submit(stubs, created, 0).revision == 1
            assert [next(stream).update.revision for stream in streams] == [1] * STREAMS
        assert "incident" not in process.log.read_text()


def open_and_leave(address: str, created: Created, *, whole_channel: bool) -> None:
    """Open as many streams as there may be, of both kinds, wait until they are there, and break them off."""
    with Stubs(address) as stubs:
        wait_for_room(stubs, created)
        streams = [watch(stubs, created, seat) for seat in (None, 0, 1)]
        players = [Player(stubs, created, 0) for _ in range(STREAMS - len(streams))]
        for stream in streams:
            assert next(stream).HasField("snapshot")
        for player in players:
            assert player.take().HasField("snapshot")
        if whole_channel:
            stubs.channel.close()
        for stream in streams:
            stream.cancel()
        for player in players:
            player.leave()


def wait_for_room(stubs: Stubs, created: Created) -> None:
    """Wait until the server has noticed that those who have left are gone: then all streams are free again."""
    deadline = time.monotonic() + PATIENCE
    while True:
        streams = [watch(stubs, created) for _ in range(STREAMS)]
        try:
            assert all(next(stream).HasField("snapshot") for stream in streams)
        except grpc.RpcError:
            assert time.monotonic() < deadline, "streams that are gone still count"
            time.sleep(0.02)
        else:
            return
        finally:
            for stream in streams:
                stream.cancel()
