"""h2load (of nghttp2) as the load generator: a second opinion, by a program that shares no code with ours.

It sends one framed request again and again and counts what HTTP says, which is 200 also for a call that failed. So a
real client checks one answer first.
"""

import re
import shutil
import struct
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import grpc
from google.protobuf.message import Message

from loadtests.baselines import empty
from loadtests.generator import hops
from loadtests.generator.loads import LANES
from loadtests.measuring.contenders import Side, contending
from loadtests.measuring.rounds import Contender, Sample
from loadtests.measuring.servers import Server, processor_seconds

PROGRAM = "h2load"
MISSING = f"{PROGRAM} is not installed (Debian and Ubuntu: nghttp2-client), so its cross-check is left out"
PATIENCE = 60
"""Seconds that it may take beyond its time."""
DONE = re.compile(r"finished in .*?, ([0-9.]+) req/s.*?requests: .*? ([0-9]+) succeeded, ([0-9]+) failed", re.DOTALL)


def is_installed() -> bool:
    """Whether there is one."""
    return shutil.which(PROGRAM) is not None


@contextmanager
def both(side: Side) -> Iterator[tuple[Contender, Contender]]:
    """h2load and our load generator, on one server, with the same call."""
    path, request, answer = _call(side.load)
    with contending(side) as ours, tempfile.TemporaryDirectory() as folder:
        server = ours.servers[0]
        with grpc.insecure_channel(server.address) as channel:
            real: Any = channel.unary_unary(path, type(request).SerializeToString, type(answer).FromString)
            assert real(request) == answer
        yield _h2load(server, path, request, Path(folder)), ours


def _call(load: str) -> tuple[str, Message, Message]:
    """What a load sends, and what it gets."""
    if load == "empty":
        message = empty.Small(text="sessions/0123456789ab", number=7)
        return empty.ANSWER, message, message
    method = next(method for method in hops.REQUESTS if hops.row_of(method) == load)
    return f"{hops.SERVICE}/{method}", hops.REQUESTS[method], hops.answer_to(method)


def _h2load(server: Server, path: str, request: Message, folder: Path) -> Contender:
    raw = request.SerializeToString()
    body, log = folder / "body", folder / "log"
    # A message on the wire of gRPC: not compressed, its length, the message.
    body.write_bytes(struct.pack(">BI", 0, len(raw)) + raw)
    headers = ("-H", "content-type: application/grpc", "-H", "te: trailers")
    command = (PROGRAM, "--clients=1", f"--max-concurrent-streams={LANES}", f"--data={body}", f"--log-file={log}")

    def contend(seconds: float) -> Sample:
        before = processor_seconds(server.pid)
        duration = f"--duration={round(seconds * 1000)}ms"
        done = subprocess.run(
            [*command, *headers, duration, f"http://{server.address}{path}"],
            capture_output=True,
            text=True,
            check=True,
            timeout=seconds + PATIENCE,
        )
        took = processor_seconds(server.pid) - before
        found = DONE.search(done.stdout)
        assert found, done.stdout
        rate, succeeded, failed = float(found[1]), int(found[2]), int(found[3])
        assert succeeded
        assert not failed
        latencies = [int(line.split("\t")[2]) / 1e6 for line in log.read_text().splitlines()]
        log.unlink()
        return Sample(succeeded, succeeded / rate, took, latencies)

    return contend
