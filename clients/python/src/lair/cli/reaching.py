"""How a command reaches its server: --tls and --ca beside --server, for every command that has one."""

import inspect
from collections.abc import Callable
from functools import wraps
from typing import Any

from lair.cli.options import CaOption, TlsOption
from lair.cli.servers import chosen_server

Command = Callable[..., Any]


def reaching(command: Command) -> Command:
    """The command with options for TLS. What it gets as its `server` is one text, with names replaced."""
    signature = inspect.signature(command)
    if "server" not in signature.parameters:
        return command

    @wraps(command)
    def run(*arguments: Any, server: str | None = None, tls: bool = False, ca: str | None = None, **more: Any) -> Any:
        return command(*arguments, server=chosen_server(server, tls=tls, ca=ca), **more)

    parameters: list[inspect.Parameter] = []
    for parameter in signature.parameters.values():
        parameters.append(parameter)
        if parameter.name == "server":
            parameters.append(_option("tls", TlsOption, default=False))
            parameters.append(_option("ca", CaOption, default=None))
    run.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]  # PEP 362 reads it
    run.__annotations__ = {**command.__annotations__, "tls": TlsOption, "ca": CaOption}
    return run


def _option(name: str, annotation: Any, default: object) -> inspect.Parameter:
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)
