"""The contract may grow, and what was promised stays: `proto/breaking.py`, in a small repository of its own."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

PROTO = Path(__file__).parents[2] / "proto"
FILE = "monsters/goblins/v1/goblins.proto"
TEXT = 'syntax = "proto3";\n\npackage monsters.goblins.v1;\n\nmessage Move {\n  string kind = 1;\n}\n'
GROWN = TEXT.replace("  string kind = 1;\n", "  string kind = 1;\n  int32 seat = 2;\n")
CHANGED = TEXT.replace("string kind", "string sort")
NOWHERE = "0123456789" * 4


class Repository:
    """A repository whose protos are one file."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        shutil.copytree(PROTO / "googleapis", folder / "proto" / "googleapis")
        for name in ("breaking.py", "buf.yaml"):
            shutil.copy(PROTO / name, folder / "proto" / name)
        self.git("init", "--quiet", "--initial-branch=main")

    def git(self, *arguments: str) -> str:
        who = ("-c", "user.name=Ann", "-c", "user.email=ann@example.org")
        done = subprocess.run(["git", *who, *arguments], cwd=self.folder, capture_output=True, text=True, check=True)
        return done.stdout.strip()

    def commit(self, text: str) -> str:
        """Commit the protos like this, and give the commit."""
        file = self.folder / "proto" / FILE
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")
        self.git("add", f"proto/{FILE}", "proto/buf.yaml")
        self.git("commit", "--quiet", "--message", "The protos")
        return self.git("rev-parse", "HEAD")

    def check(self, baseline: str) -> tuple[bool, str]:
        """Whether the protos keep what this baseline and later commits promise, and what is said."""
        (self.folder / "proto" / "baseline").write_text(f"{baseline}\n", "utf-8")
        command = [sys.executable, "proto/breaking.py"]
        done = subprocess.run(command, cwd=self.folder, capture_output=True, text=True, check=False, timeout=60)
        assert not done.stderr, done.stderr
        return done.returncode == 0, done.stdout


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    return Repository(tmp_path)


def test_the_contract_may_grow(repository: Repository) -> None:
    baseline = repository.commit(TEXT)
    repository.commit(GROWN)
    assert repository.check(baseline) == (True, "")


def test_what_the_baseline_has_stays_however_many_commits_are_between(repository: Repository) -> None:
    baseline = repository.commit(TEXT)
    repository.commit(CHANGED)
    repository.commit(CHANGED.replace("sort", "kinds"))
    kept, said = repository.check(baseline)
    assert not kept
    assert '"kind"' in said


def test_what_came_after_the_baseline_stays_too(repository: Repository) -> None:
    baseline = repository.commit(TEXT)
    repository.commit(GROWN)
    repository.commit(TEXT)
    kept, said = repository.check(baseline)
    assert not kept
    assert '"seat"' in said


def test_what_was_before_the_baseline_may_be_broken(repository: Repository) -> None:
    repository.commit(GROWN)
    assert repository.check(repository.commit(CHANGED)) == (True, "")


def test_a_change_that_is_not_committed_is_judged(repository: Repository) -> None:
    baseline = repository.commit(TEXT)
    (repository.folder / "proto" / FILE).write_text(CHANGED, "utf-8")
    assert not repository.check(baseline)[0]


def test_without_the_baseline_the_protos_before_are_compared_and_a_sentence_says_so(repository: Repository) -> None:
    repository.commit(TEXT)
    repository.commit(GROWN)
    kept, said = repository.check(NOWHERE)
    assert kept
    assert said.startswith(f"proto/baseline names {NOWHERE}, which this clone lacks: compared with ")
    repository.commit(CHANGED)
    assert not repository.check(NOWHERE)[0]


def test_a_clone_without_any_history_is_told_that_nothing_was_compared(repository: Repository, tmp_path: Path) -> None:
    baseline = repository.commit(TEXT)
    repository.commit(CHANGED)
    shallow = Repository(tmp_path / "shallow")
    shallow.git("fetch", "--quiet", "--depth=1", f"file://{tmp_path}", "main")
    shallow.git("reset", "--quiet", "--hard", "FETCH_HEAD")
    kept, said = shallow.check(baseline)
    assert kept
    assert said.endswith("compared with nothing alone\n")
