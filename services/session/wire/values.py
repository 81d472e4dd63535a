"""What stands in many messages: times, and what the type of a game's message is called in an Any."""

from google.protobuf.timestamp_pb2 import Timestamp

from services.session.domain.session import Record

TYPE_URL = "type.googleapis.com/"


def type_url(game: str, name: str) -> str:
    """The type of one of a game's messages."""
    return f"{TYPE_URL}monsters.{game}.v1.{name}"


def write_time(microseconds: int) -> Timestamp:
    """A time of ours as a Timestamp."""
    message = Timestamp()
    fill_time(message, microseconds)
    return message


def fill_time(message: Timestamp, microseconds: int) -> None:
    """The same, in place: every update has one, and this spares a copy."""
    message.seconds, rest = divmod(microseconds, 1_000_000)
    message.nanos = rest * 1000


def write_deadline(record: Record | None) -> Timestamp | None:
    """When the host's time-out is due after a revision, if it ever is."""
    return write_time(record.deadline) if record and record.deadline is not None else None
