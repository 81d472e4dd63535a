"""Pages that are lists of others, and links that lead out of the site.

The navigation is what `docs/README.md` and `docs/adr/README.md` link to, section by section: so the lists that are read
in the repository are the only ones. A link to a folder or a file that is no page has nowhere to go on a site, which has
no source of Lair beside it: its text stays.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.transforms import SphinxTransform

INDEXES = {"docs/README", "docs/adr/README"}


class Navigation(SphinxTransform):
    """What an index links to, as hidden tables of contents with the headings as their captions."""

    default_priority = 399

    def apply(self, **_: Any) -> None:
        """In indexes alone."""
        if self.env.docname not in INDEXES:
            return
        for section in list(self.document.findall(nodes.section)):
            if pages := list(dict.fromkeys(_listed(section))):
                parts = (number for number, part in enumerate(section) if isinstance(part, nodes.section))
                section.insert(next(parts, len(section)), self._contents(section, pages))

    def _contents(self, section: nodes.section, pages: list[str]) -> nodes.Node:
        caption = None if section.parent is self.document else section[0].astext()
        contents = addnodes.toctree(
            parent=self.env.docname,
            entries=[(None, page) for page in pages],
            includefiles=pages,
            maxdepth=-1,
            caption=caption,
            rawcaption=caption or "",
            glob=False,
            hidden=True,
            includehidden=False,
            numbered=0,
            titlesonly=True,
        )
        return nodes.compound("", contents, classes=["toctree-wrapper"])


class PlainLinks(SphinxTransform):
    """Links to what is there and is no page become their text. What is missing stays, and is warned of."""

    default_priority = 400

    def apply(self, **_: Any) -> None:
        """In every page."""
        folder = Path(self.env.srcdir, self.env.docname).parent
        for link in list(self.document.findall(addnodes.pending_xref)):
            if link.get("reftype") == "myst" and link["refdomain"] != "doc" and (folder / link["reftarget"]).exists():
                link.replace_self(link.children)
        for file in list(self.document.findall(addnodes.download_reference)):
            file.replace_self(file.children)


def _listed(section: nodes.section) -> Iterator[str]:
    """The pages that the lists and tables of a section link to, without those of sections within it."""
    for part in section.children:
        if not isinstance(part, nodes.section | nodes.paragraph):
            links = part.findall(addnodes.pending_xref)
            yield from (link["reftarget"] for link in links if link.get("refdomain") == "doc")


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the transforms."""
    app.add_transform(Navigation)
    app.add_transform(PlainLinks)
    return {"version": "1", "parallel_read_safe": True}
