"""What takes several calls, pure, once for both shells: a flow yields calls, is sent their results, and returns."""

from collections.abc import Generator, Mapping
from dataclasses import replace
from operator import attrgetter
from typing import Any, TypeVar

from lair import _calls as calls
from lair._calls import Call
from lair._handles import Keys, SeatHandle
from lair._translation import invalid, not_a_seat
from lair.errors import BadToken
from lair.standings import SeatKeys, SeatStanding
from lair.types import Reveal, SessionFacts
from lair.verification import Check, check

MOST_STANDINGS = 100
"""Seats that a server takes at once."""
Ending = TypeVar("Ending")
Flow = Generator[Call[Any], Any, Ending]


def find_seat(name: str, token: str) -> Flow[tuple[SessionFacts, int]]:
    """The seat that a token opens. Raises BadToken when it opens none."""
    facts = yield calls.get(name)
    snapshot = yield calls.look(facts.name, token, None)
    if snapshot.seat is None:
        raise not_a_seat(facts.name)
    return facts, snapshot.seat


def standings(seats: SeatKeys) -> Flow[list[SeatStanding]]:
    """How things stand at so many seats, the most urgent first. Raises InvalidRequest for what is no seat."""
    keys = [_key(number, seat) for number, seat in enumerate(calls.several("seats", seats))]
    found: list[SeatStanding] = []
    for at in range(0, len(keys), MOST_STANDINGS):
        found += yield calls.standings(keys[at : at + MOST_STANDINGS])
    return sorted(found, key=attrgetter("urgency"))


def _key(number: int, seat: object) -> tuple[str, str]:
    match seat:
        case SeatHandle():
            return seat.session_name, seat.token
        case (str(name), str(token)):
            return name, token
    raise invalid(f"seats[{number}]", f"must be a seat, or a session's name and a token, is {type(seat).__name__}")


def reveal(name: str) -> Flow[Reveal]:
    """All pages of a finished game."""
    whole, page_token = yield calls.reveal(name, "")
    while page_token:
        page, page_token = yield calls.reveal(name, page_token)
        whole = replace(whole, steps=whole.steps + page.steps)
    return whole  # type: ignore[no-any-return]  # what a flow is sent has no type


def rematch(name: str, host_token: str, tokens: Mapping[int, str]) -> Flow[tuple[SessionFacts, Keys]]:
    """The rematch of a session, with every seat taken again that one of these tokens still opens."""
    created = yield calls.create_rematch(name, host_token)
    facts, taken = created.facts, dict[int, calls.Joined]()
    for index, token in tokens.items():
        try:
            taken[index] = yield calls.join_rematch(name, token, None)
        except BadToken:  # the seat was left
            continue
        facts = taken[index].facts
    again = {index: joined.token for index, joined in taken.items()}
    brought = {index: joined.entropy for index, joined in taken.items()}
    return facts, Keys(created.host_token, created.join_code, again, brought)


def verify(name: str, commitment_seen: bytes, entropies_seen: Mapping[int, bytes]) -> Check:
    """Reveal a finished game and check it."""
    revealed = yield from reveal(name)
    return (yield from check(revealed, commitment_seen, entropies_seen))
