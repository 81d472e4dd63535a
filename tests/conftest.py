"""What tests of several folders share."""

from collections.abc import Iterator

import pytest
from hypothesis import settings

from tests.support.servers import Stubs, running, running_apart

settings.register_profile("lair", deadline=None)  # how long an example takes says more of the machine than of us
settings.load_profile("lair")


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stubs]:
    """All of Lair in this process, over one file."""
    with running(tmp_path_factory.mktemp("server") / "lair.db") as stubs:
        yield stubs


@pytest.fixture(scope="session", params=[running, running_apart], ids=["rules in process", "rules over gRPC"])
def any_server(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stubs]:
    """Sessions whose rules are in the same process, then sessions whose rules are another server's."""
    with request.param(tmp_path_factory.mktemp("any_server") / "lair.db") as stubs:
        yield stubs
