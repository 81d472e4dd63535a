"""What is said where sessions can't be kept, whichever database it is."""

from pathlib import Path


class DatabaseUnusable(OSError):
    """Sessions can't be kept there. The text names the setting, and what to do; it has no password."""

    def __init__(self, place: str | Path, why: str, cure: str) -> None:
        super().__init__(f"can't keep sessions in {place}: {why}; {cure}")
