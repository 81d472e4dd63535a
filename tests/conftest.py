"""What tests of several folders share."""

import signal
from collections.abc import Iterator

import pytest
from hypothesis import settings

from tests.support.postgresql import postgresql, postgresql_database
from tests.support.servers import Stubs, running, running_apart

__all__ = ["postgresql", "postgresql_database"]

settings.register_profile("lair", deadline=None)  # how long an example takes says more of the machine than of us
settings.load_profile("lair")

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # A shell's job in the background is deaf to Ctrl-C, and so is whatever it starts: the servers of the tests, too.
    signal.signal(signal.SIGINT, signal.default_int_handler)


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
