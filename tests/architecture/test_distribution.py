"""What the client's distribution says of itself is what its generated code, its programs and its licence need."""

import re
import tomllib
from importlib.metadata import requires, version
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.version import Version

from lair.cli import EXTRA
from tests.support.installed import CLIENT, floors, requirements
from tests.support.tree import ROOT, tracked

CODE = ROOT / "proto" / "gen" / "python" / "monsters"
GENERATED = {
    "protobuf": ("*_pb2.py", re.compile(r"^# Protobuf Python Version: (.+)$", re.MULTILINE)),
    "grpcio": ("*_pb2_grpc.py", re.compile(r"^GRPC_GENERATED_VERSION = '(.+)'$", re.MULTILINE)),
}
"""Where generated code says how new its runtime has to be."""
FOREIGN = re.compile(r"pip3? install\b[^\n`]*[\s'\"]lair(?=[\s'\"`\[=<>~!]|$)", re.MULTILINE)
"""Somebody else's distribution has the name of our package, and this would install it."""


@pytest.mark.parametrize("name", GENERATED)
def test_the_bounds_of_a_runtime_are_those_of_the_generated_code(name: str) -> None:
    pattern, said = GENERATED[name]
    asked = {tuple(said.findall(path.read_text("utf-8"))) for path in CODE.rglob(pattern)}
    assert asked == {(floors()[name],)}, f"write this version into {CLIENT}/pyproject.toml"
    (bounds,) = (each.specifier for each in requirements() if each.name == name)
    assert str(Version(floors()[name]).major + 1) in {each.version for each in bounds if each.operator == "<"}


def test_what_reads_the_status_of_calls_is_as_new_as_grpc() -> None:
    bounds = {each.name: each.specifier for each in requirements()}
    assert bounds["grpcio-status"] == bounds["grpcio"]


def test_strangers_generate_with_the_generator_that_is_tested() -> None:
    system = tomllib.loads((ROOT / CLIENT / "pyproject.toml").read_text("utf-8"))["build-system"]
    asked = {each.name: str(each.specifier) for each in map(Requirement, system["requires"])}
    assert asked["grpcio-tools"] == f"=={version('grpcio-tools')}"
    for each in map(Requirement, system["requires"]):
        assert each.specifier.contains(version(each.name))


def test_the_command_line_knows_what_its_extra_brings() -> None:
    assert sorted(EXTRA) == sorted(each.name for each in requirements("cli"))


def test_no_distribution_asks_for_one_that_might_be_anybodys() -> None:
    """lair-services and lair-games are in no index: whoever takes these names there must not get into an extra."""
    assert [each for each in requires("lair-games") or () if "lair" in each] == []
    assert [each for each in requires("lair-services") or () if "lair" in each] == ["lair-games"]


def test_both_distributions_are_of_one_version_and_licence() -> None:
    assert version("lair-games") == version("lair-services")
    assert (ROOT / CLIENT / "LICENSE").read_bytes() == (ROOT / "LICENSE").read_bytes()


def test_nothing_recommends_the_name_that_belongs_to_others() -> None:
    own = Path(__file__).relative_to(ROOT).as_posix()
    texts = {name: (ROOT / name).read_text("utf-8", errors="ignore") for name in tracked() if name != own}
    assert [name for name, text in texts.items() if FOREIGN.search(text)] == []


@pytest.mark.parametrize(
    ("line", "foreign"),
    [
        ("pip install lair", True),
        ("pip install --upgrade 'lair[cli]'", True),
        ("pip install lair==1.0  # the client", True),
        ("pip install 'lair-games[cli]'", False),
        ("`pip install ./clients/python .` in a clone of lair", False),
        ("pip install build/wheels/lair_games-0.1.0-py3-none-any.whl", False),
    ],
)
def test_such_a_recommendation_is_found(line: str, *, foreign: bool) -> None:
    assert bool(FOREIGN.search(line)) == foreign
