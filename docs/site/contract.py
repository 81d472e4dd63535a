"""The directive `contract`: protos as pages, from the descriptor set that proto/generate.py builds.

    ```{contract} shared
    ```

Of `shared` it is everything that all games have in common, of `games` what each game has of its own. Both are found.
"""

from collections.abc import Iterator
from typing import Any, ClassVar

from docutils import nodes
from google.protobuf.descriptor_pb2 import DescriptorProto, FieldDescriptorProto, FileDescriptorProto
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from services.edge.protos import METHODS, OURS, Place, Protos, read_protos

RENDERED = "rules_service.proto"
"""Every game has this file, and it is the opaque form with the game's own types in it."""
OPAQUE = "opaque.proto"
"""It has the messages of that service, as they are for every game."""
FIELDS, VALUES = 2, 2
"""The field numbers of the parts of a message and of an enum, as in services/edge/protos.py."""
SCALARS = {number: name.removeprefix("TYPE_").lower() for name, number in FieldDescriptorProto.Type.items()}


class Contract(SphinxDirective):
    """Renders the protos of one kind."""

    required_arguments: ClassVar[int] = 1

    def run(self) -> list[nodes.Node]:
        """Sections, one a file."""
        kinds = {"shared": False, "games": True}
        text = "\n".join(write_files(read_protos(), of_games=kinds[self.arguments[0]]))
        return self.parse_text_to_nodes(text, allow_section_headings=True)


def write_files(protos: Protos, *, of_games: bool) -> Iterator[str]:
    """The Markdown of every file that is chosen, line by line."""
    ours = [file for file in protos.descriptors.file if file.package.startswith(OURS)]
    games = {file.package for file in ours if file.name.endswith(RENDERED)}
    private = {service.rpartition(".")[0] for service in protos.private}
    for file in ours:
        if (file.package in games) is of_games and file.package not in private and not file.name.endswith(RENDERED):
            yield from _file(protos, file)
        if file.name.endswith(OPAQUE) and not of_games:
            yield from _service(protos, f"{min(games)}.RulesService", file.package)


def _file(protos: Protos, file: FileDescriptorProto) -> Iterator[str]:
    yield f"## {file.name.removeprefix('monsters/')}\n"
    comments = [place.leading_comments for place in file.source_code_info.location if list(place.path) == [2]]
    yield from (_plain(comment) + "\n" for comment in comments)
    for service in file.service:
        yield from _service(protos, f"{file.package}.{service.name}")
    for message in file.message_type:
        yield from _message(protos, f"{file.package}.{message.name}")
    for enum in file.enum_type:
        yield from _enum(protos, f"{file.package}.{enum.name}")


def _service(protos: Protos, name: str, messages_of: str = "") -> Iterator[str]:
    """A service. Its messages are those of its own package, or of another one that has the same."""
    place = protos.services[name]
    package = name.rpartition(".")[0]
    comment = f"Each game's, as monsters.{{game}}.v1.{place.element.name}." if messages_of else place.comment()
    yield from _heading(name.replace(package, messages_of or package), comment)
    token = package.split(".")[1]
    paths = {
        method.name: [f"`{binding.verb} {binding.path}`" for binding in method.bindings]
        for method in protos.methods
        if method.service == name
    }
    for number, method in enumerate(place.element.method):
        types = [kind.replace(package, messages_of or package) for kind in (method.input_type, method.output_type)]
        asked = ("a stream of " if method.client_streaming else "") + _link(protos, types[0])
        answered = ("a stream of " if method.server_streaming else "") + _link(protos, types[1])
        called = "".join(f", over HTTP {path}" for path in paths[method.name])
        called = called.replace(token, "{game}") if messages_of else called
        yield f"- **{method.name}**: {asked} to {answered}{called}. {_plain(place.comment(METHODS, number))}"
    yield ""


def _message(protos: Protos, name: str) -> Iterator[str]:
    place = protos.messages[name]
    if place.element.options.map_entry:
        return
    yield from _heading(name, place.comment())
    if place.element.field:
        yield "| field | type | |\n|---|---|---|"
        yield from (_field(protos, place, number) for number in range(len(place.element.field)))
        yield ""
    for nested in place.element.nested_type:
        yield from _message(protos, f"{name}.{nested.name}")
    for enum in place.element.enum_type:
        yield from _enum(protos, f"{name}.{enum.name}")


def _field(protos: Protos, place: Place[DescriptorProto], number: int) -> str:
    field = place.element.field[number]
    kind = _link(protos, field.type_name) if field.type_name else SCALARS[field.type]
    if field.label == FieldDescriptorProto.LABEL_REPEATED:
        kind = f"list of {kind}"
    elif field.proto3_optional:
        kind = f"{kind}, or absent"
    elif field.HasField("oneof_index"):
        kind = f"{kind}, one of `{place.element.oneof_decl[field.oneof_index].name}`"
    return f"| `{field.name}` = {field.number} | {kind} | {_plain(place.comment(FIELDS, number))} |"


def _enum(protos: Protos, name: str) -> Iterator[str]:
    place = protos.enums[name]
    yield from _heading(name, place.comment())
    yield "| value | |\n|---|---|"
    for number, value in enumerate(place.element.value):
        yield f"| `{value.name}` = {value.number} | {_plain(place.comment(VALUES, number))} |"
    yield ""


def _heading(name: str, comment: str) -> Iterator[str]:
    yield f"({_target(name)})=\n### {name.rpartition('.v1.')[2]}\n"
    yield f"{_plain(comment)}\n"


def _link(protos: Protos, name: str) -> str:
    name = name.lstrip(".")
    short = name.rpartition(".v1.")[2]
    known = name.startswith(OURS) and (name in protos.messages or name in protos.enums)
    return f"[{short}](#{_target(name)})" if known else f"`{short}`"


def _target(name: str) -> str:
    return "proto-" + name.removeprefix(OURS).replace(".", "-").lower()


def _plain(comment: str) -> str:
    """A comment as a paragraph: signs that mean something in Markdown mean themselves."""
    return "".join(f"\\{sign}" if sign in "<>*_[]{}`#|" else sign for sign in " ".join(comment.split()))


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the directive."""
    app.add_directive("contract", Contract)
    return {"version": "1", "parallel_read_safe": True}
