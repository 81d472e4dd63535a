"""Who looks at which session: claims of a store that one process has alone, so they need not be stored."""


class Claims:
    """Sessions that were claimed, each until a time. A claim that nobody drops ends by itself."""

    def __init__(self) -> None:
        self._until: dict[str, int] = {}

    def take(self, session_id: str, until: int) -> None:
        """Claim a session."""
        self._until[session_id] = until

    def drop(self, session_id: str) -> None:
        """The session has changed: what was claimed is not there any more."""
        self._until.pop(session_id, None)

    def held(self, now: int) -> frozenset[str]:
        """The sessions that are claimed."""
        self._until = {session_id: until for session_id, until in self._until.items() if until > now}
        return frozenset(self._until)
