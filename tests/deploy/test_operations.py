"""What docs/operations.md tells an operator to apply and to type."""

import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml
from kubernetes_validate import utils  # type: ignore[import-untyped]  # it ships no types

from services.demo import SERVER
from services.runtime.settings import Settings
from tests.support.manifests import KUBECTL, ROOT, of_kind, workload

PAGE = (ROOT / "docs" / "operations.md").read_text("utf-8")
BLOCKS: list[dict[str, Any]] = [yaml.safe_load(block) for block in re.findall(r"```yaml\n(.+?)```", PAGE, re.DOTALL)]


def of(kind: str) -> dict[str, Any]:
    (block,) = (block for block in BLOCKS if block["kind"] == kind)
    return block


def test_the_pod_that_restores_is_a_restricted_one_with_the_volume_of_the_sessions() -> None:
    pod = of("Pod")
    for version in (utils.all_versions()[0], utils.latest_version()):
        utils.validate(pod, version, strict=True)
    session = workload("standard", "session")
    (claim,) = session.object["spec"]["volumeClaimTemplates"]
    (volume,) = pod["spec"]["volumes"]
    assert volume["persistentVolumeClaim"]["claimName"] == f"{claim['metadata']['name']}-{session.name}-0"
    (container,) = pod["spec"]["containers"]
    assert container["image"] == session.main["image"]
    assert container["securityContext"] == session.main["securityContext"]
    assert pod["spec"]["securityContext"].items() <= session.pod["securityContext"].items()
    (mount,) = container["volumeMounts"]
    assert mount in session.main["volumeMounts"]
    (namespace,) = of_kind("standard", "Namespace")
    assert pod["metadata"]["namespace"] == namespace["metadata"]["name"]


def test_an_overlay_of_ones_own_takes_another_image(tmp_path: Path) -> None:
    (tmp_path / "lair").symlink_to(ROOT)
    (tmp_path / "kustomization.yaml").write_text(yaml.safe_dump(of("Kustomization")), "utf-8")
    done = subprocess.run([KUBECTL, "kustomize", tmp_path], capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 0, done.stderr
    assert re.findall(r"image: (\S*lair\S*)", done.stdout).count("registry.example/lair:0.1.0") >= 2
    assert "image: lair:" not in done.stdout


@pytest.mark.parametrize("name", sorted(set(re.findall(r"LAIR_[A-Z_]+", PAGE))))
def test_every_setting_that_it_names_is_there(name: str) -> None:
    assert name == SERVER or name.removeprefix("LAIR_").lower() in Settings.model_fields


def test_the_bounds_that_it_names_are_the_defaults() -> None:
    for name in ("max_streams", "max_calls"):
        assert f"`LAIR_{name.upper()}`, {Settings.model_fields[name].default:,}" in PAGE
