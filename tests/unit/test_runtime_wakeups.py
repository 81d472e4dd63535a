"""The socket by which gRPC wakes the loop: one read empties it, no write waits, and gRPC has taken it."""

import contextlib
import socket
import subprocess
import sys

import pytest

from services.runtime import wakeups
from tests.support.processes import ROOT

TAKEN = """
import asyncio, socket
from services.runtime import wakeups

usual = socket.socketpair

async def main():
    print(wakeups.take(), wakeups.take(), socket.socketpair is usual)

asyncio.run(main())
"""


def test_one_read_gives_all_bytes_and_a_write_for_which_there_is_no_room_does_not_wait() -> None:
    read, write = wakeups.pair()
    with read, write:
        read.setblocking(False)
        for _ in range(3):
            written = filled(write)
            assert 1 < written < wakeups.ROOM
            assert len(read.recv(1)) == written
            with pytest.raises(BlockingIOError):
                read.recv(1)


def filled(write: socket.socket) -> int:
    """How many bytes there was room for."""
    written = 0
    with contextlib.suppress(BlockingIOError):
        while True:
            written += write.send(b"1")
    return written


def test_grpc_takes_it_once_for_a_process() -> None:
    command = [sys.executable, "-c", TAKEN]
    assert subprocess.run(command, cwd=ROOT, capture_output=True, check=True).stdout == b"True False True\n"
