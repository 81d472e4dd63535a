"""A folder of files as a site of the edge: as it lies there, under a policy that lets nothing in or out, sent once."""

import gzip
from collections.abc import Iterator
from pathlib import Path

import pytest

from services.edge.site import site
from tests.support.edge import Answer, Web, edge, needs_envoy
from tests.support.servers import Stubs

PAGE = "<!doctype html><title>Caf\N{LATIN SMALL LETTER E WITH ACUTE}</title>"
SCRIPT = b"'use strict';\n" * 1000
HASHED = "assets/page-0123456789abcdef.js"
FILES = {
    "index.html": (PAGE.encode(), "text/html; charset=utf-8"),
    "assets/page.js": (SCRIPT, "text/javascript; charset=utf-8"),
    HASHED: (SCRIPT, "text/javascript; charset=utf-8"),
    "assets/page.css": (b"body {}", "text/css; charset=utf-8"),
    "picture.png": (bytes(range(256)) * 100, "image/png"),
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


def asked(web: Web, path: str, **headers: str) -> Answer:
    return web.ask("GET", path, **headers)


@needs_envoy
@pytest.mark.parametrize("name", FILES)
def test_a_file_comes_as_it_is_with_its_type(web: Web, name: str) -> None:
    answer = asked(web, f"/{name}")
    content, kind = FILES[name]
    assert (answer.status, answer.body, answer.headers["content-type"]) == (200, content, kind)
    assert "content-encoding" not in answer.headers
    assert answer.headers["x-content-type-options"] == "nosniff"


@needs_envoy
def test_the_index_is_at_the_root_and_may_load_from_here_alone(web: Web) -> None:
    answer = asked(web, "/?whatever")
    assert (answer.status, answer.body) == (200, PAGE.encode())
    policy = dict(part.split(" ", 1) for part in answer.headers["content-security-policy"].split("; "))
    assert {policy[name] for name in ("connect-src", "script-src", "style-src", "font-src")} == {"'self'"}
    assert {policy[name] for name in ("default-src", "base-uri", "form-action", "frame-ancestors")} == {"'none'"}


@needs_envoy
@pytest.mark.parametrize("path", ["/assets/page.js", "/docs", "/openapi.json"])
@pytest.mark.parametrize("takes", ["gzip", "br, GZIP;q=0.5", "gzip, deflate, br, zstd", "deflate,gzip;q=1.0"])
def test_whoever_takes_gzip_gets_less(web: Web, path: str, takes: str) -> None:
    plain, packed = asked(web, path), asked(web, path, accept_encoding=takes)
    assert packed.headers["content-encoding"] == "gzip"
    assert gzip.decompress(packed.body) == plain.body
    assert len(packed.body) < len(plain.body) / 2
    assert plain.headers["vary"] == packed.headers["vary"] == "accept-encoding"
    for name in ("content-type", "etag", "cache-control", "content-security-policy"):
        assert plain.headers[name] == packed.headers[name]


@needs_envoy
@pytest.mark.parametrize("takes", ["", "br", "identity", "gzip;q=0", "gzip;q=0.0, br", "xgzip", "gzipped"])
def test_whoever_does_not_take_gzip_gets_it_as_it_is(web: Web, takes: str) -> None:
    answer = asked(web, "/assets/page.js", accept_encoding=takes)
    assert (answer.body, answer.headers.get("content-encoding")) == (SCRIPT, None)


@needs_envoy
@pytest.mark.parametrize("name", ["picture.png", "assets/page.css"])
def test_what_is_small_or_packed_already_is_not_packed(web: Web, name: str) -> None:
    answer = asked(web, f"/{name}", accept_encoding="gzip")
    assert (answer.body, answer.headers.get("content-encoding")) == (FILES[name][0], None)


@needs_envoy
@pytest.mark.parametrize("path", [*(f"/{name}" for name in FILES), "/", "/docs", "/openapi.json"])
def test_whoever_has_it_is_told_so_and_sent_nothing(web: Web, path: str) -> None:
    tag = asked(web, path).headers["etag"]
    for said in (tag, tag.removeprefix("W/"), f'"other", {tag}', "*"):
        answer = asked(web, path, if_none_match=said, accept_encoding="gzip")
        assert (answer.status, answer.body, answer.headers["etag"]) == (304, b"", tag)
        assert "cache-control" in answer.headers
    for said in ('"other"', 'W/""', tag[:-2] + '"'):
        assert asked(web, path, if_none_match=said).status == 200


@needs_envoy
def test_a_name_with_a_hash_in_it_is_kept_and_others_are_asked_for_again(web: Web) -> None:
    assert asked(web, f"/{HASHED}").headers["cache-control"] == "public, max-age=31536000, immutable"
    for path in ("/", "/index.html", "/assets/page.js", "/docs", "/openapi.json"):
        assert asked(web, path).headers["cache-control"] == "no-cache"


@needs_envoy
def test_another_body_has_another_tag(web: Web) -> None:
    tags = {asked(web, f"/{name}").headers["etag"] for name in FILES}
    assert len(tags) == len({content for content, _ in FILES.values()})


@needs_envoy
def test_what_is_not_in_the_folder_is_not_there(web: Web) -> None:
    assert asked(web, "/assets/other.js").status == 404
    assert asked(web, "/assets/../../secret").status == 404
    assert asked(web, "/v1/sessions").status == 200
    assert asked(web, "/docs").status == 200


def test_a_folder_without_an_index_is_no_site(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"is no site: it has no index\.html"):
        site(tmp_path)


@pytest.mark.parametrize(
    "name", ["a-document.js", "deadbeef.js", "a-deadbeef.js", "a-0123456789ABCDEF.js", "a0123456789abcdef.js"]
)
def test_a_name_that_only_looks_like_a_hash_is_not_kept(tmp_path: Path, name: str) -> None:
    """What is kept for good, and changes after all, can't be called back."""
    for file in ("index.html", name):
        (tmp_path / file).write_text("x")
    assert [page.path for page in site(tmp_path) if page.lasting] == []
