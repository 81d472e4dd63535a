"""Who may know of something. Whoever isn't named may not: forgetting somebody hides, and never leaks."""

from msgspec import Struct

from services.kernel.standing import Seat


class Audience(Struct, frozen=True):
    """Everybody, or some seats, or spectators."""

    everybody: bool = False
    seats: tuple[Seat, ...] = ()
    spectators: bool = False

    def admits(self, seat: Seat | None) -> bool:
        """Say whether a seat, or a spectator (None), is among them."""
        return self.everybody or (self.spectators if seat is None else seat in self.seats)


EVERYBODY = Audience(everybody=True)
NOBODY = Audience()


def only(*seats: Seat) -> Audience:
    """These seats and nobody else."""
    return Audience(seats=seats)
