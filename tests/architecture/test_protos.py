"""The protos are complete in a clone, and say where other languages put what they generate."""

import subprocess
import sysconfig
from importlib.metadata import files, version
from pathlib import Path

import pytest
from google.protobuf.descriptor_pb2 import FileDescriptorSet
from grpc_tools import protoc

from tests.support.tree import ROOT, copy_tracked, tracked

BUF = Path(sysconfig.get_path("scripts")) / "buf"
OURS = tuple(name.removeprefix("proto/") for name in tracked("proto/monsters") if name.endswith(".proto"))
GOOGLE = tuple(
    name.removeprefix("proto/googleapis/") for name in tracked("proto/googleapis") if name.endswith(".proto")
)


@pytest.fixture(scope="module")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The protos of a new clone, with nothing generated."""
    return copy_tracked(tmp_path_factory.mktemp("clone"), "proto") / "proto"


@pytest.fixture(scope="module")
def descriptors(clone: Path) -> FileDescriptorSet:
    """What protoc makes of them with the two folders that a reader of the documents gives it."""
    out = clone.parent / "descriptors.binpb"
    beside = Path(protoc.__file__).parent / "_proto"  # any other protoc knows by itself where these lie
    includes = [f"-I{folder}" for folder in (clone / "googleapis", clone, beside)]
    files = [str(path) for path in sorted(clone.rglob("*.proto"))]
    assert protoc.main(["protoc", *includes, "--include_imports", f"--descriptor_set_out={out}", *files]) == 0
    return FileDescriptorSet.FromString(out.read_bytes())


@pytest.mark.parametrize("command", ["build", "lint"])
def test_buf_reads_a_clone(clone: Path, command: str) -> None:
    done = subprocess.run([BUF, command], cwd=clone, capture_output=True, text=True, check=False, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_protoc_reads_a_clone(descriptors: FileDescriptorSet) -> None:
    beside = {file.name for file in descriptors.file if file.name.startswith("google/protobuf/")}
    assert {*OURS, *GOOGLE} | beside == {file.name for file in descriptors.file}


@pytest.mark.parametrize("name", OURS)
def test_a_proto_says_where_other_languages_put_it(descriptors: FileDescriptorSet, name: str) -> None:
    (file,) = (each for each in descriptors.file if each.name == name)
    monsters, token, first = file.package.split(".")
    assert file.options.go_package == f"{monsters}/{token}/{first};{token}{first}"
    assert file.options.csharp_namespace == f"{monsters.title()}.{token.title()}.{first.title()}"
    assert file.options.java_package == file.package
    assert file.options.java_multiple_files


@pytest.mark.parametrize("name", GOOGLE)
def test_googles_protos_are_those_of_the_package_that_is_installed(name: str) -> None:
    folder = ROOT / "proto" / "googleapis"
    (theirs,) = (each for each in files("googleapis-common-protos") or () if each.as_posix() == name)
    assert (folder / name).read_bytes() == theirs.locate().read_bytes()
    assert f"`googleapis-common-protos` {version('googleapis-common-protos')}" in (folder / "README.md").read_text()
