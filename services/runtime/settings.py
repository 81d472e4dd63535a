"""What the environment sets: read once, at the start, and never again."""

from pathlib import Path
from typing import Literal

from pydantic import Field
from pydantic_settings import BaseSettings, SettingsConfigDict

OFF = "off"
MEMORY = "memory:"


class Settings(BaseSettings):
    """Every setting is LAIR_<NAME> in the environment. Times are in seconds."""

    model_config = SettingsConfigDict(env_prefix="LAIR_", frozen=True)

    address: str = "127.0.0.1:50051"
    """Where gRPC listens. Port 0 takes a free one."""
    edge: str = Field(default=OFF, pattern=rf"^({OFF}|\S+:\d{{1,5}})$")
    """Where HTTP listens, through an Envoy beside the server; "off" is gRPC alone. Port 0 takes a free one."""
    origins: str = "local"
    """Whose pages may call through the edge: "local" are this machine's. Others come after commas, * is everybody's."""
    site: str = OFF
    """A folder of files that the edge serves from its root on, such as the page that `make web` builds; or "off"."""
    database: Path = Path("lair.db")
    """The SQLite file of the sessions, which is made when it isn't there; "memory:" keeps them in no file."""
    rules: str = "inprocess"
    """How sessions reach the rules: "inprocess", or a gRPC target in which {game} is the token."""
    rules_timeout: float = Field(default=5.0, gt=0)
    """How long a call to the rules may take."""
    games: str = ""
    """With a gRPC target: the tokens of the games whose rules are there, after commas. Empty: those installed here."""
    max_rules_calls: int = Field(default=256, ge=1)
    """Calls to the rules of one game under way at once; more fail at once."""
    reflection: bool = True
    """Whether the server describes itself. Turn it off in production."""
    log_format: Literal["auto", "text", "json"] = "auto"
    """For people or for machines. "auto" is text on a terminal."""
    log_level: Literal["debug", "info", "warning", "error"] = "info"
    """Calls are logged at info; "warning" tells of failures of ours alone."""
    max_calls: int = Field(default=1000, ge=0)
    """Calls under way at once; more are told to come again. Streams don't count here."""
    max_streams: int = Field(default=10_000, ge=0)
    """Streams open at once, those of sessions and those of rules each."""
    heartbeat: float = Field(default=10.0, gt=0, le=15.0)
    """How long a stream may be silent."""
    idle: float = Field(default=7 * 86_400.0, ge=1)
    """How long nobody may touch a session that says nothing else: then it is ended without a result."""
    keep: float = Field(default=30 * 86_400.0, ge=1)
    """How long a session that says nothing else is kept once it has ended."""
    stand_in: float = Field(default=1.0, ge=0, le=60)
    """How long a stand-in waits before it moves in a seat that was left, in a session that says nothing else."""
    health_address: str = OFF
    """Where probes are answered, apart from every other call; "off" is nowhere."""
    connection_age: float = Field(default=0.0, ge=0)
    """How old a connection may get before its client is asked to make a new one; 0 is any age."""
    drain: float = Field(default=0.0, ge=0)
    """After SIGTERM: how long to go on serving while health says NOT_SERVING."""
    grace: float = Field(default=5.0, ge=0)
    """After the drain: how long calls under way may take."""

    @property
    def game_tokens(self) -> tuple[str, ...]:
        """The games whose rules a gRPC target has, as far as they are named."""
        return tuple(token.strip() for token in self.games.split(",") if token.strip())

    @property
    def in_memory(self) -> bool:
        """Whether sessions are kept in no file, and are gone with the process."""
        return str(self.database) == MEMORY

    @property
    def site_folder(self) -> Path | None:
        """The folder of the site, if there is one."""
        return None if self.site == OFF else Path(self.site)

    @property
    def foreign_origins(self) -> tuple[str, ...]:
        """The origins that are not this machine's."""
        origins = (origin.strip() for origin in self.origins.split(","))
        return tuple(origin for origin in origins if origin not in ("", "local"))
