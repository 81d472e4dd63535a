"""The few words that Envoy's configuration is made of."""

from collections.abc import Mapping
from typing import Any

Json = Mapping[str, Any]
FILTERS = "envoy.extensions.filters.http"
TRANSCODER = "transcoder"
"""The name of the filter that pages switch off."""
SESSION = "lair-session"
"""The header that says which session a call is about: sessions/{id}. It is public; servers ignore it."""
MOST_PORT = 65_535


def typed(name: str, **fields: Any) -> dict[str, Any]:
    """A message with its type, as JSON writes an Any."""
    return {"@type": f"type.googleapis.com/{name}", **fields}


def address(target: str) -> Json:
    """A host:port. Raises ValueError when it is none."""
    host, _, port = target.rpartition(":")
    if not (host and port.isdecimal() and int(port) <= MOST_PORT):
        raise ValueError(f"{target!r} is no host:port")
    return {"socket_address": {"address": host.strip("[]"), "port_value": int(port)}}
