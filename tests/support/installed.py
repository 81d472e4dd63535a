"""The client as strangers install it: built from a clone without git, put into an environment of its own elsewhere.

What is built is built with the packages of this environment. `LAIR_BUILD_ISOLATED=1` builds as pip does for strangers,
in environments that it makes for the builds.
"""

import os
import subprocess
import sys
import tomllib
import venv
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from packaging.requirements import Requirement

from tests.support.tree import ROOT

CLIENT = Path("clients", "python")
ISOLATION = () if os.environ.get("LAIR_BUILD_ISOLATED") else ("--no-build-isolation", "--no-index")
PATIENCE = 250
"""Seconds for one command, also on a busy machine and with a slow package index."""
PIP = (sys.executable, "-m", "pip", "--disable-pip-version-check")


def requirements(extra: str = "") -> Sequence[Requirement]:
    """What the client's distribution asks for, or what one of its extras does."""
    project = tomllib.loads((ROOT / CLIENT / "pyproject.toml").read_text("utf-8"))["project"]
    named = project["optional-dependencies"][extra] if extra else project["dependencies"]
    return [Requirement(each) for each in named]


def floors() -> dict[str, str]:
    """The lowest version of everything that has one, by name."""
    return {each.name: bound.version for each in requirements() for bound in each.specifier if bound.operator == ">="}


@dataclass(frozen=True)
class Ran:
    """What a command has left behind."""

    code: int
    out: str
    err: str


def ran(*command: str | Path, folder: Path, **environment: str) -> Ran:
    """Run a command in a folder, without this process's settings, and without a path that leads to this tree."""
    kept = {name: text for name, text in os.environ.items() if not name.startswith(("LAIR_", "PYTHON"))}
    done = subprocess.run(
        command,
        cwd=folder,
        env={**kept, **environment},
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE,
    )
    return Ran(done.returncode, done.stdout, done.stderr)


def done(*command: str | Path, folder: Path) -> str:
    """What such a command prints. Fails with all that it says unless its exit code is 0."""
    end = ran(*command, folder=folder)
    assert end.code == 0, f"{' '.join(map(str, command))}\n{end.out}{end.err}"
    return end.out


def build_sdist(clone: Path, target: Path) -> Path:
    """Build the client's sdist in a clone, and give the file."""
    command = (sys.executable, "-m", "hatchling", "build", "--target", "sdist", "--directory", target)
    done(*command, folder=clone / CLIENT)
    (sdist,) = target.glob("*.tar.gz")
    return sdist


def build_wheel(source: Path, target: Path) -> Path:
    """Build a wheel from an sdist or from a folder, and give the file."""
    target.mkdir()
    done(*PIP, "wheel", "--quiet", "--no-deps", *ISOLATION, "--wheel-dir", target, source, folder=target)
    (wheel,) = target.glob("*.whl")
    return wheel


@dataclass(frozen=True)
class Environment:
    """A virtual environment with nothing in it but what is installed there."""

    folder: Path

    @classmethod
    def create(cls, folder: Path) -> "Environment":
        """Make one. It needs no pip of its own."""
        venv.create(folder, with_pip=False, symlinks=os.name != "nt")
        return cls(folder)

    def script(self, name: str) -> Path:
        """Where a program of it lies."""
        return self.folder / ("Scripts" if os.name == "nt" else "bin") / name

    def install(self, *arguments: str | Path, constraints: dict[str, str]) -> None:
        """Install from the package index, with these versions of what they name."""
        file = self.folder / "constraints.txt"
        file.write_text("".join(f"{name}=={version}\n" for name, version in constraints.items()), "utf-8")
        pip = (*PIP, "--python", self.folder, "install", "--quiet", "--no-compile", "--constraint", file)
        done(*pip, *arguments, folder=self.folder)

    def run(self, name: str, *arguments: str | Path, **environment: str) -> Ran:
        """Run a program of it."""
        return ran(self.script(name), *arguments, folder=self.folder, **environment)
