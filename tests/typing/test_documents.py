"""The programs in the documents pass type checkers, as those who copy them would run them."""

import ast
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from mypy import api

import lair

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
SDK = ROOT / "clients" / "python"
PYRIGHT = HERE / "node_modules" / "pyright" / "index.js"
MISSING = "" if PYRIGHT.exists() and shutil.which("node") else "pyright comes by `make pyright`"
needs_pyright = pytest.mark.skipif(bool(MISSING) and "CI" not in os.environ, reason=MISSING)
"""Where CI is set there are no excuses: the test fails."""
PATIENCE = 600.0


def programs() -> Iterator[tuple[str, str]]:
    """Each program with a name. A part of a page has what the parts before it have imported."""
    for name, page in (("root", ROOT / "README.md"), ("sdk", SDK / "README.md")):
        imports = ""
        for number, part in enumerate(page.read_text(encoding="utf-8").split("```python\n")[1:]):
            program = part.partition("```")[0]
            yield f"readme_of_{name}_{number}", f"{imports}{program}"
            imports += imports_of(program)
    lines = (lair.__doc__ or "").splitlines()
    yield "docstring", "\n".join(line.removeprefix("    ") for line in lines if line.startswith("    "))
    for example in (SDK / "examples").glob("*.py"):
        yield f"example_{example.stem}", example.read_text(encoding="utf-8")


def imports_of(program: str) -> str:
    nodes = [node for node in ast.parse(program).body if isinstance(node, ast.Import | ast.ImportFrom)]
    return "".join(f"{ast.unparse(node)}\n" for node in nodes)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The programs, each in a file."""
    folder = tmp_path_factory.mktemp("programs")
    for name, program in programs():
        (folder / f"{name}.py").write_text(program, encoding="utf-8")
    return folder


def pyright(folder: Path, *arguments: str) -> Any:
    """What pyright says, as JSON. It finds the packages of the Python that comes first."""
    path = os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"]))
    command = ["node", str(PYRIGHT), "--outputjson", *arguments]
    environment = os.environ | {"PATH": path}
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    assert done.stdout, done.stderr
    return json.loads(done.stdout)


def test_there_are_programs(folder: Path) -> None:
    assert len(list(folder.glob("readme_of_*.py"))) > 10
    assert len(list(folder.glob("example_*.py"))) > 5


def test_mypy_accepts_every_program_strictly(folder: Path, tmp_path: Path) -> None:
    files = [str(path) for path in sorted(folder.glob("*.py"))]
    config = ["--strict", "--config-file", str(ROOT / "pyproject.toml"), "--cache-dir", str(tmp_path)]
    said, failed, code = api.run([*config, *files])
    assert code == 0, said + failed


@needs_pyright
def test_pyright_accepts_every_program(folder: Path) -> None:
    (folder / "pyrightconfig.json").write_text('{"typeCheckingMode": "standard"}', encoding="utf-8")
    found = pyright(folder)
    assert found["generalDiagnostics"] == []
    assert found["summary"]["filesAnalyzed"] == len(list(folder.glob("*.py")))


@needs_pyright
def test_every_public_type_of_the_sdk_is_known(tmp_path: Path) -> None:
    """And can't be inferred differently by different type checkers."""
    found = pyright(tmp_path, "--verifytypes", "lair", "--ignoreexternal")["typeCompleteness"]
    unknown = [symbol["name"] for symbol in found["symbols"] if symbol["isExported"] and not symbol["isTypeKnown"]]
    assert unknown == []
    assert found["completenessScore"] == 1
    assert found["exportedSymbolCounts"]["withKnownType"] > 500
