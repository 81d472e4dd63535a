"""The directive `commands`: what `lair COMMAND --help` says of every command, by the groups that `lair --help` has."""

import re
from collections.abc import Iterator
from typing import Any

import typer
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from lair.cli.app import app


class Commands(SphinxDirective):
    """Renders every command that there is."""

    def run(self) -> list[nodes.Node]:
        """A section for each group."""
        return self.parse_text_to_nodes("\n".join(write_commands()), allow_section_headings=True)


def write_commands() -> Iterator[str]:
    """The Markdown of all commands, line by line."""
    group: Any = typer.main.get_command(app)
    with group.make_context("lair", ["games"]) as context:
        panels: dict[str, list[Any]] = {}
        for name in group.list_commands(context):
            command = group.get_command(context, name)
            if not command.hidden:
                panels.setdefault(str(getattr(command, "rich_help_panel", None) or "Others"), []).append(command)
        for panel, commands in panels.items():
            yield f"## {panel}\n"
            for command in commands:
                yield from _command(command, context)


def _command(command: Any, above: Any) -> Iterator[str]:
    with command.make_context(command.name, [], parent=above, resilient_parsing=True) as context:
        yield f"### lair {command.name}\n"
        yield f"```text\n{' '.join([context.command_path, *command.collect_usage_pieces(context)])}\n```\n"
        yield f"{_prose(command.help or '')}\n"
        rows = [row for param in command.get_params(context) if (row := _parameter(param, context))]
        if rows:
            yield "| | |\n|---|---|"
            yield from (f"| `{names}` | {_prose(text)} |" for names, text in rows)
            yield ""


def _parameter(param: Any, context: Any) -> tuple[str, str] | None:
    if getattr(param, "hidden", False):
        return None
    if record := param.get_help_record(context):
        names, text = record
        return " ".join(names.split()).replace("|", "/"), text
    return param.make_metavar(context).replace("|", "/"), getattr(param, "help", None) or ""


def _prose(text: str) -> str:
    """Help as a paragraph. Brackets of typer's own, such as [required], are no links."""
    return re.sub(r"([<>*_\[\]|])", r"\\\1", " ".join(text.split()))


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the directive."""
    app.add_directive("commands", Commands)
    return {"version": "1", "parallel_read_safe": True}
