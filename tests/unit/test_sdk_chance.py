"""The stream of chance, which the SDK recomputes by itself."""

import hashlib
import hmac
from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lair import chance
from lair.types import Draw
from services.kernel.chance import Dice, seeded
from services.session.domain import secrets

SEED = bytes(range(32))
SEEDS = st.binary(min_size=32, max_size=32)


def test_the_stream_is_made_of_hashed_blocks() -> None:
    first = hashlib.sha256(SEED + bytes(8)).digest()
    second = hashlib.sha256(SEED + bytes(7) + b"\x01").digest()
    assert bytes(islice(chance.stream(SEED), 64)) == first + second


def test_a_die_skips_the_bytes_that_would_make_it_unfair() -> None:
    assert chance.die(iter([255, 252, 251]), 6) == 1 + 251 % 6
    assert chance.die(iter([255]), 256) == 256
    assert chance.die(iter([9]), 1) == 1


@pytest.mark.parametrize("sides", [0, -1, 257])
def test_a_die_that_cannot_be_is_refused(sides: int) -> None:
    with pytest.raises(ValueError, match="sides"):
        chance.die(chance.stream(SEED), sides)


def test_the_seed_of_a_revision_is_keyed_by_the_server_seed() -> None:
    for version, entropies in ((1, b"saltpepper"), (2, bytes(7) + b"\4salt" + bytes(7) + b"\6pepper")):
        message = b"sessions/7f3k" + (7).to_bytes(8, "big") + hashlib.sha256(entropies).digest()
        wanted = hmac.new(SEED, message, "sha256").digest()
        assert chance.seed_of(SEED, "sessions/7f3k", 7, [b"salt", b"pepper"], version) == wanted


@given(
    seed=st.binary(min_size=32, max_size=32), plan=st.lists(st.tuples(st.booleans(), st.integers(1, 60)), max_size=6)
)
def test_the_servers_draw_the_same_from_the_same_seed(seed: bytes, plan: list[tuple[bool, int]]) -> None:
    dice = Dice(seeded(seed))
    for shuffle, number in plan:
        if shuffle:
            dice.shuffle(range(number), "deck")
        else:
            dice.roll(3, number, "dice")
    source = chance.stream(seed)
    for draw in dice.draws:
        receipt = Draw(draw.purpose, draw.sides, draw.results, draw.shuffle)
        assert chance.redraw(source, receipt) == draw.results


@given(
    server_seed=SEEDS,
    name=st.text(),
    revision=st.integers(0, 2**40),
    entropies=st.lists(st.binary(max_size=64), max_size=6),
    version=st.sampled_from(chance.VERSIONS),
)
def test_the_servers_derive_the_same_seeds(
    server_seed: bytes, name: str, revision: int, entropies: list[bytes], version: int
) -> None:
    assert chance.seed_of(server_seed, name, revision, entropies, version) == secrets.seed_of(
        server_seed, name, revision, entropies, version
    )
    assert secrets.CHANCE_VERSION == chance.NEWEST, "a game that is made now can be verified"
    assert chance.commitment_of(server_seed) == secrets.commitment_of(server_seed)


@pytest.mark.parametrize("version", [0, chance.NEWEST + 1])
def test_a_version_that_there_is_not_is_refused(version: int) -> None:
    with pytest.raises(ValueError, match=f"not {version}"):
        chance.seed_of(bytes(32), "sessions/7f3k", 0, (), version)
