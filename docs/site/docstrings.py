"""Where the SDK's docstrings stand, for autodoc.

`lair` gives its classes its own name as their module, since users import them from there. Autodoc looks for the texts
below attributes in that module, and so needs those of the modules in which the classes are written.
"""

from dataclasses import is_dataclass
from pkgutil import iter_modules
from typing import Any

from sphinx.application import Sphinx
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


def hide_constructors(_: Sphinx, what: str, __: str, thing: object, *___: object) -> tuple[str, str] | None:
    """Of what users don't make themselves the constructor is nobody's business: of all but plain values."""
    return ("", "") if what in ("class", "exception") and not is_dataclass(thing) else None


def setup(app: Sphinx) -> dict[str, Any]:
    """Register both."""
    app.connect("builder-inited", gather)
    app.connect("autodoc-process-signature", hide_constructors)
    return {"version": "1", "parallel_read_safe": True}
