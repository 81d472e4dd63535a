"""What the edge serves by itself: the contract, for programs and for people, and the files of a site."""

import base64
import gzip
import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from services.edge.openapi import openapi
from services.edge.page import FILE, page
from services.edge.protos import Protos
from services.edge.replies import headers_to_add
from services.edge.words import TRANSCODER, Json, typed

LOADS_NOTHING = "default-src 'none'; style-src 'unsafe-inline'"
"""Pages load nothing and run nothing."""
ASK_AGAIN = "no-cache"
"""A copy may be kept, and is asked for each time: the answer is 304 while it is still right (RFC 9111)."""
FOREVER = "public, max-age=31536000, immutable"
WORTH_PACKING = 512
"""Bytes above which a smaller form is served, too."""
PACKED_ALREADY = ("image/", "font/", "video/", "audio/", "application/zip", "application/gzip")
FOR_READERS: Json = {"name": ":method", "string_match": {"safe_regex": {"regex": "GET|HEAD"}}}
NOT_TRANSCODED = typed("envoy.config.route.v3.FilterConfig", disabled=True)
TAKES_GZIP = r"(?i)(.*,)?\s*gzip\s*(;\s*q\s*=\s*(1(\.0*)?|0?\.[0-9]*[1-9][0-9]*))?\s*(,.*)?"
"""An accept-encoding that has gzip, and does not forbid it (RFC 9110, section 12.5.3)."""


@dataclass(frozen=True)
class Page:
    """What lies at a path."""

    path: str
    content_type: str
    body: bytes
    policy: str = LOADS_NOTHING
    """What a browser may load for it, and run (Content Security Policy)."""
    lasting: bool = False
    """Whether another body would have another path, because the path has its hash in it."""

    @property
    def tag(self) -> str:
        """Names this body, however it is packed (RFC 9110, section 8.8.3)."""
        return hashlib.sha256(self.body).hexdigest()[:20]

    @property
    def packed(self) -> bytes | None:
        """The body in gzip, if that is worth while."""
        if len(self.body) < WORTH_PACKING or self.content_type.startswith(PACKED_ALREADY):
            return None
        packed = gzip.compress(self.body, mtime=0)
        return packed if len(packed) < len(self.body) else None


def pages(protos: Protos) -> Sequence[Page]:
    """Every page, rendered from the protos."""
    document = openapi(protos)
    return (
        Page(FILE, "application/json", json.dumps(document).encode()),
        Page("/docs", "text/html; charset=utf-8", page(document).encode()),
    )


def page_routes(page: Page) -> Iterator[Json]:
    """How a page is served: not at all to whoever has it, packed to whoever takes that, else as it is."""
    packed = page.packed
    vary = {} if packed is None else {"vary": "accept-encoding"}
    kept = {"name": "if-none-match", "string_match": {"safe_regex": {"regex": rf'\s*\*\s*|.*"{page.tag}".*'}}}
    yield _page_route(page, 304, b"", vary, kept)
    if packed is not None:
        takes = {"name": "accept-encoding", "string_match": {"safe_regex": {"regex": TAKES_GZIP}}}
        yield _page_route(page, 200, packed, {**vary, "content-encoding": "gzip"}, takes)
    yield _page_route(page, 200, page.body, vary)


def _page_route(page: Page, status: int, body: bytes, more: Mapping[str, str], *asked: Json) -> Json:
    headers = {
        "cache-control": FOREVER if page.lasting else ASK_AGAIN,
        "content-security-policy": page.policy,
        # Weak: the packed body is another sequence of bytes under the same tag.
        "etag": f'W/"{page.tag}"',
        **({"content-type": page.content_type} if body else {}),
        **more,
    }
    content = {"body": {"inline_bytes": base64.b64encode(body).decode()}} if body else {}
    return {
        "match": {"path": page.path, "headers": [FOR_READERS, *asked]},
        "direct_response": {"status": status, **content},
        "response_headers_to_add": headers_to_add(headers),
        "typed_per_filter_config": {TRANSCODER: NOT_TRANSCODED},
    }
