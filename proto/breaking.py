"""Asks buf whether the protos break what main promises: the contract may grow, and nothing in it is renamed.

Against origin/main where it differs, else against the protos before their last change. Google's protos are built and
not committed, so the old tree gets today's.
"""

import io
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import tempfile
from pathlib import Path

ROOT = Path(__file__).parent


def git(*arguments: str) -> bytes:
    """What git says, or nothing when it can't."""
    return subprocess.run(["git", *arguments], cwd=ROOT.parent, capture_output=True, check=False).stdout  # noqa: S603, S607  git of the developer


def find_base() -> str | None:
    """The commit to compare with."""
    if git("diff", "--name-only", "origin/main", "--", "proto/monsters"):
        return "origin/main"
    commits = git("log", "--format=%H", "-n", "1", "--", "proto/monsters").decode().split()
    before = f"{commits[0]}~1" if commits else "HEAD"
    return before if git("ls-tree", "--name-only", before, "--", "proto/monsters") else None


def main() -> None:
    """Compare, and exit as buf does."""
    if (base := find_base()) is None:
        print("there are no earlier protos to break")  # noqa: T201  for the one who runs it
        return
    with tempfile.TemporaryDirectory() as folder:
        archive = git("archive", "--format=tar", f"{base}:proto")
        with tarfile.open(fileobj=io.BytesIO(archive)) as old:
            old.extractall(folder, filter="data")
        shutil.copytree(ROOT / "gen" / "googleapis", Path(folder) / "gen" / "googleapis")
        buf = Path(sysconfig.get_path("scripts")) / "buf"
        sys.exit(subprocess.run([buf, "breaking", ROOT, "--against", folder], check=False).returncode)  # noqa: S603  our own buf


if __name__ == "__main__":
    main()
