"""`python -m services.session --rules TARGET`: sessions alone, over rules that other servers have.

In the target {game} is the game's token, such as dns:///rules-{game}:50051.
"""

import argparse
from functools import partial

from services.app import serving
from services.runtime.main import run
from services.runtime.settings import Settings


def banner(settings: Settings, address: str) -> None:
    """Say where it listens."""
    print(f"sessions on {address}, rules at {settings.rules}", flush=True)  # noqa: T201  what the one who started it reads


def main() -> None:
    """Read the command line, and serve."""
    parser = argparse.ArgumentParser(prog="python -m services.session", description=__doc__)
    parser.add_argument("--rules", help="where the rules are; LAIR_RULES", default=None)
    parser.add_argument("--address", help="where to listen, such as 127.0.0.1:50051; port 0 takes a free one")
    parser.add_argument("--database", help="the SQLite file of the sessions, or postgresql://...")
    arguments = parser.parse_args()
    run(
        partial(serving, rules=False),
        banner,
        rules=arguments.rules,
        address=arguments.address,
        database=arguments.database,
    )


if __name__ == "__main__":
    main()
