"""Servers as they are named: one text says where a server is and how it is reached, everywhere.

HOST:PORT is reached in the clear, tls://HOST:PORT over TLS, and with ?ca=FILE by the certificates of that file. The
same text stands behind --server, in LAIR_SERVER, in the notebook and in the configuration file, where it can have a
name:

    server = "home"
    [servers]
    home = "tls://games.example:443?ca=/etc/lair/ca.pem"

The file is in the user's configuration folder, or where LAIR_CONFIG says. --server comes before LAIR_SERVER, and that
before the file.
"""

import os
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, quote, urlsplit

from lair.cli.failures import MISUSED, Failure

DEFAULT_SERVER = "127.0.0.1:50051"
"""Where `make run` listens."""
TLS = "tls"


@dataclass(frozen=True, slots=True)
class Server:
    """Where a server is, and how it is reached."""

    address: str
    """HOST:PORT."""
    tls: bool = False
    ca: str = ""
    """The file with the certificates that are trusted. Empty: those of the system."""

    def __str__(self) -> str:
        if not self.tls:
            return self.address
        return f"{TLS}://{self.address}" + (f"?ca={quote(self.ca)}" if self.ca else "")


def read_server(text: str) -> Server:
    """The server of a text. Raises Failure when it can't be read."""
    if not text.startswith(f"{TLS}://"):
        return Server(text)
    try:
        parts = urlsplit(text)
        asked = parse_qs(parts.query, strict_parsing=bool(parts.query))
    except ValueError as problem:
        raise Failure(f'The server "{text}" can\'t be read: {problem}.', MISUSED) from problem
    if parts.path or parts.fragment or asked.keys() - {"ca"}:
        raise Failure(f'Name a server as HOST:PORT or tls://HOST:PORT, not as "{text}".', MISUSED)
    return Server(parts.netloc, tls=True, ca=asked.get("ca", [""])[-1])


def chosen_server(named: str | None, *, tls: bool = False, ca: str | None = None) -> str | None:
    """The server that is asked for, by its text; None when nothing says which. Raises Failure."""
    if named is None and not tls and ca is None:
        return None
    text = default_server() if named is None else named_servers().get(named, named)
    if not tls and ca is None:
        return text
    server = read_server(text)
    return str(Server(server.address, tls=True, ca=server.ca if ca is None else str(Path(ca).expanduser().resolve())))


def default_server() -> str:
    """Where commands go when nothing else says so: where the file says, else to this machine. Raises Failure."""
    named = _configured().get("server", DEFAULT_SERVER)
    if not isinstance(named, str):
        raise Failure(f"{config_path()}: server must be a text.")
    return named_servers().get(named, named)


def named_servers() -> dict[str, str]:
    """The servers that the file has names for. Raises Failure."""
    servers = _configured().get("servers", {})
    if not isinstance(servers, dict) or not all(isinstance(server, str) for server in servers.values()):
        raise Failure(f'{config_path()}: servers must be names with a text each, such as home = "tls://HOST:PORT".')
    return servers


def config_path() -> Path:
    """LAIR_CONFIG, else a file in the user's configuration folder."""
    if chosen := os.environ.get("LAIR_CONFIG"):
        return Path(chosen)
    from platformdirs import user_config_path  # noqa: PLC0415  # needed only here, and only without LAIR_CONFIG

    return user_config_path("lair") / "config.toml"


def _configured() -> dict[str, Any]:
    path = config_path()
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except OSError as problem:
        raise Failure(f"The configuration {path} can't be read: {problem.strerror}.") from problem
    except ValueError as problem:
        raise Failure(f"The configuration {path} can't be read: {problem}.") from problem
