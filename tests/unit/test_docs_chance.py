"""The worked example of docs/chance.md, recomputed twice: by the servers' code and by the client's own."""

import json
import re
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from lair import chance as client
from services.kernel.chance import Dice, seeded
from services.session.domain import secrets

PAGE = (Path(__file__).parents[2] / "docs" / "chance.md").read_text(encoding="utf-8")
BLOCK_BYTES = 32


@pytest.fixture(scope="module")
def vector() -> dict[str, Any]:
    (example,) = re.findall(r"```json\n(.+?)```", PAGE, re.DOTALL)
    read: dict[str, Any] = json.loads(example)
    return read


@pytest.fixture(scope="module")
def seed(vector: dict[str, Any]) -> bytes:
    return bytes.fromhex(vector["seed_of_revision_1"])


@pytest.mark.parametrize("module", [secrets, client], ids=["servers", "client"])
def test_commitment_and_seeds(module: Any, vector: dict[str, Any]) -> None:
    server_seed = bytes.fromhex(vector["server_seed"])
    entropies = [bytes.fromhex(entropy) for entropy in vector["entropies"]]
    with_lengths = b"".join(len(entropy).to_bytes(8, "big") + entropy for entropy in entropies)
    assert with_lengths.hex() in PAGE.replace("` and `", "")
    assert module.commitment_of(server_seed).hex() == vector["commitment"]
    for version, said, joined in ((1, vector["in_version_1"], b"".join(entropies)), (2, vector, with_lengths)):
        assert sha256(joined).hexdigest() == said["joined"]
        for revision in (0, 1):
            made = module.seed_of(server_seed, vector["name"], revision, entropies, version)
            assert made.hex() == said[f"seed_of_revision_{revision}"]


@pytest.mark.parametrize("module", [secrets, client], ids=["servers", "client"])
def test_who_brought_which_entropy_matters_from_version_2_on(module: Any) -> None:
    def seeds(version: int) -> set[bytes]:
        shared = ([b"abc", b""], [b"ab", b"c"], [b"", b"abc"])
        return {module.seed_of(bytes(32), "sessions/7f3k", 0, entropies, version) for entropies in shared}

    assert len(seeds(1)) == 1
    assert len(seeds(2)) == 3


def test_the_stream(vector: dict[str, Any], seed: bytes) -> None:
    blocks = bytes.fromhex(vector["block_0_of_revision_1"] + vector["block_1_of_revision_1"])
    assert bytes(islice(client.stream(seed), len(blocks))) == blocks
    assert len(blocks) == 2 * BLOCK_BYTES


def test_what_the_servers_draw(vector: dict[str, Any], seed: bytes) -> None:
    dice = Dice(seeded(seed))
    drawn = {
        "two_dice_of_6": list(dice.roll(2, 6, "")),
        "three_dice_of_6": list(dice.roll(3, 6, "")),
        "a_pick_among_3": dice.pick((1, 2, 3), ""),
        "a_shuffle_of_abcde": "".join(dice.shuffle("abcde", "")),
    }
    drawn["its_results"] = list(dice.draws[-1].results)
    assert drawn == vector["drawn_in_this_order_from_revision_1"]
    assert list(Dice(seeded(seed)).roll(8, 100, "")) == vector["eight_dice_of_100_from_the_beginning"]


def test_what_the_client_recomputes(vector: dict[str, Any], seed: bytes) -> None:
    stream = client.stream(seed)
    sides = [6] * 5 + [3] + [5, 4, 3, 2]
    drawn = [client.die(stream, each) for each in sides]
    expected = vector["drawn_in_this_order_from_revision_1"]
    assert drawn == [
        *expected["two_dice_of_6"],
        *expected["three_dice_of_6"],
        expected["a_pick_among_3"],
        *expected["its_results"],
    ]
    stream = client.stream(seed)
    assert [client.die(stream, 100) for _ in range(8)] == vector["eight_dice_of_100_from_the_beginning"]


def test_the_bytes_that_the_text_explains(vector: dict[str, Any]) -> None:
    block = bytes.fromhex(vector["block_0_of_revision_1"])
    explained = ", ".join(map(str, block[:10]))
    assert explained in re.sub(r"\s+", " ", PAGE)
    assert block[4] >= 200 > block[5] == 60
    assert block[8] >= 200 > block[9]
