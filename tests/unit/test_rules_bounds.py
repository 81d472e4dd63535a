"""What a game's messages may have at most is looked at before the game's codec walks through them."""

from collections.abc import Iterator
from typing import Any

import pytest
from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import Message
from hypothesis import given
from hypothesis import strategies as st
from monsters.rules.v1 import opaque_pb2 as opaque
from msgspec.structs import replace

from services.games import Entry
from services.kernel.refusals import Flaw
from services.rules.bounds import MOST_ELEMENTS, MOST_MOVE, MOST_POSITION, count
from services.rules.chains import MOST_PATHS, Chains, ChainsHandler, Places
from services.runtime.failure import Failure
from tests.support.games import ENTRIES, every_game
from tests.support.walks import walks

ROOM = 4
"""A position of a game has at most this share of what is allowed, so that no game comes near it."""
PATHS_TO_LISTS = 5


def lists(descriptor: Descriptor, deep: int = PATHS_TO_LISTS) -> Iterator[tuple[FieldDescriptor, ...]]:
    """The way to every list in a message, through whatever is in its lists."""
    for field in descriptor.fields:
        if field.is_repeated:
            yield (field,)
        if field.message_type is not None and deep:
            yield from ((field, *way) for way in lists(field.message_type, deep - 1))


def stuffed(message: Any, way: tuple[FieldDescriptor, ...], size: int) -> None:
    """Put so many of the least elements into the list at the end of a way."""
    first, *rest = way
    inside = getattr(message, first.name)
    if rest:
        stuffed(inside.add() if first.is_repeated else inside, tuple(rest), size)
    elif first.message_type is not None:
        for _ in range(size):
            inside.add()
    else:
        inside.extend([0] * size)


def refused(handler: ChainsHandler, request: opaque.ValidateMoveRequest) -> tuple[Flaw, ...]:
    with pytest.raises(Failure) as caught:
        handler.validate_move(request)
    assert caught.value.reason == "MALFORMED_REQUEST"
    return tuple(caught.value.flaws)


def start(handler: ChainsHandler, options: bytes) -> None:
    seats = handler._game.seats[0]
    handler.start_game(opaque.StartGameRequest(seats=seats, options=options))


def validate(handler: ChainsHandler, move: bytes) -> None:
    handler._messages._positions.put(b"x", (None, 2))
    handler.validate_move(opaque.ValidateMoveRequest(position=b"x", move=move, seat=0))


def enumerate_moves(handler: ChainsHandler, position: bytes) -> None:
    handler.enumerate_moves(opaque.EnumerateMovesRequest(position=position, seat=0))


WAYS = [
    (entry, name, way)
    for entry in ENTRIES
    for name in ("Position", "Move", "Options")
    for way in lists(getattr(entry.codec.messages, name).DESCRIPTOR)
]


@pytest.mark.parametrize(
    ("entry", "name", "way"),
    WAYS,
    ids=[f"{entry.game.token} {name} {'.'.join(field.name for field in way)}" for entry, name, way in WAYS],
)
def test_no_list_of_a_game_is_walked_through_when_it_is_too_long(
    entry: Entry, name: str, way: tuple[FieldDescriptor, ...]
) -> None:
    """The codec is not even asked: whatever it did with each element, it would do too often."""
    message = getattr(entry.codec.messages, name)()
    stuffed(message, way, MOST_ELEMENTS + 1)
    assert count(message) > MOST_ELEMENTS

    def read(_: object) -> None:
        pytest.fail("the codec walks through it")

    codec = replace(entry.codec, read_position=read, read_move=read, read_options=read)
    handler, field = ChainsHandler(replace(entry, codec=codec)), name.lower()
    raw = message.SerializeToString()
    send = {"Options": start, "Move": validate, "Position": enumerate_moves}[name]
    with pytest.raises(Failure) as caught:
        send(handler, raw)
    (flaw,) = caught.value.flaws
    assert flaw.field == field
    assert f"at most {MOST_ELEMENTS} elements" in flaw.description


@every_game
@pytest.mark.parametrize("most", [MOST_POSITION, MOST_MOVE])
def test_bytes_are_counted_before_they_are_parsed(entry: Entry, most: int) -> None:
    handler, raw = ChainsHandler(entry), b"\xff" * (most + 1)
    if most == MOST_POSITION:
        (flaw,) = refused(handler, opaque.ValidateMoveRequest(position=raw, move=b"x"))
    else:
        handler._messages._positions.put(b"x", (None, 2))
        (flaw,) = refused(handler, opaque.ValidateMoveRequest(position=b"x", move=raw, seat=0))
    assert flaw.description == f"must have at most {most} bytes, has {most + 1}"


@every_game
@given(data=st.data())
def test_what_a_game_comes_to_is_far_within_the_bounds(entry: Entry, data: st.DataObject) -> None:
    message: Message = entry.codec.write_position(data.draw(walks(entry)).position)
    assert message.ByteSize() * ROOM <= MOST_POSITION
    assert count(message) <= MOST_ELEMENTS / 2


def test_a_mask_is_counted_before_it_is_read() -> None:
    handler = ChainsHandler(ENTRIES[0])
    request = opaque.ApplyMovesRequest(moves=[opaque.NextMove()])
    request.read_mask.paths.extend(["x"] * (MOST_PATHS + 1))
    with pytest.raises(Failure) as caught:
        next(handler.apply_moves(request, Chains(Places())))
    assert [flaw.field for flaw in caught.value.flaws] == ["read_mask.paths"]


def test_all_streams_together_keep_so_many_positions_and_give_their_places_back() -> None:
    entry = ENTRIES[0]
    handler, places = ChainsHandler(entry), Places(limit=3)
    position = handler.start_game(opaque.StartGameRequest(seats=entry.game.seats[0])).position

    def begin(chains: Chains, *numbers: int) -> list[str]:
        """Bring positions, with moves that are none: a position is kept also when its move is refused."""
        moves = [opaque.NextMove(chain=number, position=position, move_text="nonsense") for number in numbers]
        answers = handler.apply_moves(opaque.ApplyMovesRequest(moves=moves), chains)
        return [applied.error.details[0].value.decode("latin-1") for answer in answers for applied in answer.moves]

    one, other = Chains(places), Chains(places)
    assert all("MALFORMED" in error for error in begin(one, 0, 1, 1, 0))
    first, second = begin(other, 7, 8)
    assert "MALFORMED" in first
    assert "RATE_LIMITED" in second
    assert places.taken == 3
    one.end_all()
    assert places.taken == 1
    assert "MALFORMED" in begin(other, 8)[0]
    other.end_all()
    assert places.taken == 0
