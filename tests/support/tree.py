"""The files of this repository, as git sees them."""

import shutil
import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[2]


def tracked(under: str = "") -> tuple[str, ...]:
    """Every file that is tracked, or would be with the next commit: all of them, or those in one folder."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", under or "."]
    listing = subprocess.run(command, cwd=ROOT, capture_output=True, check=True)
    names = filter(None, listing.stdout.decode().split("\0"))
    return tuple(sorted(name for name in names if (ROOT / name).is_file()))


def copy_tracked(target: Path, under: str = "") -> Path:
    """Copy these files to the same places in another folder, and give that: it is like a new clone, without git."""
    for name in tracked(under):
        place = target / name
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, place)
    return target
