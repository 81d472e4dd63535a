"""Who may know of something."""

import pytest

from services.kernel.audience import EVERYBODY, NOBODY, Audience, only


@pytest.mark.parametrize("seat", [None, 0, 5])
def test_everybody_is_every_seat_and_every_spectator(seat: int | None) -> None:
    assert EVERYBODY.admits(seat)


@pytest.mark.parametrize("seat", [None, 0, 5])
def test_who_is_not_named_may_not_know(seat: int | None) -> None:
    assert not NOBODY.admits(seat)
    assert not Audience().admits(seat)


def test_only_some_seats() -> None:
    audience = only(0, 2)
    assert [seat for seat in (None, 0, 1, 2) if audience.admits(seat)] == [0, 2]


def test_spectators_are_no_seat() -> None:
    audience = Audience(spectators=True)
    assert audience.admits(None)
    assert not audience.admits(0)
