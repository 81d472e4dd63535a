"""Which messages lead to which: through fields, maps, and the messages of every game where a field is an Any."""

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet

from google.protobuf.descriptor_pb2 import FieldDescriptorProto

from services.edge.presence import choices, in_answers, in_requests
from services.edge.protos import OURS, Protos
from services.edge.values import ANY

FAMILIES = ("Position", "Move", "View", "Event", "Options")
"""The messages that every game has, in a package of its own (proto/README.md)."""


class Kinds:
    """The messages of the contract as answers and requests have them. `elsewhere` are fields that come in the path."""

    def __init__(
        self,
        protos: Protos,
        answers: AbstractSet[str],
        requests: AbstractSet[str],
        elsewhere: Mapping[str, AbstractSet[str]],
    ) -> None:
        self.protos = protos
        self.elsewhere = elsewhere
        self.games: Mapping[str, Sequence[str]] = {
            family: sorted(
                name
                for service in protos.services
                if service.endswith(".RulesService")
                and (name := f"{service.removesuffix('RulesService')}{family}") in protos.messages
            )
            for family in FAMILIES
        }
        """The message of each game, by its family."""
        self.answers = self._reached(answers)
        self.requests = self._reached(requests)
        self._different = self._find_different()

    def family(self, field: FieldDescriptorProto) -> str | None:
        """Which message of the games an Any holds, by the name of its field: move is Move, events are Event."""
        if field.type_name.lstrip(".") != ANY:
            return None
        named = (family for family in FAMILIES if field.name in (family.lower(), f"{family.lower()}s"))
        return next((family for family in named if self.games[family]), None)

    def split(self, *names: str) -> bool:
        """Whether one of these messages has a form of its own in requests, beside that of answers."""
        return any(name in self._different and name in self.answers and name in self.requests for name in names)

    def value(self, field: FieldDescriptorProto) -> FieldDescriptorProto | None:
        """What a map is of, if the field is one."""
        inner = self.protos.messages.get(field.type_name.lstrip("."))
        return inner.element.field[1] if inner is not None and inner.element.options.map_entry else None

    def _next(self, name: str) -> Iterator[str]:
        for field in self.protos.messages[name].element.field:
            one = self.value(field) or field
            if family := self.family(one):
                yield from self.games[family]
            elif (inner := one.type_name.lstrip(".")).startswith(OURS) and inner in self.protos.messages:
                yield inner

    def _reached(self, roots: AbstractSet[str]) -> AbstractSet[str]:
        reached: set[str] = set()
        waiting = list(roots)
        while waiting:
            if (name := waiting.pop()) not in reached:
                reached.add(name)
                waiting += self._next(name)
        return reached

    def _find_different(self) -> AbstractSet[str]:
        """The messages whose form in requests is not that of answers, themselves or further in."""
        both = self.answers & self.requests
        different = {name for name in both if self._differs(name)}
        while more := {name for name in both - different if different & set(self._next(name))}:
            different |= more
        return different

    def _differs(self, name: str) -> bool:
        place = self.protos.messages[name]
        chosen = {field.name for fields in choices(place.element) for field in fields}
        plain = [number for number, field in enumerate(place.element.field) if field.name not in chosen]
        return any(in_answers(place, number) != in_requests(place, number) for number in plain)
