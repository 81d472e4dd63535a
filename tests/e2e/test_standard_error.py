"""A server whose standard error nobody reads goes on, and ends."""

import fcntl
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from services.demo import find_address
from tests.support.processes import PATIENCE, ROOT, environment
from tests.support.servers import Stubs
from tests.support.sessions import create, session_of

CALLS = 300
SMALLEST_PIPE = 4096


@pytest.mark.skipif(not hasattr(fcntl, "F_SETPIPE_SZ"), reason="only Linux makes a pipe smaller")
def test_a_standard_error_that_nobody_reads_keeps_no_call_waiting(tmp_path: Path) -> None:
    reading, writing = os.pipe()
    fcntl.fcntl(writing, fcntl.F_SETPIPE_SZ, SMALLEST_PIPE)
    command = [sys.executable, "-m", "services", "--address", "127.0.0.1:0", "--database", str(tmp_path / "lair.db")]
    given = environment(LAIR_LOG_FORMAT="json")
    with subprocess.Popen(command, cwd=ROOT, env=given, stdout=subprocess.PIPE, stderr=writing, text=True) as server:
        os.close(writing)
        try:
            with Stubs(find_address(server)) as stubs:
                created = create(stubs)
                for _ in range(CALLS):
                    session_of(stubs, created)
                assert stubs.serving()
            server.terminate()
            assert server.wait(PATIENCE) == 0, "nobody reads, and it ends all the same"
        finally:
            server.kill()
        with os.fdopen(reading, "rb") as kept:
            lines = kept.read().split(b"\n")
    assert all(json.loads(line)["event"] for line in lines[:-1])
    assert len(lines) < CALLS, "most of them never came into the pipe"
