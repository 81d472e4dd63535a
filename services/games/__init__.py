"""The games, found and not listed: a package in this folder that has a GAME and a CODEC is a game.

A game's folder holds rules.py (the whole game, pure), telling.py (what happens, in sentences), notation.py (a position
as one line of text), codec.py (the only file that knows the wire), rulebook.toml (title, wording of every rule and
option) and scenarios.toml (cases as data).
"""

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

from google.protobuf.descriptor import ServiceDescriptor
from msgspec import Struct

from services.games.codec import AnyCodec
from services.games.rulebook import Rulebook, read_rulebook
from services.kernel.game import AnyGame

FOLDER = Path(__file__).parent


class Entry(Struct, frozen=True):
    """A game with all that a server needs of it."""

    game: AnyGame
    codec: AnyCodec
    service: ServiceDescriptor
    """The game's RulesService, as it was generated."""
    rulebook: Rulebook
    folder: Path

    def __repr__(self) -> str:
        return f"Entry({self.game.token!r})"

    @property
    def package(self) -> str:
        """The proto package that follows from the token. It is also the domain of the game's errors."""
        return f"monsters.{self.game.token}.v1"


@cache
def find_games() -> Mapping[str, Entry]:
    """Every game there is, by token, in the order of the alphabet."""
    tokens = sorted(module.name for module in iter_modules([str(FOLDER)]) if module.ispkg)
    return {token: _load(token) for token in tokens}


def _load(token: str) -> Entry:
    package = import_module(f"{__name__}.{token}")
    generated = import_module(f"monsters.{token}.v1.rules_service_pb2")
    service = generated.DESCRIPTOR.services_by_name["RulesService"]
    folder = FOLDER / token
    return Entry(package.GAME, package.CODEC, service, read_rulebook(folder / "rulebook.toml"), folder)
