"""Renders every game's rules_service.proto from the shape that all games have, monsters/rules/v1/opaque.proto.

`python proto/render.py` writes the files, and `--check` says which ones are not what it would write, with exit code 1.
Nothing lists the games: a folder is one when its proto has the messages that stand behind the shape's bytes.
"""

import re
import sys
from collections.abc import Container, Iterator
from pathlib import Path

ROOT = Path(__file__).parent / "monsters"
SHAPE = ROOT / "rules" / "v1" / "opaque.proto"
OWN = {"position": "Position", "move": "Move", "view": "View", "events": "Event", "options": "Options"}
"""The game's own type for a field of bytes, by the field's name."""
METHODS = {
    "DescribeGame": "Says what the game is: seats, options with their defaults, every rule.",
    "StartGame": "Starts a game.",
    "EnumerateMoves": "Lists every legal move of a seat.",
    "ValidateMove": "Says whether a move is legal, or why not.",
    "ApplyMove": "Plays a move.",
    "ApplyMoves": "Plays many moves over one stream, for simulations and bots: "
    "what ApplyMove does, at a fraction of its cost.",
    "ViewPosition": "Shows what a seat or a spectator may know of a position.",
    "SuggestMove": "Suggests a plausible move of a seat whose player is away.",
    "FormatPosition": "Writes a position as one line of text.",
    "ParsePosition": "Reads the position of a line of text.",
}
"""The methods of every game, in their order, and what each does."""
READS, STREAMS = "DescribeGame", "ApplyMoves"
"""The method that HTTP may GET, and the one that it can't carry: a stream in both directions."""
GOOGLE = ("api/annotations", "api/field_behavior", "protobuf/field_mask", "rpc/status")
MESSAGE = re.compile(r"^(?://.*\n)+message (?P<name>\w+) \{(?:\}|\n(?:.*\n)*?\})\n", re.MULTILINE)
FIELD = re.compile(r"^(?P<label>  (?:optional |repeated )?)(?P<type>[\w.]+) (?P<name>\w+) = ", re.MULTILINE)
TITLE = re.compile(r"^// (?P<title>[^:\n]+): ", re.MULTILINE)


def render(shape: str, token: str, title: str) -> str:
    """The rules_service.proto of a game. Raises KeyError for bytes behind which no game has a type of its own."""
    messages = {found["name"]: found[0] for found in MESSAGE.finditer(shape) if found["name"] != "Event"}
    imports = sorted(
        [*(f"google/{name}" for name in GOOGLE), f"monsters/{token}/v1/{token}", "monsters/rules/v1/rules"]
    )
    return "\n".join(
        (
            'syntax = "proto3";\n',
            "// The RulesService that every game has, with this game's types. It is rendered from opaque.proto by",
            "// proto/render.py: change it there, and `make format` writes it here.",
            f"package monsters.{token}.v1;\n",
            *(f'import "{name}.proto";' for name in imports),
            "",
            *_options(token),
            f"\n// The rules of {title}. Stateless: every call brings its position.",
            "service RulesService {",
            *(_method(token, name, comment) for name, comment in METHODS.items()),
            "}\n",
            "\n".join(_typed(text, messages) for text in messages.values()),
        )
    )


def _options(token: str) -> Iterator[str]:
    """Where other languages put what they generate. Every proto has these options, made of its package alone."""
    yield f'option csharp_namespace = "Monsters.{token.capitalize()}.V1";'
    yield f'option go_package = "monsters/{token}/v1;{token}v1";'
    yield "option java_multiple_files = true;"
    yield f'option java_package = "monsters.{token}.v1";'


def _method(token: str, name: str, comment: str) -> str:
    if name == STREAMS:
        return f"  // {comment}\n  rpc {name}(stream {name}Request) returns (stream {name}Response);"
    path = f"/v1/games/{token}"
    rule = f'{{get: "{path}"}}'
    if name != READS:
        rule = f'{{\n      post: "{path}:{name[0].lower()}{name[1:]}"\n      body: "*"\n    }}'
    return (
        f"  // {comment}\n  rpc {name}({name}Request) returns ({name}Response) {{\n"
        f"    option (google.api.http) = {rule};\n  }}"
    )


def _typed(message: str, messages: Container[str]) -> str:
    """A message of the shape with the game's own types, and with full names for what all games share."""

    def typed(field: re.Match[str]) -> str:
        kind = field["type"]
        if kind == "bytes":
            kind = OWN[field["name"]]
        elif kind[0].isupper() and kind not in messages:
            kind = f"monsters.rules.v1.{kind}"
        return f"{field['label']}{kind} {field['name']} = "

    return FIELD.sub(typed, re.sub(r"\bThe game's ([A-Z])", lambda found: f"The {found[1].lower()}", message))


def services() -> Iterator[tuple[Path, str]]:
    """The file of every game, and what has to be in it."""
    shape = SHAPE.read_text(encoding="utf-8")
    for folder in sorted(ROOT.iterdir()):
        own = folder / "v1" / f"{folder.name}.proto"
        text = own.read_text(encoding="utf-8") if own.is_file() else ""
        if all(f"\nmessage {name} {{" in text for name in OWN.values()):
            title = TITLE.search(text)
            yield (
                own.with_name("rules_service.proto"),
                render(shape, folder.name, title["title"] if title else folder.name),
            )


def main() -> None:
    """Write what differs, or with --check name it."""
    stale = [
        (path, text) for path, text in services() if not path.is_file() or path.read_text(encoding="utf-8") != text
    ]
    if "--check" in sys.argv[1:]:
        if stale:
            names = ", ".join(str(path.relative_to(ROOT.parent)) for path, _ in stale)
            sys.exit(f"not of the shape that opaque.proto has: {names}; `make format` writes them")
        return
    for path, text in stale:
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
