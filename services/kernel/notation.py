"""Options as words of a position's line, as far as they differ from the defaults: cup_start 1, hungry_first no."""

from collections.abc import Mapping
from enum import Enum
from typing import Any, TypeVar

from msgspec import Struct
from msgspec.structs import replace

Options = TypeVar("Options", bound=Struct)

TRUTH: Mapping[str, bool] = {"yes": True, "no": False}


def write_options(options: Options, defaults: Options) -> str:
    """The words, or nothing when all options are the defaults."""
    names = defaults.__struct_fields__
    return ", ".join(
        f"{name} {_write(getattr(options, name))}"
        for name in names
        if getattr(options, name) != getattr(defaults, name)
    )


def read_options(text: str, defaults: Options) -> Options:
    """The options of the words. Raises ValueError when there is no such option or no such value."""
    chosen: dict[str, Any] = {}
    for choice in text.split(","):
        name, _, value = choice.strip().partition(" ")
        if name in chosen or name not in defaults.__struct_fields__:
            raise ValueError(f"{name!r} is no option, or stands there twice")
        chosen[name] = _read(value, getattr(defaults, name))
    return replace(defaults, **chosen)


def _write(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value.value) if isinstance(value, Enum) and not isinstance(value, int) else str(value)


def _read(text: str, default: Any) -> Any:
    """A value of the default's type; where there is none by default, a number."""
    if isinstance(default, bool):
        if text not in TRUTH:
            raise ValueError(f"{text!r} is neither yes nor no")
        return TRUTH[text]
    return type(default)(text) if isinstance(default, Enum) else int(text)
