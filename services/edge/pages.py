"""What the edge serves by itself: the contract, for programs and for people."""

import json
from collections.abc import Sequence
from dataclasses import dataclass

from services.edge.openapi import openapi
from services.edge.page import FILE, page
from services.edge.protos import Protos


@dataclass(frozen=True)
class Page:
    """A text at a path."""

    path: str
    content_type: str
    text: str


def pages(protos: Protos) -> Sequence[Page]:
    """Every page, rendered from the protos."""
    document = openapi(protos)
    return (
        Page(FILE, "application/json", json.dumps(document)),
        Page("/docs", "text/html; charset=utf-8", page(document)),
    )
