"""`python -m services`: the whole Lair in one process, with sessions in SQLite and the rules beside them."""

import argparse

from services.app import serving
from services.games import find_games
from services.runtime.main import run
from services.runtime.settings import Settings


def banner(settings: Settings, address: str) -> None:
    """Say what is served where, and what to type next."""
    games = find_games()
    first, entry = next(iter(games.items()))
    seats = (entry.game.seats[0] + entry.game.seats[-1]) // 2
    where = "" if address == "127.0.0.1:50051" else f" --server {address}"
    print(  # noqa: T201  what a person who started it reads
        f"""
  Lair serves {len(games)} {"game" if len(games) == 1 else "games"}: {", ".join(games)}
    gRPC   {address}   (health{", reflection" if settings.reflection else ""})
    data   {settings.database} (SQLite)
  Try:  .venv/bin/lair table {first} Ann Ben{where}
        .venv/bin/lair autoplay {first} --seats {seats}{where}
""",
        flush=True,
    )


def main() -> None:
    """Read the command line, and serve."""
    parser = argparse.ArgumentParser(prog="python -m services", description=__doc__)
    parser.add_argument("--address", help="where to listen, such as 127.0.0.1:50051; port 0 takes a free one")
    parser.add_argument("--database", help="the SQLite file of the sessions")
    arguments = parser.parse_args()
    run(serving, banner, address=arguments.address, database=arguments.database)


if __name__ == "__main__":
    main()
