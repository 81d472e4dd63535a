"""What a cluster would say of the manifests, as far as that can be known without one."""

from functools import cache

import pytest
from kubernetes_validate import ValidationError, utils  # type: ignore[import-untyped]  # it ships no types

from tests.support.manifests import OVERLAYS, render

OLDEST = (1, 30)


def numbers(version: str) -> tuple[int, ...]:
    return tuple(map(int, version.split(".")[:2]))


VERSIONS = tuple(dict.fromkeys(version for version in utils.all_versions() if numbers(version) >= OLDEST))


@pytest.fixture(autouse=True)
def schemas_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Else all of them are read anew for every object."""
    monkeypatch.setattr(utils, "schema_contents", read)


read = cache(utils.schema_contents)


def test_there_is_more_than_one_version_and_overlay() -> None:
    assert len(VERSIONS) >= 8
    assert len(OVERLAYS) >= 2


@pytest.mark.parametrize("version", VERSIONS)
def test_every_object_is_one_that_kubernetes_knows(version: str) -> None:
    for overlay in OVERLAYS:
        for each in render(overlay):
            assert utils.validate(each, version, strict=True) == utils.major_minor(version)


def test_a_misspelt_field_is_found() -> None:
    (namespace,) = (each for each in render("dev") if each["kind"] == "Namespace")
    with pytest.raises(ValidationError, match="labls"):
        utils.validate({**namespace, "metadata": {"name": "lair", "labls": {}}}, VERSIONS[-1], strict=True)
