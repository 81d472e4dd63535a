"""What else may listen at an address where a Lair server should be: each on a free port of the loopback."""

import http.server
import socket
import ssl
import subprocess
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path

import grpc


@contextmanager
def listening(answer: Callable[[socket.socket], None]) -> Iterator[str]:
    """Whoever does this with each connection, in a thread of its own."""
    listener = socket.create_server(("127.0.0.1", 0))
    connections: list[socket.socket] = []

    def accept() -> None:
        with suppress(OSError):
            while True:
                connection, _ = listener.accept()
                connections.append(connection)
                threading.Thread(target=serve, args=[connection], daemon=True).start()

    def serve(connection: socket.socket) -> None:
        with suppress(OSError):
            answer(connection)

    threading.Thread(target=accept, daemon=True).start()
    try:
        yield f"127.0.0.1:{listener.getsockname()[1]}"
    finally:
        with suppress(OSError):
            listener.shutdown(socket.SHUT_RDWR)
        listener.close()
        for connection in connections:
            connection.close()


@contextmanager
def silent() -> Iterator[str]:
    """Takes every connection, and says nothing."""
    with listening(lambda _: None) as address:
        yield address


@contextmanager
def hanging_up() -> Iterator[str]:
    """Closes every connection as soon as it hears something."""

    def answer(connection: socket.socket) -> None:
        connection.recv(1)
        connection.close()

    with listening(answer) as address:
        yield address


@contextmanager
def talkative() -> Iterator[str]:
    """Another protocol's server, which speaks first."""
    with listening(lambda connection: connection.sendall(b"220 mail.example ESMTP at your service\r\n")) as address:
        yield address


@contextmanager
def web_server() -> Iterator[str]:
    """HTTP/1."""

    class Quiet(http.server.BaseHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            """Say nothing."""

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Quiet) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield f"127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


def certificate(folder: Path) -> tuple[Path, Path]:
    """A key and a certificate of this machine that signs itself."""
    key, chain = folder / "key.pem", folder / "chain.pem"
    made = [
        "openssl",
        "req",
        "-x509",
        "-newkey",
        "ec",
        "-pkeyopt",
        "ec_paramgen_curve:prime256v1",
        "-nodes",
        "-days",
        "2",
    ]
    named = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"]
    subprocess.run([*made, *named, "-keyout", key, "-out", chain], check=True, capture_output=True)
    return key, chain


@contextmanager
def grpc_over_tls(key: Path, chain: Path) -> Iterator[str]:
    """A gRPC server behind TLS."""
    server = grpc.server(ThreadPoolExecutor(1))
    credentials = grpc.ssl_server_credentials([(key.read_bytes(), chain.read_bytes())])
    port = server.add_secure_port("127.0.0.1:0", credentials)
    server.start()
    try:
        yield f"127.0.0.1:{port}"
    finally:
        server.stop(None).wait()


@contextmanager
def web_over_tls(key: Path, chain: Path) -> Iterator[str]:
    """Something else behind TLS, made by another library."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(chain, key)

    def answer(connection: socket.socket) -> None:
        with context.wrap_socket(connection, server_side=True) as secure:
            secure.recv(1)

    with listening(answer) as address:
        yield address
