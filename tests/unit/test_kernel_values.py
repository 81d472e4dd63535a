"""Values that are made faster than a dataclass makes them are the same values, and just as frozen."""

from collections.abc import Callable
from dataclasses import FrozenInstanceError, dataclass, field
from typing import Any, Generic, TypeVar

import pytest

from services.kernel.values import maker, replace

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Card(Generic[T]):
    number: int
    owner: T
    face_up: bool = False

    @property
    def text(self) -> str:
        return f"{self.number} of {self.owner}"


@dataclass(frozen=True, slots=True)
class Token:
    pass


make_card = maker(Card)


def made() -> list[tuple[Any, Any]]:
    """What was made fast, beside what the class makes."""
    return [
        (make_card(3, "me"), Card(3, "me")),
        (make_card(3, "me", True), Card(3, "me", True)),
        (make_card(owner="me", number=3, face_up=True), Card(3, "me", True)),
        (replace(Card(3, "me"), owner="you"), Card(3, "you")),
        (replace(Card(3, "me", True), number=0, face_up=False), Card(0, "me")),
        (replace(Card(3, "me")), Card(3, "me")),
        (maker(Token)(), Token()),
    ]


@pytest.mark.parametrize(("fast", "plain"), made())
def test_what_is_made_fast_is_what_the_class_makes(fast: Any, plain: Any) -> None:
    assert fast == plain
    assert type(fast) is type(plain)
    assert (hash(fast), repr(fast)) == (hash(plain), repr(plain))


@pytest.mark.parametrize(("fast", "plain"), made())
def test_what_is_made_fast_is_frozen(fast: Any, plain: Any) -> None:
    for change in (lambda: setattr(fast, "number", 4), lambda: delattr(fast, "number")):
        with pytest.raises((FrozenInstanceError, AttributeError, TypeError)):
            change()
    assert fast == plain


def test_properties_and_patterns_see_no_difference() -> None:
    match make_card(3, "me"):
        case Card(number, owner, face_up):
            assert (number, owner, face_up) == (3, "me", False)
    assert make_card(3, "me").text == "3 of me"


@pytest.mark.parametrize(
    "call",
    [
        lambda: make_card(3),  # type: ignore[call-arg] # the point of the test
        lambda: make_card(3, "me", True, 4),  # type: ignore[call-arg] # the point of the test
        lambda: make_card(3, "me", colour="red"),  # type: ignore[call-arg] # the point of the test
        lambda: replace(Card(3, "me"), colour="red"),  # type: ignore[call-arg] # the point of the test
    ],
)
def test_wrong_parameters_are_refused_as_by_the_class(call: Callable[[], object]) -> None:
    with pytest.raises(TypeError):
        call()


@dataclass(slots=True)
class Open:
    number: int


@dataclass(frozen=True)
class WithoutSlots:
    number: int


@dataclass(frozen=True, slots=True)
class Checked:
    number: int

    def __post_init__(self) -> None:
        """There is more to do than to fill the fields."""


@dataclass(frozen=True, slots=True)
class WithFactory:
    numbers: list[int] = field(default_factory=list)


@pytest.mark.parametrize("cls", [int, Open, WithoutSlots, Checked, WithFactory])
def test_other_classes_have_no_maker(cls: Any) -> None:
    with pytest.raises(TypeError):
        maker(cls)
