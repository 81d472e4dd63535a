"""A real nginx before an edge, as it comes: it speaks HTTP/1.0 with what is behind it, unless told otherwise."""

import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.support.edge import Web
from tests.support.processes import free_port
from tests.support.servers import PATIENCE

# Systems have it where only root's shell looks.
PROGRAM = shutil.which("nginx", path=f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/local/sbin:/opt/homebrew/bin")
needs_nginx = pytest.mark.skipif(
    PROGRAM is None and "CI" not in os.environ,
    reason="there is no nginx: on Debian and Ubuntu, apt-get install nginx-light",
)
"""Where CI is set there are no excuses: the test fails."""
TEMPORARY = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")


@contextmanager
def nginx(edge: str, folder: Path, *directives: str) -> Iterator[Web]:
    """An nginx that has one line about the edge, and these besides."""
    assert PROGRAM, "there is no nginx: apt-get install nginx-light"
    address = f"127.0.0.1:{free_port()}"
    # Only where its files lie is said here: it runs as anybody.
    paths = "".join(f"{name}_temp_path {folder}/{name};" for name in TEMPORARY)
    location = f"location / {{ proxy_pass http://{edge}; {' '.join(directives)} }}"
    config = folder / "nginx.conf"
    config.write_text(
        f"daemon off; pid {folder}/pid; error_log stderr; events {{}}\n"
        f"http {{ access_log off; {paths} server {{ listen {address}; {location} }} }}\n"
    )
    with (folder / "nginx.log").open("wb") as log:
        process = subprocess.Popen([PROGRAM, "-e", "stderr", "-p", str(folder), "-c", str(config)], stderr=log)
    try:
        yield _listening(Web(address), process, folder / "nginx.log")
    finally:
        process.terminate()
        process.wait(PATIENCE)


def _listening(web: Web, process: "subprocess.Popen[bytes]", log: Path) -> Web:
    deadline = time.monotonic() + PATIENCE
    while True:
        assert process.poll() is None, log.read_text()
        assert time.monotonic() < deadline
        try:
            web.ask("GET", "/healthz")
        except OSError:
            time.sleep(0.02)
        else:
            return web
