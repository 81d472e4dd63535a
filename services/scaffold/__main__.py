"""`python -m services.scaffold NAME`: a new game, and what to do with it next."""

import argparse
import sys
from pathlib import Path

from services.scaffold.names import BadName, check_name
from services.scaffold.writing import list_games, render_service, write_game

ROOT = Path(__file__).parents[2]


def main() -> None:
    """Write the game, or say in one sentence why not, with exit code 1."""
    parser = argparse.ArgumentParser(prog="python -m services.scaffold", description=__doc__)
    parser.add_argument("name", metavar="NAME", help="what the game is called, such as goblins")
    name = parser.parse_args().name
    try:
        check_name(name, ROOT)
        written = [*write_game(name, ROOT), render_service(name, ROOT), list_games(ROOT)]
    except (BadName, OSError) as error:
        sys.exit(str(error))
    files = "\n".join(f"    {path.relative_to(ROOT)}" for path in written)
    print(  # noqa: T201 - what a person who started it reads
        f"""
  The game of {name} is there, and can be played:
{files}
  Next: make run, and in another terminal  .venv/bin/lair autoplay {name}
        make test TESTS="tests/laws tests/scenarios tests/wire" ARGUMENTS="-k {name}"
        Then make it yours: the rules in rules.py, their wording in rulebook.toml, the messages in {name}.proto.
"""
    )


if __name__ == "__main__":
    main()
