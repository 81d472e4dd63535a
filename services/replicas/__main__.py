"""`python -m services.replicas`: several session servers on one PostgreSQL, with Envoy before them.

The sessions are in a folder, and stay there. Whichever of the servers dies is started again.
"""

import argparse
import os
from functools import partial
from pathlib import Path

from services.games import find_games
from services.replicas.replicas import Replicas, serving_replicas
from services.runtime.main import run
from services.runtime.settings import Settings

EDGE = "127.0.0.1:8080"
FOLDER = Path("lair-postgresql")
MOST_SERVERS = 16


def banner(settings: Settings, replicas: Replicas) -> None:
    """Say what is served where, and what to type next."""
    first = next(iter(find_games()))
    site = "" if settings.site_folder is None else ", the page"
    print(  # noqa: T201  what a person who started it reads
        f"""
  {len(replicas.servers)} servers on one PostgreSQL, behind one edge
    edge     http://{replicas.edge}   (gRPC, gRPC-Web, JSON{site})
    servers  {", ".join(replicas.servers)}   (gRPC)
    data     {replicas.folder} (PostgreSQL)
  Try:  .venv/bin/lair table {first} Ann Ben --server {replicas.edge}
        make demo LAIR_SERVER={replicas.edge}
""",
        flush=True,
    )


def _servers(text: str) -> int:
    number = int(text)
    if not 1 <= number <= MOST_SERVERS:
        raise argparse.ArgumentTypeError(f"there may be 1 to {MOST_SERVERS}")
    return number


def main() -> None:
    """Read the command line, and serve."""
    parser = argparse.ArgumentParser(prog="python -m services.replicas", description=__doc__)
    parser.add_argument("--edge", help=f"where Envoy listens, by default {EDGE}; port 0 takes a free one")
    parser.add_argument("--servers", type=_servers, default=3, help="how many, by default 3")
    parser.add_argument("--folder", type=Path, default=FOLDER, help=f"of the database, by default {FOLDER}")
    arguments = parser.parse_args()
    edge = arguments.edge or os.environ.get("LAIR_EDGE", EDGE)
    run(partial(serving_replicas, number=arguments.servers, folder=arguments.folder), banner, edge=edge)


if __name__ == "__main__":
    main()
