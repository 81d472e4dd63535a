"""What the environment sets: read once, at the start, and never again."""

from ipaddress import ip_address
from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, BeforeValidator, Field, field_validator, model_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from services.runtime.addresses import split
from services.runtime.origins import Network, read_networks

OFF = "off"
AUTO, NOTIFY, PEERS = "auto", "notify", "peers"
MEMORY = ("memory:", ":memory:")
"""No file. SQLite writes it the second way, and would make one of that name."""
POSTGRESQL = ("postgresql://", "postgres://")
"""How addresses of PostgreSQL begin."""
PREFIX = "LAIR_"


def _address(value: str) -> str:
    split(value)
    return value


def _address_or_off(value: str) -> str:
    return value if value == OFF else _address(value)


def _edge(value: str) -> str:
    if value != OFF and (host := split(value)[0]) != "localhost":
        try:
            ip_address(host)
        except ValueError as error:
            raise ValueError(f"Envoy listens on IP addresses, such as 127.0.0.1, and {host!r} is none") from error
    return value


def _site(value: str) -> str:
    if value != OFF and not Path(value, "index.html").is_file():
        raise ValueError(f'there is no index.html in {value!r}: set it to a folder that has one, or to "{OFF}"')
    return value


def _text(value: object) -> object:
    """A path is as good as its text."""
    return str(value) if isinstance(value, Path) else value


def _listed(text: str) -> tuple[str, ...]:
    """What stands between commas."""
    return tuple(part.strip() for part in text.split(",") if part.strip())


Address = Annotated[str, AfterValidator(_address)]
AddressOrOff = Annotated[str, AfterValidator(_address_or_off)]


class Settings(BaseSettings):
    """Every setting is LAIR_<NAME> in the environment. Times are in seconds."""

    model_config = SettingsConfigDict(env_prefix=PREFIX, frozen=True, allow_inf_nan=False)

    address: Address = "127.0.0.1:50051"
    """Where gRPC listens. Port 0 takes a free one."""
    edge: Annotated[str, AfterValidator(_edge)] = OFF
    """Where HTTP listens, through an Envoy beside the server; "off" is gRPC alone. Port 0 takes a free one."""
    origins: str = "local"
    """Whose pages may call through the edge: "local" are this machine's. Others come after commas, * is everybody's."""
    site: Annotated[str, AfterValidator(_site)] = OFF
    """A folder of files that the edge serves from its root on, such as the page that `make web` builds; or "off"."""
    edge_creations: int = Field(default=60, ge=0, le=100_000)
    """How many sessions, and how many rematches, one address may create in a minute through the edge; 0: any number."""
    edge_joins: int = Field(default=60, ge=0, le=100_000)
    """How often one address may try to join in a minute through the edge; 0: any number."""
    edge_streams: int = Field(default=300, ge=0, le=100_000)
    """How many streams of a kind one address may open in a minute through the edge; 0: any number."""
    database: Annotated[str, BeforeValidator(_text)] = Field(default="lair.db", repr=False)
    """The SQLite file of the sessions, which is made when it isn't there; or a PostgreSQL database that other servers
    use as well, postgresql://USER:PASSWORD@HOST:PORT/NAME; "memory:" keeps them in no file."""
    prepare_statements: Literal["auto", "true", "false"] = "auto"
    """Whether PostgreSQL prepares statements, which saves it work. Not behind a pooler that shares connections.

    "auto" finds out for each connection whether there is one between.
    """
    hints: str = AUTO
    """How replicas tell one another what has changed: "notify", "peers", both with a comma, or "off".

    "auto" is "notify" when the sessions are in PostgreSQL, else "off".
    """
    hints_database: str = Field(default="", repr=False)
    """Where "notify" connects to PostgreSQL without a pooler between. Empty: where the sessions are."""
    peers: str = ""
    """The addresses of all replicas for "peers", after commas; a name that leads to several stands for all of them."""
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
    """Unary calls under way at once; more are told to come again. Streams don't count here."""
    max_caller_calls: int = Field(default=500, ge=1)
    """The same for each caller."""
    max_connection_calls: int = Field(default=1000, ge=1)
    """Calls and streams under way on one connection; more wait in the client, as HTTP/2 has it."""
    max_streams: int = Field(default=10_000, ge=0)
    """Streams open at once, those of sessions and those of rules each."""
    max_caller_streams: int = Field(default=1000, ge=1)
    """The same for each caller."""
    max_spectators: int = Field(default=5000, ge=0)
    """Streams of spectators open at once: fewer than of all, so that those who play get theirs."""
    max_creations: int = Field(default=6000, ge=0)
    """Sessions that are opened in a minute; 0 is any number."""
    max_caller_creations: int = Field(default=60, ge=0)
    """The same for each caller from a network that is not trusted."""
    max_joins: int = Field(default=6000, ge=0)
    """Attempts to join a session in a minute; 0 is any number."""
    max_caller_joins: int = Field(default=60, ge=0)
    """The same for each caller from a network that is not trusted."""
    trusted: str = "127.0.0.0/8,::1"
    """The networks, after commas, of the operator's own programs and proxies."""
    proxies: int = Field(default=0, ge=0, le=8)
    """How many proxies stand before the edge, each of which adds the address of its caller to x-forwarded-for."""
    heartbeat: float = Field(default=10.0, gt=0, le=15.0)
    """How long a stream may be silent."""
    keepalive: float = Field(default=60.0, ge=1)
    """How long a connection may be silent before it is asked whether anybody is there."""
    idle: float = Field(default=7 * 86_400.0, ge=1)
    """How long nobody may touch a session that says nothing else: then it is ended without a result."""
    max_idle: float = Field(default=30 * 86_400.0, ge=1, le=365 * 86_400.0)
    """The most that a session may say."""
    keep: float = Field(default=30 * 86_400.0, ge=1)
    """How long a session that says nothing else is kept once it has ended."""
    max_keep: float = Field(default=365 * 86_400.0, ge=1, le=3650 * 86_400.0)
    """The most that a session may say."""
    max_moves: int = Field(default=100_000, ge=1)
    """Moves of one session: with the last of them it is ended without a result, unless its game is over."""
    stand_in: float = Field(default=1.0, ge=0, le=60)
    """How long a stand-in waits before it moves in a seat that was left, in a session that says nothing else."""
    health_address: AddressOrOff = OFF
    """Where probes are answered, apart from every other call; "off" is nowhere."""
    connection_age: float = Field(default=0.0, ge=0)
    """How old a connection may get before its client is asked to make a new one; 0 is any age."""
    drain: float = Field(default=0.0, ge=0)
    """After SIGTERM: how long to go on serving while health says NOT_SERVING."""
    grace: float = Field(default=5.0, ge=0)
    """After the drain: how long calls under way may take."""

    @field_validator("trusted")
    @classmethod
    def _are_networks(cls, text: str) -> str:
        read_networks(text)
        return text

    @field_validator("peers")
    @classmethod
    def _are_addresses(cls, text: str) -> str:
        for peer in _listed(text):
            split(peer.removeprefix("dns:///"))
        return text

    @model_validator(mode="after")
    def _hints_go_somewhere(self) -> Self:
        """Each way of telling has what it needs."""
        ways = _listed(self.hints)
        if not ways or set(ways) - {AUTO, OFF, NOTIFY, PEERS} or (len(ways) > 1 and {AUTO, OFF} & set(ways)):
            raise ValueError(f"LAIR_HINTS must be {AUTO}, {OFF}, {NOTIFY}, {PEERS}, or {NOTIFY},{PEERS}")
        if NOTIFY in ways and not self.notify_database.startswith(POSTGRESQL):
            raise ValueError("LAIR_HINTS has notify, so LAIR_DATABASE or LAIR_HINTS_DATABASE must be a PostgreSQL")
        if PEERS in ways and not self.peer_targets:
            raise ValueError("LAIR_HINTS has peers, so LAIR_PEERS must say where they are")
        return self

    @model_validator(mode="after")
    def _within_bounds(self) -> Self:
        """What a session has that says nothing else is at most what it may say."""
        for name in ("idle", "keep"):
            if getattr(self, name) > getattr(self, f"max_{name}"):
                raise ValueError(f"LAIR_{name.upper()} must be at most LAIR_MAX_{name.upper()}")
        return self

    @property
    def trusted_networks(self) -> tuple[Network, ...]:
        """Those networks."""
        return read_networks(self.trusted)

    @property
    def hint_ways(self) -> tuple[str, ...]:
        """How replicas tell one another what has changed."""
        ways = _listed(self.hints)
        if AUTO in ways:
            return (NOTIFY,) if self.notify_database.startswith(POSTGRESQL) else ()
        return tuple(way for way in ways if way != OFF)

    @property
    def notify_database(self) -> str:
        """Where NOTIFY and LISTEN go."""
        return self.hints_database or self.database

    @property
    def peer_targets(self) -> tuple[str, ...]:
        """The addresses and names of all replicas."""
        return _listed(self.peers)

    @property
    def game_tokens(self) -> tuple[str, ...]:
        """The games whose rules a gRPC target has, as far as they are named."""
        return _listed(self.games)

    @property
    def in_memory(self) -> bool:
        """Whether sessions are kept in no file, and are gone with the process."""
        return self.database in MEMORY

    @property
    def in_postgresql(self) -> bool:
        """Whether sessions are kept in a database that other servers may use as well."""
        return self.database.startswith(POSTGRESQL)

    @property
    def prepares_statements(self) -> bool | None:
        """Whether PostgreSQL prepares statements. None: where nobody stands between."""
        return {"auto": None, "true": True, "false": False}[self.prepare_statements]

    @property
    def database_file(self) -> Path:
        """The SQLite file."""
        return Path(self.database)

    @property
    def site_folder(self) -> Path | None:
        """The folder of the site, if there is one."""
        return None if self.site == OFF else Path(self.site)

    @property
    def foreign_origins(self) -> tuple[str, ...]:
        """The origins that are not this machine's."""
        origins = (origin.strip() for origin in self.origins.split(","))
        return tuple(origin for origin in origins if origin not in ("", "local"))
