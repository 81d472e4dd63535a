"""Builds proto/gen from every .proto there is: Python code with types, Google's protos for buf, a descriptor set.

Nothing lists the protos: a new game's file is found. The output is never committed: its version is tied to the
runtime that is installed, and a proto file stays the only source of its types.
"""

import shutil
import sys
import sysconfig
from importlib.resources import files
from pathlib import Path

from grpc_tools import protoc

ROOT = Path(__file__).parent
GEN = ROOT / "gen"
PYTHON = GEN / "python"
GOOGLE = ("api/annotations", "api/http", "api/field_behavior", "rpc/status", "rpc/error_details", "rpc/code")


def lay_out_google(include: Path) -> None:
    """Copy the few of Google's protos that we import or send: a buf workspace reads no registry here."""
    for name in GOOGLE:
        target = GEN / "googleapis" / "google" / f"{name}.proto"
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(include / "google" / f"{name}.proto", target)


def generate() -> None:
    """Write proto/gen anew. Raises SystemExit when protoc refuses a file."""
    shutil.rmtree(GEN, ignore_errors=True)
    PYTHON.mkdir(parents=True)
    google = Path(str(files("google.rpc").joinpath("status.proto"))).parents[2]
    lay_out_google(google)
    protos = sorted(str(path) for path in (ROOT / "monsters").rglob("*.proto"))
    scripts = Path(sysconfig.get_path("scripts"))
    error_details = str(GEN / "googleapis/google/rpc/error_details.proto")
    includes = [f"-I{ROOT}", f"-I{GEN / 'googleapis'}", f"-I{files('grpc_tools') / '_proto'}"]
    code = protoc.main(
        [
            "protoc",
            *includes,
            f"--plugin=protoc-gen-mypy={scripts / 'protoc-gen-mypy'}",
            f"--plugin=protoc-gen-mypy_grpc={scripts / 'protoc-gen-mypy_grpc'}",
            f"--python_out={PYTHON}",
            f"--grpc_python_out={PYTHON}",
            f"--mypy_out=quiet:{PYTHON}",
            f"--mypy_grpc_out=quiet:{PYTHON}",
            *protos,
        ]
    )
    # A proxy that translates JSON needs the types of error details beside every service (Envoy issue 9796).
    code = code or protoc.main(
        [
            "protoc",
            *includes,
            "--include_imports",
            "--include_source_info",
            f"--descriptor_set_out={PYTHON / 'monsters' / 'descriptors.binpb'}",
            *protos,
            error_details,
        ]
    )
    if code:
        sys.exit(code)
    for package in {path.parent for path in PYTHON.rglob("*_pb2.py")}:
        (package / "py.typed").touch()


if __name__ == "__main__":
    generate()
