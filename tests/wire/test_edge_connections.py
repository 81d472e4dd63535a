"""Connections of which nothing comes, or to which nothing goes: none is kept for good, and their number has an end."""

import socket
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager

import psutil
import pytest

from services.edge.listener import SILENT_SECONDS
from tests.support.edge import Web, edge, needs_envoy
from tests.support.servers import PATIENCE, Stubs
from tests.support.sessions import create, endless, feed_on

pytestmark = needs_envoy
MOST = 6
LONG = 300
"""Moves whose messages are more than a connection holds that nobody reads."""
LIMITS = {
    "services.edge.listener.IDLE_SECONDS": 1,
    "services.edge.listener.HEADERS_SECONDS": 1,
    "services.edge.listener.GONE_SECONDS": 1,
    "services.edge.bootstrap.MOST_CONNECTIONS": MOST,
}


@pytest.fixture(scope="module")
def strict(server: Stubs) -> Iterator[Web]:
    with pytest.MonkeyPatch.context() as patch:
        for name, value in LIMITS.items():
            patch.setattr(name, value)
        with edge(server.address) as web:
            yield web


@contextmanager
def connected(web: Web, first: bytes = b"", **options: int) -> Iterator[socket.socket]:
    """A connection to the edge, on which something was sent."""
    host, _, port = web.address.rpartition(":")
    with socket.socket() as connection:
        for name, value in options.items():
            connection.setsockopt(socket.SOL_SOCKET, getattr(socket, name), value)
        connection.settimeout(PATIENCE)
        connection.connect((host, int(port)))
        connection.sendall(first)
        yield connection


def all_of(connection: socket.socket) -> bytes:
    """What comes until the edge ends the connection."""
    said = b""
    try:
        while part := connection.recv(65536):
            said += part
    except ConnectionResetError:
        pass
    return said


def until(look: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not look():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def test_whoever_says_nothing_is_not_kept(strict: Web) -> None:
    with connected(strict) as connection:
        assert all_of(connection) == b""


def test_whoever_says_nothing_more_is_not_kept(strict: Web) -> None:
    with connected(strict, b"GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n") as connection:
        assert all_of(connection).startswith(b"HTTP/1.1 200 ")


def test_headers_that_do_not_come_to_their_end_are_too_slow(strict: Web) -> None:
    with connected(strict, b"GET /healthz HTTP/1.1\r\nhost: x\r\n") as connection:
        said = all_of(connection)
    assert said.startswith(b"HTTP/1.1 408 ")
    assert b'"TOO_SLOW"' in said


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux gives such a connection up")
def test_whoever_reads_nothing_is_given_up(strict: Web, server: Stubs) -> None:
    """As behind a network that swallows packets: the stream is taken from it, though it never said goodbye."""
    created = create(server, **endless(10 * LONG))
    feed_on(server, created, LONG)
    path = f"/v1/{created.session.name}:watch?afterRevision=-1"
    request = f"GET {path} HTTP/1.1\r\nhost: x\r\n\r\n".encode()
    with connected(strict, request, SO_RCVBUF=4096) as connection:
        here = connection.getsockname()[1]
        until(lambda: here in others_of_the_edge(strict))
        began = time.monotonic()
        until(lambda: here not in others_of_the_edge(strict))
        assert time.monotonic() - began < SILENT_SECONDS / 2, "it is not given up because nothing is sent"


def others_of_the_edge(web: Web) -> set[int]:
    """The ports of those who are connected to the edge, as its end sees it."""
    port = int(web.address.rpartition(":")[2])
    return {
        each.raddr.port
        for each in psutil.net_connections("tcp")
        if each.laddr and each.laddr.port == port and each.raddr and each.status == psutil.CONN_ESTABLISHED
    }


def test_there_is_an_end_to_connections_and_then_room_again(strict: Web) -> None:
    """Those that are there go on."""
    until(lambda: not others_of_the_edge(strict))
    request = b"GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n"
    with ExitStack() as stack:
        for _ in range(MOST):
            assert stack.enter_context(connected(strict, request)).recv(65536).startswith(b"HTTP/1.1 200 ")
        with connected(strict) as one_more:
            assert all_of(one_more) == b""
            assert len(others_of_the_edge(strict)) >= 1
    until(lambda: not others_of_the_edge(strict))
    assert strict.ask("GET", "/healthz").status == 200
