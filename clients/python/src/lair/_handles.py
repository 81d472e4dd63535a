"""What a session's and a seat's handle knows without asking, the same for both shells. Tokens are never shown."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from lair._known import KnownFacts
from lair.types import SessionFacts


@dataclass(frozen=True, slots=True)
class Keys:
    """What a handle has of a session that others don't have."""

    host_token: str = field(default="", repr=False)
    join_code: str = field(default="", repr=False)
    tokens: Mapping[int, str] = field(default_factory=dict, repr=False)
    """By seat."""
    entropies: Mapping[int, bytes] = field(default_factory=dict, repr=False)
    """By seat."""

    @classmethod
    def of_seat(cls, index: int, token: str, entropy: bytes) -> "Keys":
        """Those of whoever has just taken a seat."""
        return cls(tokens={index: token}, entropies={index: entropy})


class SessionHandle:
    """A session, and what its handle knows of it."""

    def __init__(self, facts: SessionFacts, keys: Keys) -> None:
        self.name: str = facts.name
        """sessions/{id}."""
        self.game: str = facts.game
        """The game's token."""
        self.commitment: bytes = facts.commitment
        """SHA-256 of the server seed, as published when this handle was made: `verify` holds the server to it."""
        self.host_token: str = keys.host_token
        """The host's key, or "" when this handle is not the host's."""
        self.join_code: str = keys.join_code
        """What players join with, or ""."""
        self.entropies: Mapping[int, bytes] = keys.entropies
        """What seats of this handle have added to the seeds, by seat: `verify` looks for it."""
        self._known = KnownFacts(facts)

    @property
    def known_facts(self) -> SessionFacts:
        """What everybody may know, as it was told last: by an answer to this handle, or by a stream of it.

        Nothing is asked. While a watch is being read it is as fresh as what has come.
        """
        return self._known.latest

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.name!r}, {self.game!r})"


class SeatHandle:
    """A seat with its key."""

    def __init__(self, known: KnownFacts, index: int, token: str) -> None:
        self.session_name: str = known.latest.name
        self.index = index
        """From 0, clockwise."""
        self.name: str = known.latest.seats[index].name
        """Who sits there, as it was when the handle was made."""
        self.token = token
        """The seat's key: it is all that is needed to play the seat, with `Client.seat`."""
        self._known = known

    @property
    def known_facts(self) -> SessionFacts:
        """What everybody may know of the session, as it was told last: the same as its session's."""
        return self._known.latest

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.session_name!r}, {self.index}, {self.name!r})"
