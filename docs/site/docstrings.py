"""The SDK's docstrings for autodoc: where they stand, and what is between their backticks.

`lair` gives its classes its own name as their module, since users import them from there. Autodoc looks for the texts
below attributes in that module, and so needs those of the modules in which the classes are written.
"""

import re
from pkgutil import iter_modules
from typing import Any

from sphinx.application import Sphinx
from sphinx.errors import PycodeError
from sphinx.pycode import ModuleAnalyzer

import lair


def gather(_: Sphinx) -> None:
    """Give the analysis of `lair` what its modules have."""
    whole = ModuleAnalyzer.for_module("lair")
    whole.analyze()
    for module in iter_modules(lair.__path__, "lair."):
        if module.ispkg:
            continue
        part = ModuleAnalyzer.for_module(module.name)
        part.analyze()
        for name in ("annotations", "attr_docs", "tags", "tagorder"):
            getattr(whole, name).update(getattr(part, name))


def write_as_rst(_: Sphinx, kind: str, name: str, thing: object, options: object, lines: list[str]) -> None:
    """Keep drawings and examples as they stand. A star is a star."""
    lines[:] = [re.sub(r"(?<![`\w])\*+(?=\w)", r"\\\g<0>", line) for line in lines]


def setup(app: Sphinx) -> dict[str, Any]:
    """Register both."""
    app.connect("builder-inited", gather)
    app.connect("autodoc-process-docstring", write_as_rst)
    return {"version": "1", "parallel_read_safe": True}
