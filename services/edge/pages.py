"""What the edge serves by itself: the contract, for programs and for people, and the files of a site."""

import json
from collections.abc import Sequence
from dataclasses import dataclass

from services.edge.openapi import openapi
from services.edge.page import FILE, page
from services.edge.protos import Protos

LOADS_NOTHING = "default-src 'none'; style-src 'unsafe-inline'"
"""Pages load nothing and run nothing."""


@dataclass(frozen=True)
class Page:
    """What lies at a path."""

    path: str
    content_type: str
    body: bytes
    policy: str = LOADS_NOTHING
    """What a browser may load for it, and run (Content Security Policy)."""


def pages(protos: Protos) -> Sequence[Page]:
    """Every page, rendered from the protos."""
    document = openapi(protos)
    return (
        Page(FILE, "application/json", json.dumps(document).encode()),
        Page("/docs", "text/html; charset=utf-8", page(document).encode()),
    )
