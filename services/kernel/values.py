"""Frozen dataclasses, made faster than they make themselves.

A frozen dataclass fills each of its fields by a call, since its own `__setattr__` refuses: that was a third of what a
move cost. Here a value is born open, as one of a subclass that takes plain assignments, and closed by becoming one of
the class itself. What comes out can't be told from what the class would have made, and is just as frozen.

`maker` gives a function that is called like the class, and `replace` is called like that of `dataclasses`. They are for
what every move makes; anything else makes its values as usual.
"""

from collections.abc import Callable
from dataclasses import MISSING, Field, fields, is_dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


def maker(cls: Callable[P, T]) -> Callable[P, T]:
    """A function with the parameters and defaults of a frozen dataclass with slots, that makes what the class makes.

    Raises TypeError when there is more to it than filling the fields.
    """
    made = _fields_of(cls)
    filling = [f"self.{field.name} = {field.name}" for field in made]
    return _compiled(
        cls,
        ", ".join([field.name for field in made]),
        filling,
        tuple([field.default for field in made if field.default is not MISSING]),
    )


if TYPE_CHECKING:
    from dataclasses import replace as replace  # noqa: PLC0414 - so fields and their types are checked as there
else:

    def replace(value, /, **changes):  # noqa: ANN001, ANN003, ANN201 - its types are above
        """The same value but for these fields."""
        return _replacer(type(value))(value, **changes)


@cache
def _replacer(cls: type[Any]) -> Callable[..., Any]:
    """A function of a value and, by name, of what is to be another in it."""
    names = [field.name for field in _fields_of(cls)]
    filling = [f"self.{name} = was.{name} if {name} is Open else {name}" for name in names]
    return _compiled(cls, ", ".join(["was", "*", *[f"{name}=Open" for name in names]]), filling, None)


def _fields_of(cls: Callable[P, T]) -> tuple[Field[Any], ...]:
    if not (isinstance(cls, type) and is_dataclass(cls)):
        raise TypeError(f"{cls} is no dataclass")
    made = fields(cls)
    plain = all(field.init and not field.kw_only and field.default_factory is MISSING for field in made)
    if not (plain and cls.__dataclass_params__.frozen and "__slots__" in vars(cls)) or hasattr(cls, "__post_init__"):  # type: ignore[attr-defined] # typeshed doesn't know it
        raise TypeError(f"{cls} is not frozen with slots, or does more than fill its fields")
    return made


def _compiled(cls: Any, parameters: str, filling: list[str], defaults: tuple[Any, ...] | None) -> Callable[..., Any]:
    """The text becomes a function, as in `dataclasses`: only text can assign to attributes by name without a call."""
    names = {"Open": _open(cls), "Closed": cls}
    body = "; ".join(["self = Open()", *filling, "self.__class__ = Closed", "return self"])
    exec(f"def make({parameters}): {body}", names)  # noqa: S102 - the text is of the fields' names, nothing else
    make: Any = names["make"]
    if defaults is not None:
        make.__defaults__ = defaults
    return make  # type: ignore[no-any-return] # what was compiled has no type


@cache
def _open(cls: type[Any]) -> type[Any]:
    """A subclass of the same layout, whose fields are not filled when it is made, and can be assigned to."""
    return type(
        f"Open{cls.__name__}",
        (cls,),
        {
            "__slots__": (),
            "__init__": object.__init__,
            "__setattr__": object.__setattr__,
            "__delattr__": object.__delattr__,
        },
    )
