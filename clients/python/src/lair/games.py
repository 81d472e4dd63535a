"""The games whose messages are installed: found, not listed. A package monsters.<token>.v1 with a RulesService is one.

A game is given by its token ("cabbages"), or by its generated module:

    from monsters.cabbages.v1 import cabbages_pb2 as cabbages

With the module a type checker knows the types of positions, moves and views.
"""

import re
from functools import cache
from importlib import import_module
from importlib.resources import files
from types import ModuleType
from typing import Any, Protocol, TypeVar

from google.protobuf.any_pb2 import Any as Packed
from google.protobuf.message import DecodeError, Message

from lair._translation import invalid, missing, wrong_game

Position_co = TypeVar("Position_co", bound=Message, covariant=True)
Move_co = TypeVar("Move_co", bound=Message, covariant=True)
View_co = TypeVar("View_co", bound=Message, covariant=True)

PACKAGE = re.compile(r"monsters\.(?P<token>[a-z][a-z0-9]*)\.v1")
TYPE_NAME = re.compile(rf"{PACKAGE.pattern}\.(?P<message>\w+)")
TOKEN = re.compile(r"[a-z][a-z0-9]*")


class Game(Protocol[Position_co, Move_co, View_co]):
    """What the generated module of every game is to a type checker (PEP 544: a module can satisfy a protocol)."""

    @property
    def Position(self) -> type[Position_co]:  # noqa: N802  it is a class
        """The whole truth of a game at one moment."""

    @property
    def Move(self) -> type[Move_co]:  # noqa: N802  it is a class
        """What a seat does."""

    @property
    def View(self) -> type[View_co]:  # noqa: N802  it is a class
        """What a seat or a spectator may know."""


AnyGame = str | Game[Any, Any, Any]
"""A game as callers give it."""


def installed() -> tuple[str, ...]:
    """The tokens of the games whose messages are installed, in the order of the alphabet."""
    names = {folder.name for folder in files("monsters").iterdir() if folder.is_dir()}
    return tuple(token for token in sorted(names) if _load(token) is not None)


def module_of(game: AnyGame) -> Any:
    """The generated module of a game. Raises NotFound for an unknown token, InvalidRequest for another module."""
    if isinstance(game, str):
        module = _load(game)
        if module is None:
            known = ", ".join(installed())
            raise missing(f"no game {game!r} is installed here; there are: {known}", "GAME_NOT_FOUND", game=game)
        return module
    if isinstance(game, ModuleType) and _is_game(game):
        return game
    raise invalid("game", f"must be a token or the generated module of a game, is {game!r}")


def token_of(game: AnyGame) -> str:
    """The token of a game. Raises as module_of does."""
    package: str = module_of(game).DESCRIPTOR.package
    return package.split(".")[1]


@cache
def service_of(module: ModuleType) -> Any:
    """The generated module of the RulesService of a game, which is given by its module: requests and answers."""
    return import_module(f"{module.DESCRIPTOR.package}.rules_service_pb2")


def own(message: Message, full_name: str, path: str) -> Message:
    """The message, when it is of this type. Raises WrongGame."""
    if message.DESCRIPTOR.full_name != full_name:
        raise wrong_game(path, full_name, message.DESCRIPTOR.full_name)
    return message


def pack(message: Message) -> Packed:
    """Wrap a game's message as it travels in a session."""
    packed = Packed()
    packed.Pack(message)
    return packed


def unpack(packed: Packed) -> Message:
    """The game's message in an Any. Raises NotFound when its game is not installed, or is older than the message."""
    name = packed.TypeName()
    match = TYPE_NAME.fullmatch(name)
    message_type = match and getattr(_load(match["token"]), match["message"], None)
    if message_type is None:
        raise missing(f"{name} is not installed here: is lair-games older?", "TYPE_NOT_FOUND", type=name)
    try:
        message: Message = message_type.FromString(packed.value)
    except DecodeError as error:
        raise invalid(name, "can't be read") from error
    return message


@cache
def _load(token: str) -> Any:
    """The generated module of a token, or None when there is no such game."""
    if not TOKEN.fullmatch(token) or _import(f"monsters.{token}.v1.rules_service_pb2") is None:
        return None
    return _import(f"monsters.{token}.v1.{token}_pb2")


def _import(name: str) -> Any:
    """A module, or None when it is not installed."""
    try:
        return import_module(name)
    except ModuleNotFoundError as error:
        if error.name is not None and name.startswith(error.name):
            return None
        raise


def _is_game(module: ModuleType) -> bool:
    package = getattr(getattr(module, "DESCRIPTOR", None), "package", "")
    match = PACKAGE.fullmatch(package)
    return match is not None and _load(match["token"]) is module
