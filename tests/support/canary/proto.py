"""The canary's messages and service: canary.proto, and the RulesService that is rendered for every game.

They are compiled here, so that nothing of the canary is in proto/monsters, and whatever changes in the shape of all
games changes here, too.
"""

import runpy
from pathlib import Path
from tempfile import TemporaryDirectory
from types import ModuleType

from google.api import annotations_pb2
from google.protobuf.descriptor import ServiceDescriptor
from google.protobuf.descriptor_pb2 import FileDescriptorSet
from google.protobuf.descriptor_pool import Default
from google.protobuf.message_factory import GetMessageClass
from grpc_tools import protoc
from monsters.rules.v1 import opaque_pb2

IMPORTED = (annotations_pb2, opaque_pb2)
"""With these modules the pool has everything that the canary's files import."""
TOKEN = "canary"
OWN = Path(__file__).with_name(f"{TOKEN}.proto")
PROTOS = Path(__file__).parents[3] / "proto"
INCLUDES = (PROTOS, PROTOS / "googleapis", Path(protoc.__file__).parent / "_proto")


def _compile(folder: Path) -> FileDescriptorSet:
    """The descriptors of the canary's two files."""
    place = folder / "monsters" / TOKEN / "v1"
    place.mkdir(parents=True)
    tool = runpy.run_path(str(PROTOS / "render.py"))
    (place / OWN.name).write_bytes(OWN.read_bytes())
    (place / "rules_service.proto").write_text(tool["render"](tool["SHAPE"].read_text("utf-8"), TOKEN, TOKEN), "utf-8")
    out = folder / "descriptors"
    includes = [f"-I{include}" for include in (folder, *INCLUDES)]
    files = [str(path) for path in sorted(place.iterdir())]
    assert protoc.main(["protoc", *includes, f"--descriptor_set_out={out}", *files]) == 0
    return FileDescriptorSet.FromString(out.read_bytes())


def _build() -> tuple[ModuleType, ServiceDescriptor]:
    """A module like the generated ones, with a class for each message of the game's own, and the service."""
    with TemporaryDirectory() as folder:
        for file in _compile(Path(folder)).file:
            Default().AddSerializedFile(file.SerializeToString())
    module = ModuleType(f"{TOKEN}_pb2")
    descriptor = Default().FindFileByName(f"monsters/{TOKEN}/v1/{TOKEN}.proto")
    module.DESCRIPTOR = descriptor  # type: ignore[attr-defined]  # as generated modules have it
    for name, message in descriptor.message_types_by_name.items():
        setattr(module, name, GetMessageClass(message))
    return module, Default().FindServiceByName(f"{descriptor.package}.RulesService")


canary_pb2, RULES_SERVICE = _build()
