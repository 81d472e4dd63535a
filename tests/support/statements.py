"""What a database was asked, by the log of its statements."""

import re
from collections import Counter
from pathlib import Path

from tests.support.postgresql import PostgresqlServer

EVERY_STATEMENT = ("log_statement=all", "log_min_error_statement=panic")
"""Settings of a PostgreSQL that writes each of them into its log."""
KINDS = {
    "load": re.compile(r"SELECT s\.id,.* FROM sessions AS s LEFT JOIN records"),
    "version": re.compile(r"SELECT id, version, touched FROM sessions"),
    "records": re.compile(r"SELECT revision, .* FROM records"),
    "request": re.compile(r"SELECT .* FROM requests WHERE"),
    "save": re.compile(r"moved AS \(UPDATE sessions"),
    "claim": re.compile(r"SET claimed_until = .*FROM due"),
    "alarms": re.compile(r"SELECT a\.alarm FROM"),
    "games": re.compile(r"WITH RECURSIVE games"),
}
READS = ("load", "version", "records", "request")
"""What a watcher could want of it."""


class Statements:
    """Counts the statements since the last time, by their kinds."""

    def __init__(self, postgresql: PostgresqlServer) -> None:
        self._log: Path = postgresql.folder / "log"
        self._seen = self._log.stat().st_size

    def since(self) -> Counter[str]:
        """So many of each kind since it was asked last, or made."""
        with self._log.open("rb") as log:
            log.seek(self._seen)
            text = log.read()
        self._seen += len(text)
        found: Counter[str] = Counter()
        for line in text.decode(errors="replace").splitlines():
            if "LOG:  execute" in line or "LOG:  statement" in line:
                found[next((kind for kind, pattern in KINDS.items() if pattern.search(line)), "other")] += 1
        return found


def reads_of(counted: Counter[str]) -> int:
    """How many of them read a session or its revisions."""
    return sum(counted[kind] for kind in READS)
