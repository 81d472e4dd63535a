"""The OpenAPI document to be read by people: one page of plain HTML, with no script and nothing from afar."""

from collections.abc import Iterator, Mapping
from html import escape
from typing import Any

from services.edge.words import Json

STYLE = """
:root { color-scheme: light dark; --line: #8886; --soft: #8881; }
body { font: 16px/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 60rem; padding: 1rem; }
code { font: 0.9em ui-monospace, monospace; overflow-wrap: anywhere; }
details { border: 1px solid var(--line); border-radius: 0.4rem; margin: 0.4rem 0; padding: 0.4rem 0.8rem; }
summary { cursor: pointer; }
summary b { display: inline-block; min-width: 3.5rem; }
summary code { margin-right: 0.8rem; }
table { border-collapse: collapse; width: 100%; }
td { border-top: 1px solid var(--line); padding: 0.3rem 0.6rem 0.3rem 0; vertical-align: top; }
:target { background: var(--soft); }
"""
FILE = "/openapi.json"


def page(document: Json) -> str:
    """The page."""
    return "\n".join(
        (
            '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Lair: HTTP</title>',
            f'<meta name="viewport" content="width=device-width"><style>{STYLE}</style></head><body>',
            f"<h1>{escape(document['info']['title'])}</h1>",
            *(f"<p>{_text(part)}</p>" for part in document["info"]["description"].split("\n\n")),
            f'<p>For programs: <a href="{FILE}">{FILE}</a>, OpenAPI {escape(document["openapi"])}.</p>',
            *_tags(document),
            '<h2 id="schemas">Messages</h2>',
            *(_schema(name, schema) for name, schema in document["components"]["schemas"].items()),
            "</body></html>",
        )
    )


def _tags(document: Json) -> Iterator[str]:
    operations = [
        (verb, path, operation) for path, verbs in document["paths"].items() for verb, operation in verbs.items()
    ]
    for tag in document["tags"]:
        yield f'<h2 id="{escape(tag["name"])}">{escape(tag["name"])}</h2><p>{_text(tag["description"])}</p>'
        yield from (_operation(*each) for each in operations if tag["name"] in each[2]["tags"])


def _operation(verb: str, path: str, operation: Json) -> str:
    rows = [
        (each["name"], _type(each["schema"]), f"in the {each['in']}. {each.get('description', '')}")
        for each in operation["parameters"]
    ]
    if body := operation.get("requestBody"):
        rows.append(("", _content(body), "the body"))
    rows.append(("", _content(operation["responses"]["200"]), operation["responses"]["200"]["description"]))
    return (
        f'<details id="{escape(operation["operationId"])}"><summary><b>{verb.upper()}</b> <code>{escape(path)}</code> '
        f"{_text(operation['summary'])}</summary><p>{_text(operation['description'])}</p>{_table(rows)}</details>"
    )


def _schema(name: str, schema: Json) -> str:
    required = schema.get("required", ())
    rows = [
        (field, _type(each), f"{'Required. ' if field in required else ''}{each.get('description', '')}")
        for field, each in schema.get("properties", {}).items()
    ]
    rows += [("", _type(each), "one of these") for each in schema.get("oneOf", ())]
    described = "".join(f"<p>{_text(part)}</p>" for part in schema["description"].split("\n") if part)
    # A link opens what it leads into, not what it leads to: so the name stands inside.
    inner = f'<div id="{escape(name)}">{described}{_table(rows)}</div>'
    return f"<details><summary><code>{escape(name)}</code></summary>{inner}</details>"


def _table(rows: list[tuple[str, str, str]]) -> str:
    cells = "".join(
        f"<tr><td><code>{escape(name)}</code></td><td>{kind}</td><td>{_text(said)}</td></tr>"
        for name, kind, said in rows
    )
    return f"<table>{cells}</table>" if rows else ""


def _content(part: Json) -> str:
    (content,) = part["content"].values()
    return _type(content["schema"])


def _type(schema: Json) -> str:
    """What a value is, with a link to its message."""
    if several := schema.get("oneOf") or schema.get("anyOf"):
        return " or ".join(map(_type, several))
    if "$ref" in schema:
        name = escape(str(schema["$ref"]).rpartition("/")[2])
        return f'<a href="#{name}"><code>{name}</code></a>'
    if schema["type"] == "array":
        return f"list of {_type(schema['items'])}"
    if "const" in schema:
        return f"<code>{escape(schema['const'])}</code>"
    inner: Mapping[str, Any] | bool = schema.get("additionalProperties", False)
    if isinstance(inner, Mapping):
        return f"map of {_type(inner)}"
    known = schema.get("contentEncoding") or schema.get("format")
    return escape(known or ("any message, with its @type" if inner else schema["type"]))


def _text(text: str) -> str:
    """Prose, with what stands between backquotes as code."""
    parts = escape(text).split("`")
    return "".join(f"<code>{part}</code>" if place % 2 else part for place, part in enumerate(parts))
