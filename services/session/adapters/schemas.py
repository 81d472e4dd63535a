"""The schemas that there are: the migrations of every database, in one chain."""

from pathlib import Path

MIGRATIONS = Path(__file__).parent / "migrations"


def newest_schema() -> str:
    """The last migration that there is: their files are named by their numbers."""
    return max(file.name for file in (MIGRATIONS / "versions").glob("*.py")).partition("_")[0]
