"""What it is that listens where no server answers: gRPC says the same of all of them, that a connection failed."""

import socket
import ssl
from enum import Enum

from lair._targets import Target

GREETING = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes([0, 0, 0, 4, 0, 0, 0, 0, 0])
"""The client's preface and an empty SETTINGS frame (RFC 9113, 3.4): what every gRPC client begins with."""
FRAME_HEADER, TYPE_AT, SETTINGS = 9, 3, 4
"""A frame's header has 9 bytes, and its type in the fourth; of SETTINGS it is 4 (RFC 9113, 4.1 and 6.5)."""
ALERT = b"\x15\x03"
"""How a TLS server refuses what is no TLS (RFC 8446, 5.1)."""
PATIENCE = 1.0
"""Seconds that each look may take."""


class Finding(Enum):
    """What listens there."""

    NOBODY = "nobody"
    HTTP_2 = "HTTP/2"
    HTTP_1 = "HTTP/1"
    TLS = "TLS"
    SILENCE = "silence"
    OTHER = "other"


def look(target: Target) -> Finding:
    """Greet whoever listens at a host and a port as gRPC would without TLS, and hear what comes back."""
    try:
        with socket.create_connection((target.host, target.port), PATIENCE) as connection:
            return _greet(connection) or (Finding.TLS if _speaks_tls(target) else Finding.OTHER)
    except (OSError, UnicodeError):
        return Finding.NOBODY


def _greet(connection: socket.socket) -> Finding | None:
    """What answers to the greeting. None: whoever it is closes the connection without a word."""
    try:
        connection.sendall(GREETING)
        heard = connection.recv(FRAME_HEADER)
    except TimeoutError:
        return Finding.SILENCE
    except OSError:
        return None
    if heard.startswith(ALERT):
        return Finding.TLS
    if heard.startswith((b"HTTP/", b"<")):  # some answer an unknown version as HTTP/0.9: with the page alone
        return Finding.HTTP_1
    if len(heard) == FRAME_HEADER and heard[TYPE_AT] == SETTINGS:
        return Finding.HTTP_2
    return Finding.OTHER if heard else None


def _speaks_tls(target: Target) -> bool:
    """Whether a TLS handshake gets an answer in TLS. Nothing else is sent, so nobody has to be trusted."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    try:
        with socket.create_connection((target.host, target.port), PATIENCE) as connection:
            context.wrap_socket(connection).close()
    except ssl.SSLError as refusal:
        return "ALERT" in (refusal.reason or "")
    except OSError:
        return False
    return True
