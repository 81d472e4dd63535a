"""Builds the distribution: generated code goes into the wheel, and what it is generated from into the sdist.

The protos are those of the repository around this folder, or those that the sdist has brought along. Nothing is written
into either: code for a wheel lies in a temporary folder. An editable install reads the repository's own proto/gen.
"""

import runpy
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

PARTS = ("generate.py", "googleapis", "monsters")


class ProtosHook(BuildHookInterface):
    """What hatchling calls before and after it builds a target."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add the protos to an sdist, and `monsters`, made of them, to a wheel."""
        protos = find_protos(Path(self.root))
        if self.target_name == "sdist":
            build_data["force_include"].update({str(protos / part): f"proto/{part}" for part in PARTS})
            return
        tool = runpy.run_path(str(protos / "generate.py"))
        if version == "editable":
            tool["generate"](tool["PYTHON"])
            return
        self.folder = tempfile.TemporaryDirectory(prefix="lair-games-")
        tool["generate"](Path(self.folder.name))
        build_data["force_include"][str(Path(self.folder.name, "monsters"))] = "monsters"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:  # noqa: ARG002  hatchling's
        """Remove what was generated for a wheel."""
        if self.target_name == "wheel" and version != "editable":
            self.folder.cleanup()


def find_protos(root: Path) -> Path:
    """The folder `proto` of an sdist, or of the repository."""
    own = root / "proto"
    return own if own.is_dir() else root.parents[1] / "proto"
