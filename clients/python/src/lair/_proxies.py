"""The proxies that the environment names, as gRPC reads it: said in errors, and left out on the way to this machine.

gRPC would send even the loopback through a proxy. It knows proxies of HTTP alone, and variables in lower case.
"""

import ipaddress
import os
from urllib.parse import urlsplit

from lair._targets import Target

VARIABLES = ("grpc_proxy", "https_proxy", "http_proxy")
EXCEPTIONS = ("no_grpc_proxy", "no_proxy")


def proxy_of(target: Target) -> str:
    """The proxy on the way to a server, as a person would name it, without its password. Empty: there is none."""
    variable = next((name for name in VARIABLES if os.environ.get(name)), None)
    if variable is None or not target.host or target.loopback or _excepted(target.host):
        return ""
    try:
        parts = urlsplit(os.environ[variable])
        host, port = parts.hostname, parts.port
    except ValueError:
        return ""
    if parts.scheme != "http" or not host:
        return ""
    return f"{host}:{port or 80} (from {variable})"


def _excepted(host: str) -> bool:
    """Whether a host is among the exceptions: by the end of its name, or by a network that has its address."""
    listed = next((value for name in EXCEPTIONS if (value := os.environ.get(name))), "")
    return any(_matches(host, each.strip()) for each in listed.split(","))


def _matches(host: str, exception: str) -> bool:
    if exception and host.lower().endswith(exception.lower()):
        return True
    try:
        return "/" in exception and ipaddress.ip_address(host) in ipaddress.ip_network(exception, strict=False)
    except ValueError:
        return False
