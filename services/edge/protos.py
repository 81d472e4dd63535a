"""The services, methods and messages of the contract, from the descriptor set that proto/generate.py builds."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib.resources import files
from typing import Generic, TypeVar

from google.api.annotations_pb2 import http
from google.api.http_pb2 import HttpRule
from google.protobuf.descriptor_pb2 import (
    DescriptorProto,
    EnumDescriptorProto,
    FileDescriptorProto,
    FileDescriptorSet,
    MethodDescriptorProto,
    ServiceDescriptorProto,
)

OURS = "monsters."
VERBS = ("get", "put", "post", "delete", "patch")
MESSAGES, ENUMS, SERVICES = 4, 5, 6
"""The field numbers of a file's elements, of which paths to comments are made (descriptor.proto, SourceCodeInfo)."""
NESTED_MESSAGES, NESTED_ENUMS, METHODS = 3, 4, 2
Comments = Mapping[tuple[int, ...], str]
Element = TypeVar("Element", DescriptorProto, EnumDescriptorProto, ServiceDescriptorProto)


@dataclass(frozen=True)
class Place(Generic[Element]):
    """An element of a file, and what is written about it."""

    element: Element
    path: tuple[int, ...]
    comments: Comments

    def comment(self, *within: int) -> str:
        """The comment before the element, or before a part of it."""
        return self.comments.get((*self.path, *within), "")


@dataclass(frozen=True)
class Binding:
    """One way to call a method over HTTP (google.api.http)."""

    verb: str
    """In capitals."""
    path: str
    """A template such as /v1/{name=sessions/*}:watch."""
    body: str
    """"*" when the whole request comes as the body, else empty."""


@dataclass(frozen=True)
class Method:
    """A method of one of our services."""

    service: str
    name: str
    request: str
    """The full name of the request's message."""
    response: str
    streams: bool
    """Whether messages come or go one after the other."""
    bindings: tuple[Binding, ...]
    comment: str

    @property
    def path(self) -> str:
        """The path of gRPC."""
        return f"/{self.service}/{self.name}"

    @property
    def token(self) -> str:
        """The second part of the package: the token of a game, or what the service is."""
        return self.service.split(".")[1]


class Protos:
    """All protos of the contract, and what they import. Everything is found by its full name."""

    def __init__(self, descriptors: FileDescriptorSet) -> None:
        self.descriptors = descriptors
        self.messages: dict[str, Place[DescriptorProto]] = {}
        self.enums: dict[str, Place[EnumDescriptorProto]] = {}
        self.services: dict[str, Place[ServiceDescriptorProto]] = {}
        """Ours alone, as far as frontends may call them: at least one method has a path of HTTP."""
        self.private: list[str] = []
        """The other ones of ours, by which servers talk among themselves."""
        for file in descriptors.file:
            self._add(file, _comments(file))

    @cached_property
    def methods(self) -> Sequence[Method]:
        """Every method that frontends may call."""
        return [
            _method(name, method, place.comment(METHODS, number))
            for name, place in self.services.items()
            for number, method in enumerate(place.element.method)
        ]

    def stripped(self) -> bytes:
        """The descriptor set without comments and places in the source: all that a proxy needs."""
        bare = FileDescriptorSet()
        bare.CopyFrom(self.descriptors)
        for file in bare.file:
            file.ClearField("source_code_info")
        return bare.SerializeToString(deterministic=True)

    def _add(self, file: FileDescriptorProto, comments: Comments) -> None:
        for number, message in enumerate(file.message_type):
            self._add_message(file.package, Place(message, (MESSAGES, number), comments))
        for number, enum in enumerate(file.enum_type):
            self.enums[f"{file.package}.{enum.name}"] = Place(enum, (ENUMS, number), comments)
        for number, service in enumerate(file.service):
            if not file.package.startswith(OURS):
                continue
            name = f"{file.package}.{service.name}"
            if any(method.options.HasExtension(http) for method in service.method):
                self.services[name] = Place(service, (SERVICES, number), comments)
            else:
                self.private.append(name)

    def _add_message(self, scope: str, place: Place[DescriptorProto]) -> None:
        name = f"{scope}.{place.element.name}"
        self.messages[name] = place
        for number, enum in enumerate(place.element.enum_type):
            self.enums[f"{name}.{enum.name}"] = Place(enum, (*place.path, NESTED_ENUMS, number), place.comments)
        for number, nested in enumerate(place.element.nested_type):
            self._add_message(name, Place(nested, (*place.path, NESTED_MESSAGES, number), place.comments))


def read_protos() -> Protos:
    """The protos as they were built. Raises FileNotFoundError when they were not."""
    return Protos(FileDescriptorSet.FromString((files("monsters") / "descriptors.binpb").read_bytes()))


def _comments(file: FileDescriptorProto) -> Comments:
    return {
        tuple(place.path): " ".join(line.strip() for line in place.leading_comments.strip().splitlines())
        for place in file.source_code_info.location
        if place.leading_comments
    }


def _method(service: str, method: MethodDescriptorProto, comment: str) -> Method:
    rule = method.options.Extensions[http]
    rules = (rule, *rule.additional_bindings)
    return Method(
        service=service,
        name=method.name,
        request=method.input_type.lstrip("."),
        response=method.output_type.lstrip("."),
        streams=method.client_streaming or method.server_streaming,
        bindings=tuple(binding for each in rules for binding in _bindings(each)),
        comment=comment,
    )


def _bindings(rule: HttpRule) -> Iterator[Binding]:
    for verb in VERBS:
        if path := getattr(rule, verb):
            yield Binding(verb.upper(), path, rule.body)
