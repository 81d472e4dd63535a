"""One edge before the server that all of these share."""

from collections.abc import Iterator

import pytest

from tests.support.edge import Web, edge
from tests.support.servers import Stubs


@pytest.fixture(scope="session")
def web(server: Stubs) -> Iterator[Web]:
    with edge(server.address, origins=("https://play.example",)) as opened:
        yield opened
