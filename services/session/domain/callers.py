"""Who calls, and what a token opens."""

from msgspec import Struct

from services.kernel.audience import Audience
from services.session.domain.secrets import hash_of, opens
from services.session.domain.session import Session


class Caller(Struct, frozen=True):
    """Who calls: the host, a seat, or a spectator, who is neither."""

    seat: int | None = None
    host: bool = False

    @property
    def spectator(self) -> bool:
        """Whether the caller has no token."""
        return self.seat is None and not self.host

    def may_know(self, audience: Audience) -> bool:
        """Whether the caller is in an audience. The host knows what spectators know."""
        return audience.admits(self.seat)


SPECTATOR = Caller()
HOST = Caller(host=True)


def identify(session: Session, token: str | None) -> Caller | None:
    """Who has this token: nobody's is None. All hashes are compared, so that the time tells nothing."""
    if token is None:
        return SPECTATOR
    hashed = hash_of(token)
    seats = [opens(hashed, seat.token_hash) for seat in session.seats]
    if opens(hashed, session.host_hash):
        return HOST
    return Caller(seats.index(True)) if any(seats) else None
