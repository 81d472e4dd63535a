"""Promises about the tree that no other tool holds: sizes, what is tracked, what names a game, what documents say."""

import ast
import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from services.games import find_games
from tests.support.tree import ROOT, tracked

MOST_LINES = 350
TOKENS = tuple(find_games())
GENERATED = re.compile(r"_pb2(_grpc)?\.pyi?$|_pb\.(d\.)?[jt]s$|(^|/)gen/")
WORD = re.compile(r"[A-Z]?[a-z0-9]+")
"""A part of a name: CabbagesView has two, cabbages_pb2 too."""
LINK = re.compile(r"\]\((?!https?:|#)([^)#\s]+)")
ADR = re.compile(
    r"# (?P<number>\d{4})\. (?P<title>.+)\n\n"
    r"- Status: (accepted|replaced by \d{4})\n- Date: \d{4}-\d{2}-\d{2}\n\n"
    r"## Context\n\n.+\n## Decision\n\n(?P<decision>.+)\n## Rationale\n\n(?P<rationale>.+)\n"
    r"## Changelog\n\n(- \d{4}-\d{2}-\d{2}: .+\n)+",
    re.DOTALL,
)


TREE = tracked()
MODULES = tuple(name for name in TREE if name.endswith(".py"))
DOCUMENTS = tuple(name for name in TREE if name.endswith(".md"))
DECISIONS = tuple(name for name in DOCUMENTS if re.match(r"docs/adr/\d", name))
PRODUCT = tuple(name for name in TREE if name.startswith(("services/", "clients/python/src/")))
"""What runs. Tests, load tests, examples and documents may name the game that they speak of."""


def text_of(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def of_a_game(name: str) -> bool:
    """Whether a file is a game's own: in a folder of its name, or called after it."""
    path = Path(name)
    return any(token in (*path.parts[:-1], path.stem) for token in TOKENS)


def test_there_is_a_tree_to_look_at() -> None:
    assert len(MODULES) > 50
    assert len(PRODUCT) > 50
    assert len(DECISIONS) >= 11


def test_no_module_is_longer_than_a_reader_can_hold() -> None:
    lengths = {name: len(text_of(name).splitlines()) for name in MODULES}
    assert {name: lines for name, lines in lengths.items() if lines > MOST_LINES} == {}


def test_no_generated_code_and_no_lock_file_of_a_registry_is_tracked() -> None:
    assert [name for name in TREE if GENERATED.search(name) or name.endswith("uv.lock")] == []


def names_of_games(module: ast.Module) -> Iterator[str]:
    """Where code names a game: a text that is its token, or a name or an import with the token in it. Prose may."""
    for node in ast.walk(module):
        match node:
            case ast.Constant(value=str(text)):
                words = [text] if " " not in text else []
            case ast.Name(id=name) | ast.Attribute(attr=name) | ast.keyword(arg=str(name)) | ast.alias(name=name):
                words = [name]
            case ast.ImportFrom(module=str(name)):
                words = [name]
            case _:
                words = []
        yield from (word for word in words if set(TOKENS).intersection(map(str.lower, WORD.findall(word))))


@pytest.mark.parametrize("name", [name for name in PRODUCT if name.endswith(".py") and not of_a_game(name)])
def test_no_code_names_a_game(name: str) -> None:
    assert list(names_of_games(ast.parse(text_of(name)))) == []


def test_a_game_that_code_names_is_found() -> None:
    named = names_of_games(ast.parse('from games import cabbages_pb2\nx = ["CabbagesView"]\n"""Such as cabbages."""'))
    assert sorted(named) == ["CabbagesView", "cabbages_pb2"]


LISTS = {"deploy/k8s/games/kustomization.yaml"}
"""Kustomize can't look for folders. `make new-game` keeps the list, and a test compares it with the games there are."""


def test_no_configuration_names_a_game_outside_comments() -> None:
    endings = (".toml", ".cfg", ".ini", ".yaml", ".yml", ".in", ".sh", ".tmpl")
    names = ("Makefile", ".importlinter", ".ci/run", ".gitignore", ".gitattributes")
    configuration = [name for name in TREE if name.endswith(endings) or name in names]
    assert {"Makefile", ".importlinter", ".ci/run", "pyproject.toml"} <= set(configuration)
    named = [
        (name, token)
        for name in configuration
        if not of_a_game(name) and name not in LISTS
        for token in TOKENS
        if re.search(rf"\b{token}\b", re.sub(r"#.*", "", text_of(name)), re.IGNORECASE)
    ]
    assert named == []


def test_no_proto_but_a_games_own_names_it_outside_comments() -> None:
    protos = [name for name in TREE if name.endswith(".proto") and not of_a_game(name)]
    assert protos
    for name in protos:
        code = re.sub(r"//.*", "", text_of(name))
        assert [token for token in TOKENS if token in code] == [], name


def test_the_readme_opens_with_the_two_commands() -> None:
    opening = text_of("README.md")[:400]
    assert "make run" in opening
    assert "make test" in opening


def test_every_make_target_says_what_it_does() -> None:
    makefile = text_of("Makefile")
    targets = re.findall(r"^\.PHONY: (.+)$", makefile, re.MULTILINE)
    assert len(targets) > 10
    for target in targets:
        assert re.search(rf"^{re.escape(target)}:.*## .+$", makefile, re.MULTILINE), target


def test_every_step_that_installs_says_so_first() -> None:
    recipes = [
        recipe for recipe in text_of("Makefile").split("\n\n") if re.search(r"^\t.*\$\(PINNED\)", recipe, re.MULTILINE)
    ]
    assert len(recipes) >= 5
    for recipe in recipes:
        assert recipe.index('@echo "Installing') < recipe.index("$(PINNED)"), recipe


def test_ci_runs_from_a_clean_clone() -> None:
    assert os.access(ROOT / ".ci" / "run", os.X_OK)
    assert {"check", "test"} <= set(re.findall(r"\w+", text_of(".ci/run")))


@pytest.mark.parametrize("name", DOCUMENTS)
def test_links_lead_somewhere(name: str) -> None:
    folder = (ROOT / name).parent
    assert [link for link in LINK.findall(text_of(name)) if not (folder / link).exists()] == []


def test_the_places_that_the_readme_names_are_there() -> None:
    places = re.findall(r"`((?:clients|docs|loadtests|proto|services|tests)/[\w/.]*)`", text_of("README.md"))
    assert len(places) > 5
    assert [place for place in places if not (ROOT / place).exists()] == []


@pytest.mark.parametrize("name", DECISIONS)
def test_a_decision_has_the_form(name: str) -> None:
    found = ADR.fullmatch(text_of(name))
    assert found, "see the headings of the others"
    assert found["number"] == Path(name).name[:4]
    assert re.search(r"\b(must|should|may)\b", found["decision"])
    assert "was refused" in found["rationale"] or "were refused" in found["rationale"]
    assert f"[{found['number']}]({Path(name).name}) | {found['title']} |" in text_of("docs/adr/README.md")


def test_decisions_are_numbered_without_a_gap() -> None:
    numbers = [int(Path(name).name[:4]) for name in DECISIONS]
    assert numbers == list(range(1, len(numbers) + 1))
