"""Hints that wait to be told: the latest version of each session, and of so many sessions at most.

They are gathered for a moment, so that a busy server sends one message for many moves. Whatever happens to them, no
move waits for it.
"""

import asyncio
from collections.abc import Mapping
from itertools import islice

GATHER_FOR = 0.015
"""In seconds."""
MOST_PENDING = 10_000
"""Sessions. Of more, those that have waited longest are dropped: their watchers hear at the next heartbeat."""


class PendingHints:
    """Gathers hints for one receiver."""

    def __init__(self, most: int = MOST_PENDING) -> None:
        self._most = most
        self._versions: dict[str, int] = {}
        """By session, those that have waited longest first."""
        self._some = asyncio.Event()

    def add(self, session_id: str, version: int) -> None:
        """Take one more, or a later version of one that waits."""
        self._versions[session_id] = max(version, self._versions.get(session_id, version))
        if len(self._versions) > self._most:
            del self._versions[next(iter(self._versions))]
        self._some.set()

    async def take(self, most: int) -> Mapping[str, int]:
        """Wait for hints, gather for a moment, and take so many: sessions with their versions."""
        await self._some.wait()
        await asyncio.sleep(GATHER_FOR)
        taken = dict(islice(self._versions.items(), most))
        for session_id in taken:
            del self._versions[session_id]
        if not self._versions:
            self._some.clear()
        return taken

    def put_back(self, hints: Mapping[str, int]) -> None:
        """Keep hints that could not be told. Those that have come meanwhile go first where there is no room for all."""
        room = self._most - len(self._versions)
        for session_id, version in hints.items():
            if session_id in self._versions or room > 0:
                room -= session_id not in self._versions
                self.add(session_id, version)

    def __len__(self) -> int:
        """How many sessions."""
        return len(self._versions)
