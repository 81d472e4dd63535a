"""`python -m services`: the whole Lair in one process, with sessions in SQLite and the rules beside them.

With --edge also HTTP, through an Envoy beside it.
"""

import argparse
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass

from services.app import serving
from services.edge.bootstrap import Edge
from services.edge.envoy import Envoy
from services.edge.limits import Rates
from services.edge.process import find_envoy
from services.edge.protos import read_protos
from services.games import find_games
from services.runtime.addresses import check_free
from services.runtime.main import run
from services.runtime.settings import OFF, Settings

NO_ENVOY = "not here: Envoy has no wheel for this machine, so gRPC is served alone"


@dataclass(frozen=True)
class Places:
    """Where Lair is served."""

    grpc: str
    http: str | None
    """A URL, or why there is none. None: nobody asked for it."""


@asynccontextmanager
async def serving_everything(settings: Settings) -> AsyncIterator[Places]:
    """Serve, and the edge before it. On leaving, the server drains through the edge, which ends last.

    Raises what services.app.serving raises, and EdgeFailed.
    """
    if settings.edge == OFF or (program := find_envoy()) is None:
        async with serving(settings) as address:
            yield Places(address, None if settings.edge == OFF else NO_ENVOY)
        return
    check_free("LAIR_EDGE", settings.edge)
    async with AsyncExitStack() as stack:
        envoy = Envoy(program)
        stack.push_async_callback(envoy.stop)
        address = await stack.enter_async_context(serving(settings))
        server = _reached_at(address)
        edge = Edge(
            settings.edge,
            sessions=server,
            rules=server,
            origins=settings.foreign_origins,
            site=settings.site_folder,
            rates=Rates(settings.edge_creations, settings.edge_joins, settings.edge_streams),
            proxies=settings.proxies,
        )
        yield Places(address, f"http://{await envoy.start(edge, read_protos())}")


def _reached_at(address: str) -> str:
    """Where a server of this machine is reached that may listen on every address."""
    host, _, port = address.rpartition(":")
    return f"127.0.0.1:{port}" if host in ("0.0.0.0", "[::]") else address  # noqa: S104  compared, not listened on


def _kept_in(settings: Settings) -> str:
    """Where the sessions are, for people: without a password."""
    if settings.in_memory:
        return "in memory, gone when it stops"
    if settings.in_postgresql:
        from services.session.adapters.postgresql.opening import Database  # noqa: PLC0415  only where it is used

        return Database(settings.database).place
    return f"{settings.database} (SQLite)"


def banner(settings: Settings, places: Places) -> None:
    """Say what is served where, and what to type next."""
    games = find_games()
    first, entry = next(iter(games.items()))
    seats = (entry.game.seats[0] + entry.game.seats[-1]) // 2
    where = "" if places.grpc == "127.0.0.1:50051" else f" --server {places.grpc}"
    http = "" if places.http is None else f"\n    HTTP   {places.http}"
    print(  # noqa: T201  what a person who started it reads
        f"""
  Lair serves {len(games)} {"game" if len(games) == 1 else "games"}: {", ".join(games)}
    gRPC   {places.grpc}   (health{", reflection" if settings.reflection else ""}){http}
    data   {_kept_in(settings)}
  Try:  .venv/bin/lair table {first} Ann Ben{where}
        .venv/bin/lair autoplay {first} --seats {seats}{where}
""",
        flush=True,
    )


def main() -> None:
    """Read the command line, and serve."""
    parser = argparse.ArgumentParser(prog="python -m services", description=__doc__)
    parser.add_argument("--address", help="where to listen, such as 127.0.0.1:50051; port 0 takes a free one")
    parser.add_argument("--edge", help="where to listen for HTTP, such as 127.0.0.1:8080; port 0 takes a free one")
    parser.add_argument("--database", help="the SQLite file of the sessions, or postgresql://...")
    arguments = parser.parse_args()
    run(serving_everything, banner, address=arguments.address, edge=arguments.edge, database=arguments.database)


if __name__ == "__main__":
    main()
