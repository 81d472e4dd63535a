"""The client for TypeScript as strangers install it: packed, and put into a folder of its own elsewhere."""

import json
import os
import re
import shutil
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.support.installed import done
from tests.support.tree import ROOT, copy_tracked

CLIENTS = ROOT / "clients"
PACKAGE = CLIENTS / "typescript"
NAME = "@lair-games/client"
MISSING = " and ".join(
    said
    for said, there in (
        ("there is no npm", shutil.which("npm") is not None),
        ("`make web` has not installed its packages", (CLIENTS / "node_modules").is_dir()),
    )
    if not there
)
needs_npm = pytest.mark.skipif(bool(MISSING) and "CI" not in os.environ, reason=MISSING)
"""Where CI is set there are no excuses: the test fails."""
QUIET = ("--silent", "--no-audit", "--no-fund", "--no-progress")
PINNED = (
    "@bufbuild/protobuf",
    "@connectrpc/connect",
    "@connectrpc/connect-node",
    "@connectrpc/connect-web",
    "@types/node",
    "typescript",
)
STRICT = {
    "target": "ES2022",
    "lib": ["ES2022", "DOM"],
    "types": ["node"],
    "module": "NodeNext",
    "strict": True,
    "exactOptionalPropertyTypes": True,
    "noUncheckedIndexedAccess": True,
    "verbatimModuleSyntax": True,
}


def pack(clone: Path, target: Path) -> Path:
    """Build the package's tarball in a clone, from the protos on, and give the file. The tools are those from here."""
    for folder in ("clients", "proto"):
        copy_tracked(clone, folder)
    (clone / "clients" / "node_modules").symlink_to(CLIENTS / "node_modules")
    target.mkdir()
    done("npm", "pack", *QUIET, "--pack-destination", target, folder=clone / "clients" / "typescript")
    (tarball,) = target.glob("*.tgz")
    return tarball


def install(tarball: Path, folder: Path) -> Path:
    """Install it there, with nothing but the versions that this repository has of what it needs and of the compiler."""
    folder.mkdir()
    locked = json.loads((CLIENTS / "package-lock.json").read_text("utf-8"))["packages"]
    pinned = {name: locked[f"node_modules/{name}"]["version"] for name in PINNED}
    project = {"type": "module", "private": True, "dependencies": {NAME: f"file:{tarball}", **pinned}}
    (folder / "package.json").write_text(json.dumps(project), "utf-8")
    done("npm", "install", *QUIET, "--prefer-offline", "--ignore-scripts", folder=folder)
    return folder


def compile_strictly(folder: Path, programs: Mapping[str, str]) -> None:
    """Compile programs beside what is installed there, which is checked, too. Fails with what the compiler says."""
    for name, text in programs.items():
        (folder / f"{name}.ts").write_text(text, "utf-8")
    files = [f"{name}.ts" for name in programs]
    settings = {"compilerOptions": STRICT, "files": files}
    (folder / "tsconfig.json").write_text(json.dumps(settings), "utf-8")
    done("node", folder / "node_modules" / "typescript" / "bin" / "tsc", folder=folder)


def readme_programs() -> list[str]:
    """The programs in the package's README, in their order."""
    return re.findall(r"```ts\n(.+?)```", (PACKAGE / "README.md").read_text("utf-8"), re.DOTALL)
