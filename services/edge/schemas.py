"""The messages of the contract as JSON Schema, as protobuf writes them in JSON.

A message has one form in answers and requests where they agree. Where they don't, because a request may leave out what
an answer always has, that of requests has "Input" after its name, and a request may have either. A oneof is as many
objects, each with exactly one of its fields. In an Any a message has "Typed" before its name, and its @type.
"""

from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from functools import partial
from itertools import product
from typing import NamedTuple

from google.protobuf.descriptor_pb2 import EnumDescriptorProto, FieldDescriptorProto

from services.edge.kinds import Kinds
from services.edge.presence import choices, in_answers, in_requests
from services.edge.protos import OURS, Place
from services.edge.values import KNOWN, REFERENCE, SCALARS, URL, Field, constant
from services.edge.words import Json


class Way(StrEnum):
    """Where a message is: its value comes after the name of its schema."""

    ANSWER = ""
    REQUEST = "Input"


class Form(NamedTuple):
    """A message in one of its forms."""

    name: str
    """Its full name."""
    way: Way
    typed: bool
    """Whether it is in an Any."""


def short(name: str) -> str:
    """monsters.session.v1.Seat as session.Seat."""
    return name.removeprefix(OURS).replace(".v1.", ".")


class Schemas:
    """Makes the schemas that references lead to, and those that they lead to."""

    def __init__(self, kinds: Kinds) -> None:
        self._kinds = kinds
        self._protos = kinds.protos
        self._found: dict[str, Json] = {}
        self._names: dict[str, object] = {}

    def all(self) -> Mapping[str, Json]:
        """All of them, by name."""
        return {name: self._found[name] for name in sorted(self._found)}

    def message(self, name: str, way: Way, *, typed: bool = False) -> Json:
        """What a message is, where the form is that of this way: a reference, or two that are both right."""
        if way is Way.REQUEST and self._kinds.split(name):
            return {"anyOf": [self._one(Form(name, each, typed)) for each in Way]}
        return self._one(Form(name, way, typed))

    def field(self, each: FieldDescriptorProto, way: Way) -> Json:
        """The schema of one field."""
        if (value := self._kinds.value(each)) is not None:
            return {"type": "object", "additionalProperties": self.field(value, way)}
        one = self._value(each, way)
        return {"type": "array", "items": one} if each.label == Field.LABEL_REPEATED else one

    def _value(self, each: FieldDescriptorProto, way: Way) -> Json:
        name = each.type_name.lstrip(".")
        if family := self._kinds.family(each):
            split = way is Way.REQUEST and self._kinds.split(*self._kinds.games[family])
            both = [self._family(family, one) for one in (Way if split else (way,))]
            return {"anyOf": both} if split else both[0]
        if (known := KNOWN.get(name) or SCALARS.get(each.type)) is not None:
            return known
        if (place := self._protos.enums.get(name)) is not None:
            return self._reference(short(name), name, lambda: _enum(place))
        return self.message(name, way)

    def _one(self, form: Form) -> Json:
        """One form of a message. What has one form alone has that of answers, if it is in any."""
        split = self._kinds.split(form.name)
        if not split:
            form = form._replace(way=Way.ANSWER if form.name in self._kinds.answers else Way.REQUEST)
        package, _, last = short(form.name).partition(".")
        name = f"{package}.{'Typed' if form.typed else ''}{last.replace('.', '')}{form.way if split else ''}"
        return self._reference(name, form, lambda: self._message(form, name))

    def _family(self, family: str, way: Way) -> Json:
        """The messages of every game, told apart by their @type."""
        suffix = way if self._kinds.split(*self._kinds.games[family]) else ""
        return self._reference(f"games.{family}{suffix}", (family, suffix), lambda: self._told_apart(family, way))

    def _told_apart(self, family: str, way: Way) -> Json:
        found = {game: self._one(Form(game, way, typed=True)) for game in self._kinds.games[family]}
        return {
            "description": f"The {family} of a game, told by its @type.",
            "oneOf": list(found.values()),
            "discriminator": {
                "propertyName": "@type",
                "mapping": {f"{URL}{game}": reference["$ref"] for game, reference in found.items()},
            },
        }

    def _message(self, form: Form, schema: str) -> Json:
        place = self._protos.messages[form.name]
        groups = choices(place.element)
        if not groups:
            return {"description": place.comment(), **self._object(form, ())}
        alternatives = [
            self._reference(name, (form, name), partial(self._alternative, form, chosen))
            for chosen in product(*groups)
            for name in (f"{schema}{''.join(map(_capital, chosen))}",)
        ]
        return {"description": place.comment(), "oneOf": alternatives}

    def _alternative(self, form: Form, chosen: Sequence[FieldDescriptorProto]) -> Json:
        place = self._protos.messages[form.name]
        said = [place.comment(2, list(place.element.field).index(each)) for each in chosen]
        return {"description": " ".join((place.comment(), *said)), **self._object(form, chosen)}

    def _object(self, form: Form, chosen: Sequence[FieldDescriptorProto]) -> Json:
        """A message with these of its fields that exclude others."""
        place = self._protos.messages[form.name]
        there = in_answers if form.way is Way.ANSWER else in_requests
        excluded = [each for group in choices(place.element) for each in group if each not in chosen]
        elsewhere = self._kinds.elsewhere.get(form.name, frozenset())
        properties: dict[str, Json] = {"@type": constant(form.name)} if form.typed else {}
        required = list(properties)
        for number, each in enumerate(place.element.field):
            if each in excluded or each.name in elsewhere:
                continue
            properties[each.json_name] = {**self.field(each, form.way), "description": place.comment(2, number)}
            if each in chosen or there(place, number):
                required.append(each.json_name)
        # Answers may have more one day; a request that has is refused.
        closed = {"additionalProperties": False} if form.way is Way.REQUEST else {}
        return {"type": "object", "properties": properties, **({"required": required} if required else {}), **closed}

    def _reference(self, name: str, what: object, make: Callable[[], Json]) -> Json:
        """A reference to a schema, which is made unless it is there. Raises ValueError when its name is another's."""
        if self._names.setdefault(name, what) != what:
            raise ValueError(f"two schemas would have the name {name}")
        if name not in self._found:
            self._found[name] = {}
            self._found[name] = make()
        return {"$ref": f"{REFERENCE}{name}"}


def _capital(field: FieldDescriptorProto) -> str:
    return f"{field.json_name[0].upper()}{field.json_name[1:]}"


def _enum(place: Place[EnumDescriptorProto]) -> Json:
    values = place.element.value
    said = "\n".join(f"- `{value.name}`: {place.comment(2, number)}" for number, value in enumerate(values))
    return {"type": "string", "enum": [value.name for value in values], "description": f"{place.comment()}\n\n{said}"}
