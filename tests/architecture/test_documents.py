"""The documents as a whole: places within pages, the index of them all, and pages that have to have every name."""

import re
import unicodedata
from collections.abc import Iterator
from pathlib import Path

import pytest

import lair
from tests.support.tree import ROOT, tracked

DOCUMENTS = tuple(name for name in tracked() if name.endswith(".md"))
INDEX = "docs/README.md"
LINK = re.compile(r"\]\((?!https?:)([^)\s#]*)(?:#([^)\s]+))?\)")
FENCED = re.compile(r"^ *(`{3,}|:{3,}).*?^ *\1`*$", re.DOTALL | re.MULTILINE)
HEADING = re.compile(r"^#{1,6} +(.+?)(?: +#+)?$", re.MULTILINE)
RENDERED_NAMES = re.compile(r"^\.\. auto(?:class|exception|function|data):: (\w+)$", re.MULTILINE)


def prose(name: str) -> str:
    """A document without what is fenced in it."""
    return FENCED.sub("", (ROOT / name).read_text("utf-8"))


def links(name: str) -> Iterator[tuple[str, str]]:
    """The documents and places that a document links to."""
    for path, place in LINK.findall(prose(name)):
        target = (ROOT / name).parent / path if path else ROOT / name
        yield str(target.resolve().relative_to(ROOT)), place


def places(name: str) -> set[str]:
    """What can stand after # in a link to a document: a heading in small letters, its blanks as dashes."""
    found: dict[str, int] = {}
    for heading in HEADING.findall(prose(name)):
        text = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading)
        kept = (sign for sign in text.lower() if sign in "-_ " or unicodedata.category(sign)[0] in "LN")
        slug = "".join(kept).replace(" ", "-")
        found[slug] = found.get(slug, -1) + 1
    return {f"{slug}-{number}" if number else slug for slug, last in found.items() for number in range(last + 1)}


def test_places_are_found_and_missing_ones_are_not() -> None:
    assert "what-a-thief-of-the-file-can-do" in places("SECURITY.md")
    assert "limits-1" not in places("SECURITY.md")
    assert ("docs/operations.md", "postgresql") in set(links("docs/settings.md"))


@pytest.mark.parametrize("name", DOCUMENTS)
def test_links_lead_to_places_that_are_there(name: str) -> None:
    lost = [f"{path}#{place}" for path, place in links(name) if place and place not in places(path)]
    assert lost == []


def test_the_index_has_every_document() -> None:
    """`make docs` makes the site's navigation of it. Decisions have an index of their own."""
    listed = {path for path, _ in links(INDEX)}
    missing = {name for name in DOCUMENTS if not re.match(r"docs/adr/\d", name)} - listed - {INDEX}
    assert missing == set(), f"give each of them a line in {INDEX}"


def test_the_readme_leads_to_every_tutorial_and_how_to() -> None:
    listed = {path for path, _ in links("README.md")}
    assert {name for name in DOCUMENTS if Path(name).parts[:2] in {("docs", "tutorials"), ("docs", "how-to")}} <= listed


def test_the_reference_of_the_sdk_has_every_public_name_once() -> None:
    names = RENDERED_NAMES.findall((ROOT / "docs/reference/sdk.md").read_text("utf-8"))
    assert sorted(names) == sorted(lair.__all__)
