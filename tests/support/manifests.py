"""The manifests as a cluster would get them: overlays, rendered, and what tests ask of their objects."""

import subprocess
import sysconfig
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).parents[2]
K8S = ROOT / "deploy" / "k8s"
KUBECTL = Path(sysconfig.get_path("scripts")) / "kubectl"
OVERLAYS = tuple(sorted(folder.name for folder in (K8S / "overlays").iterdir()))
WORKLOADS = ("Deployment", "StatefulSet", "Job")
NAME = "app.kubernetes.io/name"
COMPONENT = "app.kubernetes.io/component"
GAME = "lair/game"

Object = Mapping[str, Any]
Labels = Mapping[str, str]
Secrets = Mapping[tuple[str, str], str]
"""What the secrets of a cluster have, by their names and keys."""
DATABASE = ("lair-database", "url")
EXAMPLES: Secrets = {DATABASE: "postgresql://lair:password@database.example:5432/lair"}
"""Values as an operator may choose them."""


@dataclass(frozen=True)
class Workload:
    """An object that makes pods."""

    object: Object

    @property
    def name(self) -> str:
        """Of the object."""
        return str(self.object["metadata"]["name"])

    @property
    def labels(self) -> Labels:
        """Of its pods."""
        labels: Labels = self.object["spec"]["template"]["metadata"]["labels"]
        return labels

    @property
    def pod(self) -> Object:
        """What a pod is made of."""
        pod: Object = self.object["spec"]["template"]["spec"]
        return pod

    @property
    def containers(self) -> Sequence[Object]:
        """All of them; those that come before the others first."""
        return [*self.pod.get("initContainers", ()), *self.pod["containers"]]

    @property
    def main(self) -> Object:
        """The one that stays."""
        (container,) = self.pod["containers"]
        return container  # type: ignore[no-any-return]  # YAML has no types


@cache
def render(overlay: str) -> Sequence[Object]:
    """The objects of an overlay. Fails with what kustomize says."""
    done = subprocess.run(
        [KUBECTL, "kustomize", K8S / "overlays" / overlay], capture_output=True, text=True, check=False, timeout=60
    )
    assert done.returncode == 0, done.stderr
    assert not done.stderr, "kustomize warns of what it will not take for ever"
    return [each for each in yaml.safe_load_all(done.stdout) if each]


def of_kind(overlay: str, *kinds: str) -> Sequence[Object]:
    """The objects of some kinds."""
    return [each for each in render(overlay) if each["kind"] in kinds]


def workloads(overlay: str) -> Sequence[Workload]:
    """Whatever makes pods."""
    return [Workload(each) for each in of_kind(overlay, *WORKLOADS)]


def workload(overlay: str, name: str) -> Workload:
    """The one of this name."""
    (found,) = (each for each in workloads(overlay) if each.name == name)
    return found


def selects(selector: Object, labels: Labels) -> bool:
    """Whether a selector, of either form, takes something with these labels."""
    if not set(selector) <= {"matchLabels", "matchExpressions"}:
        return dict(selector).items() <= labels.items()
    expressions = selector.get("matchExpressions", ())
    assert all(each["operator"] == "In" for each in expressions), "no other operator is needed"
    return selector.get("matchLabels", {}).items() <= labels.items() and all(
        labels.get(each["key"]) in each["values"] for each in expressions
    )


def memory_of(container: Object) -> int:
    """How many bytes it may have."""
    limit = container["resources"]["limits"]["memory"]
    return int(limit[:-2]) * {"Mi": 2**20, "Gi": 2**30}[limit[-2:]]


def ports_of(container: Object) -> Mapping[str, int]:
    """Its named ports."""
    return {port["name"]: port["containerPort"] for port in container.get("ports", ())}


def probes_of(container: Object) -> Mapping[str, Object]:
    """Its probes by their kind."""
    return {kind: container[kind] for kind in ("startupProbe", "livenessProbe", "readinessProbe") if kind in container}


def environment(workload: Workload, container: Object, secrets: Secrets = EXAMPLES) -> Mapping[str, str]:
    """What a container finds in its environment. Labels of its pod and values of secrets are filled in."""
    return {each["name"]: _value(workload, each, secrets) for each in container.get("env", ())}


def _value(workload: Workload, variable: Object, secrets: Secrets) -> str:
    if "value" in variable:
        return str(variable["value"])
    if (secret := variable["valueFrom"].get("secretKeyRef")) is not None:
        return secrets[secret["name"], secret["key"]]
    path: str = variable["valueFrom"]["fieldRef"]["fieldPath"]
    prefix, label = path.removesuffix("']").split("['")
    assert prefix == "metadata.labels", path
    return workload.labels[label]


def command(workload: Workload, container: Object, entrypoint: Sequence[str]) -> Sequence[str]:
    """What a container runs: its command or the image's own, and its arguments, with $(NAME) filled in."""
    known = environment(workload, container)
    return [*container.get("command", entrypoint), *(_expand(text, known) for text in container.get("args", ()))]


def _expand(text: str, known: Mapping[str, str]) -> str:
    for name, value in known.items():
        text = text.replace(f"$({name})", value)
    assert "$(" not in text, text
    return text


def texts(value: object) -> Iterator[str]:
    """Every text in an object, however deep."""
    if isinstance(value, Mapping):
        for key, each in value.items():
            yield from (str(key), *texts(each))
    elif isinstance(value, list):
        for each in value:
            yield from texts(each)
    elif value is not None:
        yield str(value)
