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
    assert sha256(b"".join(entropies)).hexdigest() == vector["joined"]
    assert module.commitment_of(server_seed).hex() == vector["commitment"]
    for revision in (0, 1):
        made = module.seed_of(server_seed, vector["name"], revision, entropies)
        assert made.hex() == vector[f"seed_of_revision_{revision}"]


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
    explained = ", ".join(map(str, block[:8]))
    assert explained in re.sub(r"\s+", " ", PAGE)
    assert block[7] >= 200 > block[8] == 25
