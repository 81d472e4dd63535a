"""Options as people write them, as a game's Options message. Everything that can be wrong names its field."""

from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from typing import Any

from google.protobuf.descriptor import EnumDescriptor, FieldDescriptor
from google.protobuf.message import Message

from lair._translation import invalid
from lair.errors import InvalidRequest
from lair.games import own

Options = Mapping[str, object] | Iterable[str] | Message
"""A mapping ({"cup_start": 3, "cup_move": "stay"}), strings (["cup_start=3"]), or the game's Options message."""

BOOLEANS = {"true": True, "yes": True, "on": True, "1": True, "false": False, "no": False, "off": False, "0": False}


def read_options(module: Any, options: Options | None) -> Message | None:
    """The game's Options message, or None for the defaults.

    Whole numbers, booleans and the names of enum values (with or without their prefix, in any case) are taken, also as
    strings. A value of None is the default. Raises InvalidRequest, whose violation names the option, and WrongGame.
    """
    if options is None:
        return None
    message: Message = module.Options()
    if isinstance(options, Message):
        return own(options, message.DESCRIPTOR.full_name, "options")
    for name, value in _pairs(options):
        if value is not None:
            _set(message, _field(message, name), value)
    return message


def _pairs(options: Mapping[str, object] | Iterable[str]) -> Iterable[tuple[str, object]]:
    if isinstance(options, Mapping):
        yield from options.items()
        return
    if not isinstance(options, Iterable):
        raise invalid("options", f"must be a mapping or strings such as name=value, is {options!r}")
    for text in [options] if isinstance(options, str) else options:
        if not isinstance(text, str):
            raise invalid("options", f"must be written as name=value, has {text!r}")
        name, equals, value = text.partition("=")
        if not equals:
            raise invalid("options", f"must be written as name=value, is {text!r}")
        yield name.strip(), value.strip()


def _field(message: Message, name: str) -> Any:
    fields = message.DESCRIPTOR.fields_by_name
    if found := fields.get(name.replace("-", "_").lower()):
        return found
    close = get_close_matches(name, fields, n=1)
    hint = f"did you mean {close[0]}?" if close else f"there are: {', '.join(fields)}"
    raise invalid(f"options.{name}", f"there is no such option; {hint}")


def _set(message: Message, field: FieldDescriptor, value: object) -> None:
    path = f"options.{field.name}"
    try:
        if field.is_repeated:
            if not isinstance(value, (list, tuple)):
                raise invalid(path, f"must be a list, is {value!r}")
            getattr(message, field.name).extend(_value(field, path, item) for item in value)
        else:
            setattr(message, field.name, _value(field, path, value))
    except (TypeError, ValueError) as error:  # protobuf's own: out of range, another type
        raise invalid(path, str(error)) from error


def _value(field: FieldDescriptor, path: str, value: object) -> object:
    if field.enum_type is not None:
        return _enum(field.enum_type, path, value)
    if field.cpp_type == FieldDescriptor.CPPTYPE_BOOL:
        return _boolean(path, value)
    if field.cpp_type in (FieldDescriptor.CPPTYPE_STRING, FieldDescriptor.CPPTYPE_MESSAGE):
        return value
    return _number(path, value)


def _number(path: str, value: object) -> int:
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    if isinstance(value, str):
        try:
            return int(value)
        except ValueError:
            pass
    raise _mismatch(path, "a whole number", value)


def _boolean(path: str, value: object) -> bool:
    if isinstance(value, bool):
        return value
    if isinstance(value, str) and value.lower() in BOOLEANS:
        return BOOLEANS[value.lower()]
    raise _mismatch(path, "true or false", value)


def _enum(enum: EnumDescriptor, path: str, value: object) -> int:
    """The number of an enum value. Its prefix is what its zero value has before UNSPECIFIED."""
    prefix = enum.values_by_number[0].name.removesuffix("UNSPECIFIED")
    names = {item.name.removeprefix(prefix).lower(): item.number for item in enum.values if item.number}
    if isinstance(value, str):
        wanted = value.upper().replace("-", "_").removeprefix(prefix).lower()
        if wanted in names:
            return names[wanted]
    elif isinstance(value, int) and not isinstance(value, bool) and value in names.values():
        return value
    raise _mismatch(path, f"one of {', '.join(names)}", value)


def _mismatch(path: str, wanted: str, value: object) -> InvalidRequest:
    return invalid(path, f"must be {wanted}, is {value!r}")
