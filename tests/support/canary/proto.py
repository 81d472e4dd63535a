"""The canary's messages and service: built here, from the opaque form that every game's proto follows.

So there is no generated code of it, no folder under proto/monsters, and whatever changes in the shape changes here.
"""

from types import ModuleType

from google.protobuf.descriptor_pb2 import DescriptorProto, EnumDescriptorProto, FieldDescriptorProto
from google.protobuf.descriptor_pb2 import FileDescriptorProto as File
from google.protobuf.descriptor_pool import Default
from google.protobuf.message_factory import GetMessageClass
from monsters.rules.v1 import opaque_pb2

TOKEN = "canary"
PACKAGE = f"monsters.{TOKEN}.v1"
SHARED = "monsters.rules.v1"
OWN = {"position": "Position", "move": "Move", "view": "View", "events": "Event", "options": "Options"}
"""What stands behind the bytes of the opaque form, by the field's name."""
TYPES = {"string": FieldDescriptorProto.TYPE_STRING, "int32": FieldDescriptorProto.TYPE_INT32}

FIELDS = [
    f"hands: repeated {PACKAGE}.Hand",
    f"pile: repeated {PACKAGE}.Card",
    f"bottom: {PACKAGE}.Card",
    "active_seat: int32",
    "turns: int32",
    f"options: {PACKAGE}.Options",
]
"""What a position and a view have alike."""
MESSAGES = {
    "Options": ["turns: optional int32"],
    "Card": ["text: string", f"known: {SHARED}.Audience"],
    "Hand": [f"cards: repeated {PACKAGE}.Card"],
    "Position": FIELDS,
    "View": FIELDS,
    "Draw": [],
    "Play": ["card: string"],
    "Show": ["card: string", "seat: int32"],
    "Timeout": [],
    "Move": [f"{name.lower()}: one {PACKAGE}.{name}" for name in ("Draw", "Play", "Show", "Timeout")],
    "Drawn": ["seat: int32", "card: string"],
    "Played": ["seat: int32", "card: string"],
    "Shown": ["seat: int32", "to: int32", "card: string"],
    "Opened": ["card: string"],
    "Ended": [f"outcome: {SHARED}.Outcome"],
    "Event": [
        f"audience: {SHARED}.Audience",
        *(f"{name.lower()}: one {PACKAGE}.{name}" for name in ("Drawn", "Played", "Shown", "Opened", "Ended")),
    ],
}
"""The game's own messages: each field's name, then what it is. `one` is a part of the message's only oneof."""
REASONS = ("UNSPECIFIED", "GAME_OVER", "NOT_YOUR_TURN", "HOST_ONLY", "SEAT_ONLY", "NOT_IN_HAND", "BAD_SEAT")


def build() -> ModuleType:
    """A module like the generated ones: a class for each message, and the descriptor of the file."""
    file = File(name=f"monsters/{TOKEN}/v1/{TOKEN}.proto", package=PACKAGE, syntax="proto3")
    shape = File()
    opaque_pb2.DESCRIPTOR.CopyToProto(shape)
    file.dependency.extend([*shape.dependency])
    file.message_type.extend(_typed(message) for message in shape.message_type if message.name != "Event")
    file.message_type.extend(_message(name, fields) for name, fields in MESSAGES.items())
    file.enum_type.append(_reasons())
    service = file.service.add(name="RulesService")
    for name in (message.name.removesuffix("Request") for message in shape.message_type):
        if f"{name}Request" in {message.name for message in shape.message_type}:
            service.method.add(
                name=name, input_type=f".{PACKAGE}.{name}Request", output_type=f".{PACKAGE}.{name}Response"
            )
    Default().AddSerializedFile(file.SerializeToString())
    descriptor = Default().FindFileByName(file.name)
    module = ModuleType(f"{TOKEN}_pb2")
    module.DESCRIPTOR = descriptor  # type: ignore[attr-defined]  # as generated modules have it
    for name, message in descriptor.message_types_by_name.items():
        setattr(module, name, GetMessageClass(message))
    return module


def _typed(message: DescriptorProto) -> DescriptorProto:
    """A message of the shape with the game's own types in it."""
    typed = DescriptorProto()
    typed.CopyFrom(message)
    for field in typed.field:
        if field.type == FieldDescriptorProto.TYPE_BYTES:
            field.type, field.type_name = FieldDescriptorProto.TYPE_MESSAGE, f".{PACKAGE}.{OWN[field.name]}"
        elif field.type_name.rpartition(".")[2] in {"LegalMove", "SeatView"}:
            field.type_name = f".{PACKAGE}.{field.type_name.rpartition('.')[2]}"
    return typed


def _message(name: str, fields: list[str]) -> DescriptorProto:
    message = DescriptorProto(name=name)
    for number, (field, said) in enumerate((line.split(": ") for line in fields), start=1):
        *how, kind = said.split()
        added = message.field.add(name=field, number=number)
        added.label = (
            FieldDescriptorProto.LABEL_REPEATED if how == ["repeated"] else FieldDescriptorProto.LABEL_OPTIONAL
        )
        if kind in TYPES:
            added.type = TYPES[kind]
        else:
            added.type, added.type_name = FieldDescriptorProto.TYPE_MESSAGE, f".{kind}"
        if how in (["one"], ["optional"]):
            if not message.oneof_decl:
                message.oneof_decl.add(name="kind" if how == ["one"] else f"_{field}")
            added.oneof_index, added.proto3_optional = 0, how == ["optional"]
    return message


def _reasons() -> EnumDescriptorProto:
    enum = EnumDescriptorProto(name="RefusalReason")
    for number, reason in enumerate(REASONS):
        enum.value.add(name=f"REFUSAL_REASON_{reason}", number=number)
    return enum


canary_pb2 = build()
