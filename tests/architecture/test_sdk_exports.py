"""What `import lair` gives, and what it takes with it."""

import ast
import inspect
import subprocess
import sys
from pathlib import Path

import pytest

import lair

FOLDER = Path(lair.__file__).parent
MODULES = sorted(path.stem for path in FOLDER.glob("*.py") if path.stem not in ("__init__", "testing"))


def test_the_public_names_are_listed_and_sorted() -> None:
    assert lair.__all__ == sorted(lair.__all__)
    imported = {name for name, thing in vars(lair).items() if not name.startswith("_") and not inspect.ismodule(thing)}
    assert imported == set(lair.__all__)


def test_everything_public_has_a_docstring() -> None:
    for name in lair.__all__:
        thing = getattr(lair, name)
        if not inspect.isclass(thing) and not inspect.isfunction(thing):
            continue
        assert inspect.getdoc(thing), name
        for member, function in inspect.getmembers(thing, inspect.isfunction):
            if not member.startswith("_"):
                assert inspect.getdoc(function), f"{name}.{member}"


def test_the_docstring_opens_with_the_script() -> None:
    assert lair.__doc__ is not None
    for line in ("lair.connect(", "game.play_out(", "game.verify().ok", "except lair.IllegalMove"):
        assert line in lair.__doc__


@pytest.mark.parametrize("module", MODULES)
def test_the_sdk_needs_no_server_code(module: str) -> None:
    tree = ast.parse((FOLDER / f"{module}.py").read_text())
    imported = [node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    imported += [name.name for node in ast.walk(tree) if isinstance(node, ast.Import) for name in node.names]
    assert not [name for name in imported if name.split(".")[0] == "services"]


@pytest.mark.parametrize("module", MODULES)
def test_the_sdk_names_no_game(module: str) -> None:
    """Docstrings may; code may not: a new game needs no new SDK."""
    tree = ast.parse((FOLDER / f"{module}.py").read_text())
    docstrings = {
        id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    texts = [
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings
    ]
    assert not [text for text in texts if "cabbages" in text]


def test_importing_lair_imports_neither_servers_nor_the_command_line() -> None:
    code = "import lair, sys; print({'services', 'typer', 'rich', 'lair.cli'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"


@pytest.mark.parametrize("module", [name for name in MODULES if name not in ("_channel", "_connection", "_ways")])
def test_only_the_connection_makes_calls(module: str) -> None:
    """The rest of the SDK is pure, or a thin shell: gRPC is there for its codes and the types of its errors."""
    source = (FOLDER / f"{module}.py").read_text()
    for word in ("insecure_channel", "secure_channel", "unary_unary", "unary_stream", "stream_stream"):
        assert word not in source
