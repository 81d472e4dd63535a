"""Asks buf whether the protos break what was promised: the contract may grow, and nothing in it is renamed.

They are compared with those of the commit that the file `baseline` names, and with those of origin/main, or else those
before their last change, when these are later. A clone that lacks the baseline, because it is shallow or the commit was
squashed away, has the second comparison alone, and is told so. Whatever the tree of a commit had beside
our protos, it is read with today's buf.yaml and Google's protos of today.
"""

import io
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import tempfile
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent
PROTOS = "proto/monsters"


def git(*arguments: str) -> bytes:
    """What git says, or nothing when it can't."""
    return subprocess.run(["git", *arguments], cwd=ROOT.parent, capture_output=True, check=False).stdout  # noqa: S603, S607  git of the developer


def find_before() -> str | None:
    """The commit that has the protos before these: origin/main where it differs, else the one before their change."""
    if git("diff", "--name-only", "origin/main", "--", PROTOS):
        return "origin/main"
    commits = git("log", "--format=%H", "-n", "1", "--", PROTOS).decode().split()
    before = f"{commits[0]}~1" if commits else "HEAD"
    return before if git("ls-tree", "--name-only", before, "--", PROTOS) else None


def find_bases() -> Iterator[str]:
    """The commits to compare with."""
    baseline, before = (ROOT / "baseline").read_text(encoding="utf-8").strip(), find_before()
    if not git("ls-tree", "--name-only", baseline, "--", PROTOS):
        print(f"proto/baseline names {baseline}, which this clone lacks: compared with {before or 'nothing'} alone")  # noqa: T201  for the one who runs it
    else:
        yield baseline
        if before is None or not git("rev-list", "--max-count=1", f"{baseline}..{before}"):
            return
    if before is not None:
        yield before


def compare(base: str) -> int:
    """What buf exits with. It says what is broken."""
    with tempfile.TemporaryDirectory() as folder:
        archive = git("archive", "--format=tar", f"{base}:proto")
        with tarfile.open(fileobj=io.BytesIO(archive)) as old:
            old.extractall(folder, filter="data")
        shutil.copytree(ROOT / "googleapis", Path(folder) / "googleapis", dirs_exist_ok=True)
        shutil.copy(ROOT / "buf.yaml", folder)
        buf = Path(sysconfig.get_path("scripts")) / "buf"
        return subprocess.run([buf, "breaking", ROOT, "--against", folder], check=False).returncode  # noqa: S603  our own buf


def main() -> None:
    """Compare, and exit as buf does."""
    sys.exit(max(map(compare, find_bases()), default=0))


if __name__ == "__main__":
    main()
