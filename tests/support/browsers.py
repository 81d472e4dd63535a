"""Chromium with people in it: each has a profile of their own, and all that the server sends them is kept.

What a page receives is heard where its calls come back, before it reads it: every byte of every body, and the headers,
also of streams that are cut off and of pages that are reloaded. Streams are a shared worker's, where nobody can listen:
whoever wants to hear them, too, takes the workers away, and then the page has its stream itself.
"""

import json
import os
import shutil
import struct
from base64 import b64decode
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

SITE = Path(__file__).parents[2] / "clients" / "web" / "dist"
PROGRAM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
MISSING = " and ".join(
    said
    for said, there in (
        ("there is no Chromium", PROGRAM is not None),
        ("`make web` has not built the page", SITE.is_dir()),
    )
    if not there
)
needs_browser = pytest.mark.skipif(bool(MISSING) and "CI" not in os.environ, reason=MISSING)
"""Where CI is set there are no excuses: the test fails."""
TRAILERS = 0x80
"""The flag of the frame that ends a call (gRPC-Web, Message framing)."""
LISTEN = """
(() => {
  const send = window.fetch;
  const base64 = (bytes) => btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
  let calls = 0;
  window.fetch = async (url, options) => {
    const call = `${performance.timeOrigin} ${calls++}`;
    const tell = (kind, bytes) => window.heard(call, String(url), kind, base64(bytes));
    tell("request", options.body);
    const response = await send(url, options);
    const lines = [...response.headers].map((pair) => pair.join(": ")).join("\\n");
    tell("headers", new TextEncoder().encode(lines));
    const [mine, theirs] = response.body.tee();
    (async () => {
      for (let reader = mine.getReader(), part; !(part = await reader.read()).done; ) tell("body", part.value);
    })().catch(() => {});
    return new Response(theirs, response);
  };
})()
"""


@dataclass
class Call:
    """A call of the page's, and what came back, in bytes."""

    url: str
    parts: dict[str, bytes] = field(default_factory=dict)

    @property
    def method(self) -> str:
        """Its name."""
        return self.url.rpartition("/")[2]

    def frames(self, part: str = "body") -> Iterator[tuple[int, bytes]]:
        """The whole frames that were heard: flags and data. What was cut off in the middle of one, as it is."""
        raw = self.parts.get(part, b"")
        while len(raw) >= 5:
            flags, length = struct.unpack(">BI", raw[:5])
            yield flags, raw[5 : 5 + length]
            raw = raw[5 + length :]
        if raw:
            yield TRAILERS, raw

    def messages(self, part: str = "body") -> list[bytes]:
        """The messages that were heard."""
        return [data for flags, data in self.frames(part) if not flags & TRAILERS]

    def rest(self) -> bytes:
        """What is no message: headers and trailers."""
        return b"\n".join(
            [self.parts.get("headers", b""), *(data for flags, data in self.frames() if flags & TRAILERS)]
        )


WITHOUT_WORKERS = "delete window.SharedWorker"


class Visitor:
    """Somebody with a browser of their own, and one tab."""

    def __init__(self, browser: Browser, home: str, *, workers: bool = True) -> None:
        self.home = home
        self.calls: dict[str, Call] = {}
        self.urls: list[str] = []
        """Everything that was asked for, pages too."""
        self.failures: list[str] = []
        """What the page threw, and nobody caught."""
        self.context = browser.new_context()
        self.context.expose_function("heard", self._hear)
        self.context.add_init_script(LISTEN)
        if not workers:
            self.context.add_init_script(WITHOUT_WORKERS)
        self.page = self.new_tab()

    def new_tab(self) -> Page:
        """Open one more."""
        page = self.context.new_page()
        page.on("request", lambda request: self.urls.append(request.url))
        page.on("pageerror", lambda error: self.failures.append(str(error)))
        return page

    def _hear(self, call: str, url: str, kind: str, data: str) -> None:
        parts = self.calls.setdefault(call, Call(url)).parts
        parts[kind] = parts.get(kind, b"") + b64decode(data)

    def go(self, part: str = "") -> None:
        """Open a part of the page."""
        self.page.goto(f"{self.home}/{part}")

    def text(self, selector: str) -> str:
        """What can be read somewhere."""
        return self.page.locator(selector).inner_text()

    @property
    def moves(self) -> list[str]:
        """The moves that can be clicked at this moment."""
        return self.page.locator("#moves[aria-busy=false] .move").all_inner_texts()

    @property
    def keys(self) -> Sequence[Mapping[str, Any]]:
        """The keys to seats that this browser keeps."""
        kept: Mapping[str, str] = self.page.evaluate("() => ({...localStorage})")
        return [json.loads(key) for key in kept.values()]


@contextmanager
def browsing() -> Iterator[Browser]:
    """A Chromium, for as long as it is needed: no event loop of its may run beside other tests."""
    assert not MISSING, MISSING
    with sync_playwright() as playwright:
        # A sandbox of its own is not to be had as root in a container, and the page is ours.
        browser = playwright.chromium.launch(executable_path=PROGRAM, args=["--no-sandbox", "--disable-gpu"])
        try:
            yield browser
        finally:
            browser.close()
