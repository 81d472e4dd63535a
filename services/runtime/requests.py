"""Bytes from outside as a message: parsed, and with every required field there, or refused with the fields' names.

The bytes are counted before anything is made of them. An empty message in a list is two bytes, and some eighty once it
is parsed: what somebody may send bounds what it can cost.
"""

from functools import cache
from typing import TypeVar

from google.api.field_behavior_pb2 import FieldBehavior, field_behavior
from google.protobuf.descriptor import Descriptor
from google.protobuf.message import DecodeError, Message

from services.kernel.refusals import Flaw
from services.runtime.failure import malformed

Request = TypeVar("Request", bound=Message)

MOST_REQUEST = 65_536
"""Bytes of a request."""
MOST_MESSAGE = 131_072
"""Bytes of one message of many on a stream: a thousand moves with their seeds, and the positions of all chains."""


def parse(request_type: type[Request], raw: bytes, most: int = MOST_REQUEST) -> Request:
    """Read a request. Raises Failure MALFORMED_REQUEST for more bytes, or when one lacks a required field or sense."""
    if len(raw) > most:
        raise malformed(Flaw("", f"must have at most {most} bytes, has {len(raw)}"))
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
