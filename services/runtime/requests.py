"""Bytes from outside as a message: parsed, and with every required field there, or refused with the fields' names."""

from functools import cache
from typing import TypeVar

from google.api.field_behavior_pb2 import FieldBehavior, field_behavior
from google.protobuf.descriptor import Descriptor
from google.protobuf.message import DecodeError, Message

from services.kernel.refusals import Flaw
from services.runtime.failure import malformed

Request = TypeVar("Request", bound=Message)


def parse(request_type: type[Request], raw: bytes) -> Request:
    """Read a request. Raises Failure MALFORMED_REQUEST when it can't be read or lacks a required field."""
    try:
        request = request_type.FromString(raw)
    except DecodeError:
        name = request_type.DESCRIPTOR.full_name
        raise malformed(Flaw("", f"the bytes are not a {name}")) from None
    if names := required(request_type.DESCRIPTOR):
        present = {field.name for field, _ in request.ListFields()}
        if missing := [name for name in names if name not in present]:
            raise malformed(*(Flaw(name, "is required") for name in missing))
    return request


@cache
def required(descriptor: Descriptor) -> tuple[str, ...]:
    """The fields that the proto marks as REQUIRED (AIP-203)."""
    return tuple(
        field.name
        for field in descriptor.fields
        if FieldBehavior.REQUIRED in field.GetOptions().Extensions[field_behavior]
    )
