"""Every overlay that there is."""

import pytest

from tests.support.manifests import OVERLAYS


@pytest.fixture(params=OVERLAYS)
def overlay(request: pytest.FixtureRequest) -> str:
    return str(request.param)
