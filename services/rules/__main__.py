"""`python -m services.rules [--game TOKEN]...`: the stateless rules alone, of some games or of all."""

import argparse
from functools import partial

from services.app import serving
from services.games import find_games
from services.runtime.main import run
from services.runtime.settings import Settings


def banner(_: Settings, address: str) -> None:
    """Say where it listens."""
    print(f"rules on {address}", flush=True)  # noqa: T201  what the one who started it reads


def main() -> None:
    """Read the command line, and serve."""
    games = find_games()
    parser = argparse.ArgumentParser(prog="python -m services.rules", description=__doc__)
    parser.add_argument("--game", action="append", choices=tuple(games), help="a game to serve; default all")
    parser.add_argument("--address", help="where to listen, such as 127.0.0.1:50052; port 0 takes a free one")
    arguments = parser.parse_args()
    entries = [games[token] for token in arguments.game or games]
    run(partial(serving, entries=entries, sessions=False), banner, address=arguments.address)


if __name__ == "__main__":
    main()
