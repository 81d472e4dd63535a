"""A folder of files as a site of the edge: as it lies there, under a policy that lets nothing in or out."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from services.edge.site import site
from tests.support.edge import Web, edge, needs_envoy
from tests.support.servers import Stubs

PAGE = "<!doctype html><title>Caf\N{LATIN SMALL LETTER E WITH ACUTE}</title>"
FILES = {
    "index.html": (PAGE.encode(), "text/html; charset=utf-8"),
    "assets/page.js": (b"'use strict'", "text/javascript; charset=utf-8"),
    "assets/page.css": (b"body {}", "text/css; charset=utf-8"),
    "picture.png": (bytes(range(256)), "image/png"),
    "LICENSE": (b"free", "application/octet-stream"),
}


@pytest.fixture(scope="module")
def web(server: Stubs, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Web]:
    folder = tmp_path_factory.mktemp("site")
    for name, (content, _) in FILES.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_bytes(content)
    with edge(server.address, site=folder) as found:
        yield found


@needs_envoy
@pytest.mark.parametrize("name", FILES)
def test_a_file_comes_as_it_is_with_its_type(web: Web, name: str) -> None:
    answer = web.ask("GET", f"/{name}")
    content, kind = FILES[name]
    assert (answer.status, answer.body, answer.headers["content-type"]) == (200, content, kind)
    assert answer.headers["x-content-type-options"] == "nosniff"


@needs_envoy
def test_the_index_is_at_the_root_and_may_load_from_here_alone(web: Web) -> None:
    answer = web.ask("GET", "/?whatever")
    assert (answer.status, answer.body) == (200, PAGE.encode())
    policy = dict(part.split(" ", 1) for part in answer.headers["content-security-policy"].split("; "))
    assert {policy[name] for name in ("connect-src", "script-src", "style-src", "font-src")} == {"'self'"}
    assert {policy[name] for name in ("default-src", "base-uri", "form-action", "frame-ancestors")} == {"'none'"}


@needs_envoy
def test_what_is_not_in_the_folder_is_not_there(web: Web) -> None:
    assert web.ask("GET", "/assets/other.js").status == 404
    assert web.ask("GET", "/assets/../../secret").status == 404
    assert web.ask("GET", "/v1/sessions").status == 200
    assert web.ask("GET", "/docs").status == 200


def test_a_folder_without_an_index_is_no_site(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"is no site: it has no index\.html"):
        site(tmp_path)
