"""A folder of files as pages of the edge: so that a frontend comes from where its calls go to."""

import re
from collections.abc import Sequence
from mimetypes import guess_type
from pathlib import Path

from services.edge.pages import Page

INDEX = "index.html"
SELF = ("connect", "font", "script", "style")
NONE = ("base-uri", "default-src", "form-action", "frame-ancestors")
POLICY = "; ".join(
    (*(f"{what}-src 'self'" for what in SELF), "img-src 'self' data:", *(f"{what} 'none'" for what in NONE))
)
"""Everything comes from here and goes here: no script of anybody else ever sees a token."""
HASHED = re.compile(r"[.-][0-9a-f]{12,64}\.\w+$")
"""A name with a hash of the content in it, in hexadecimal, before its ending."""


def site(folder: Path) -> Sequence[Page]:
    """Every file of a folder, at its path; the index is also at the root. Raises ValueError when there is no index."""
    index = folder / INDEX
    if not index.is_file():
        raise ValueError(f"{folder} is no site: it has no {INDEX}")
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    places = [("/", index), *((f"/{path.relative_to(folder).as_posix()}", path) for path in files)]
    return [
        Page(place, _type_of(path), path.read_bytes(), POLICY, lasting=HASHED.search(place) is not None)
        for place, path in places
    ]


def _type_of(path: Path) -> str:
    kind = guess_type(path.name)[0] or "application/octet-stream"
    return f"{kind}; charset=utf-8" if kind.startswith("text/") else kind
