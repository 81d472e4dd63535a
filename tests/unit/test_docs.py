"""The tables of the documents say what the code says."""

import re
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from monsters.replicas.v1 import replicas_pb2
from monsters.rules.v1 import rules_pb2
from monsters.session.v1 import session_pb2

from lair._translation import BY_REASON, SESSION, SHARED
from services.edge.protos import read_protos
from services.edge.replies import BARE, DOMAIN, REPLIES
from services.games import find_games
from services.runtime.settings import Settings
from tests.support.games import reasons

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
ROW = re.compile(r"^\| `(?P<name>[A-Z_]+)`(?P<more>[^|]*)\|(?P<cells>.*)\|$", re.MULTILINE)


def rows_of(page: str, heading: str) -> dict[str, list[str]]:
    """The rows under one heading of a page: what stands in capitals first, and the cells after."""
    text = (DOCS / page).read_text(encoding="utf-8")
    section = re.split(r"^## ", text, flags=re.MULTILINE)
    chosen = next(part for part in section if part.startswith(heading))
    return {row["name"]: [cell.strip() for cell in row["cells"].split("|")] for row in ROW.finditer(chosen)}


def documented(enum: Any) -> dict[str, str]:
    """The reasons of an enum of a proto, each with the code that its comment begins with."""
    file = Path(__file__).parents[2] / "proto" / enum.DESCRIPTOR.file.name
    found = re.findall(
        r"// ([A-Z_]+)\. [^\n]*\n(?:\s+//[^\n]*\n)+\s+ERROR_REASON_([A-Z_]+) = ", file.read_text("utf-8")
    )
    codes = {reason: code for code, reason in found}
    names = {name.removeprefix("ERROR_REASON_") for name in enum.DESCRIPTOR.values_by_name} - {"UNSPECIFIED"}
    assert set(codes) == names
    return codes


@pytest.mark.parametrize(
    ("heading", "domain", "enum"),
    [("Of every service", SHARED, rules_pb2.ErrorReason), ("Of sessions", SESSION, session_pb2.ErrorReason)],
)
def test_errors_has_every_reason_with_its_code_and_exception(heading: str, domain: str, enum: Any) -> None:
    rows = rows_of("errors.md", heading)
    assert {reason: cells[0] for reason, cells in rows.items()} == documented(enum)
    exceptions = {reason: f"`{exception.__name__}`" for (of, reason), exception in BY_REASON.items() if of == domain}
    assert {reason: cells[-1] for reason, cells in rows.items()} == exceptions


def test_errors_has_what_replicas_say_to_one_another() -> None:
    rows = rows_of("errors.md", "Of replicas")
    assert {reason: cells[0] for reason, cells in rows.items()} == documented(replicas_pb2.ErrorReason)


def test_errors_has_the_refusals_that_every_game_has() -> None:
    common = set(rows_of("errors.md", "Of a game"))
    assert common == {"GAME_OVER", "NOT_YOUR_TURN", "HOST_ONLY", "SEAT_ONLY"}
    for entry in find_games().values():
        assert common <= reasons(entry)


def test_errors_has_all_refusals_of_the_games_that_it_names() -> None:
    """A new game has its reasons in its proto, and need not be named here."""
    text = (DOCS / "errors.md").read_text(encoding="utf-8").partition("## Of a game")[2]
    named = [entry for entry in find_games().values() if entry.package in text]
    assert named
    for entry in named:
        assert [reason for reason in reasons(entry) if f"`{reason}`" not in text] == []


def test_errors_has_what_the_edge_says_by_itself() -> None:
    said = {reply.reason for reply in (*REPLIES, *BARE.values()) if reply.domain == DOMAIN}
    said |= set(
        re.findall(r'"lair\.edge", "([A-Z_]+)"', (files("services.edge") / "lua" / "calls.lua").read_text("utf-8"))
    )
    assert set(rows_of("errors.md", "Of the edge")) == said


def test_http_has_the_paths_that_there_are() -> None:
    """Paths of sessions one by one; those of games are alike."""
    text = (DOCS / "http.md").read_text(encoding="utf-8")
    for method in read_protos().methods:
        for binding in method.bindings:
            path = re.sub(r"\{name=sessions/\*\}", "sessions/{id}", binding.path)
            if method.token == "session":
                assert f"{binding.verb} {path}`" in text
            elif binding.verb == "POST":
                assert f":{path.rpartition(':')[2]}`" in text


def test_settings_has_every_setting_with_its_default() -> None:
    rows = rows_of("settings.md", "# Settings")
    expected = {f"LAIR_{name.upper()}": f"`{said(field.default)}`" for name, field in Settings.model_fields.items()}
    own = {"LAIR_SERVER", "LAIR_NOTEBOOK", "LAIR_CONFIG"}
    assert {name: cells[0] for name, cells in rows.items() if name not in own} == expected
    assert own <= set(rows)


def said(default: object) -> str:
    return str(default).lower() if isinstance(default, bool) else str(default)


def test_every_limit_has_its_setting_and_its_test() -> None:
    """The table of SECURITY.md."""
    section = (ROOT / "SECURITY.md").read_text().partition("## Limits")[2]
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in section.splitlines() if "`test_" in line]
    limits = {f"LAIR_{name.upper()}" for name in Settings.model_fields if name.startswith("max_")}
    assert {name for row in rows for name in re.findall(r"LAIR_MAX_[A-Z_]+", row[1])} == limits
    tests = "".join(path.read_text() for path in (ROOT / "tests").rglob("test_*.py"))
    assert [row[3] for row in rows if f"def {row[3].strip('`')}(" not in tests] == []
