"""Generates from every .proto there is: Python code with types, and a descriptor set. `make` has it in proto/gen.

Nothing lists the protos: a new game's file is found. The output is never committed: its version is tied to the
runtime that is installed, and a proto file stays the only source of its types. What builds the distribution of the
client calls `generate` for the code that goes into its wheel.
"""

import shutil
import sys
from importlib.metadata import files
from pathlib import Path

from grpc_tools import protoc

ROOT = Path(__file__).parent
PYTHON = ROOT / "gen" / "python"
GOOGLE = ROOT / "googleapis"
INCLUDES = (GOOGLE, ROOT, Path(protoc.__file__).parent / "_proto")
"""Where imports are looked for. Google's folder comes before ours, in which it lies: the first one names a file."""


def generate(target: Path) -> None:
    """Write the package `monsters` into a folder, in the place of one there. Raises SystemExit if protoc refuses."""
    shutil.rmtree(target / "monsters", ignore_errors=True)
    target.mkdir(parents=True, exist_ok=True)
    protos = [str(path) for path in sorted((ROOT / "monsters").rglob("*.proto"))]
    _protoc(
        f"--plugin=protoc-gen-mypy={_script('protoc-gen-mypy')}",
        f"--plugin=protoc-gen-mypy_grpc={_script('protoc-gen-mypy_grpc')}",
        f"--python_out={target}",
        f"--grpc_python_out={target}",
        f"--mypy_out=quiet:{target}",
        f"--mypy_grpc_out=quiet:{target}",
        *protos,
    )
    # A proxy that translates JSON needs the types of error details beside every service (Envoy issue 9796).
    _protoc(
        "--include_imports",
        "--include_source_info",
        f"--descriptor_set_out={target / 'monsters' / 'descriptors.binpb'}",
        *protos,
        str(GOOGLE / "google" / "rpc" / "error_details.proto"),
    )
    for package in {path.parent for path in (target / "monsters").rglob("*_pb2.py")}:
        (package / "py.typed").touch()


def _protoc(*arguments: str) -> None:
    if code := protoc.main(["protoc", *(f"-I{folder}" for folder in INCLUDES), *arguments]):
        sys.exit(code)


def _script(name: str) -> Path:
    """Where the installed package has its program, also in an environment that was made for one build alone."""
    return next(Path(str(file.locate())) for file in files("mypy-protobuf") or () if file.stem == name)


if __name__ == "__main__":
    generate(PYTHON)
