"""Pods whose containers of ours run in the image that was built, restricted as the manifests say.

IMAGE is its name with its tag, and RUNNER what runs it: `docker run`, or `podman run` with whatever that needs here.
Envoy's image is not ours: where a pod has it, Envoy runs from its wheel.
"""

import os
import shlex
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from tests.support.manifests import Object, command, environment
from tests.support.pods import Pod

OURS = "lair"
SECONDS = 60


class Container(Pod):
    """A pod in containers. They have the machine's network, as every pod here has an address of its own in it."""

    def __init__(self, *about: Any) -> None:
        super().__init__(*about)
        self._image = os.environ["IMAGE"]
        self._runner = shlex.split(os.environ["RUNNER"])
        self._name = f"lair-{os.getpid()}-{self.host}"

    @property
    def ours(self) -> bool:
        """Whether what stays is in our image."""
        return _is_ours(self.workload.main)

    def look(self, code: str) -> str:
        """What a program in Python prints beside the server."""
        done = self._tell("exec", self._name, "python", "-c", code)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def run(self, container: Object, words: Sequence[str]) -> "subprocess.Popen[bytes]":
        """Begin what a container runs, with the rights that its manifest leaves it."""
        if not _is_ours(container):
            return super().run(container, words)
        known = environment(self.workload, container)
        own = command(self.workload, container, ())
        program, arguments = (own[:1], own[1:]) if "command" in container else ((), own)
        full = [
            *self._runner,
            *("--rm", "--network=host", "--name", self._name),
            *_restrictions({**self.workload.pod["securityContext"], **container["securityContext"]}),
            *(f"--volume={folder}:{path}" for path, folder in self.volumes(container).items()),
            *(f"--env={name}={self.here(text, {})}" for name, text in known.items()),
            *(f"--entrypoint={word}" for word in program),
            self._image,
            *(self.here(word, {}) for word in arguments),
        ]
        return self.launch(full, os.environ)

    def volumes(self, container: Object) -> Mapping[str, str]:
        """The same, and the image's user may write into them."""
        folders = super().volumes(container)
        for folder in folders.values():
            Path(folder).chmod(0o777)
        return folders

    def kill(self) -> None:
        """End it whatever it is doing: the program that we have begun is not the container."""
        if self.ours and self.runs:
            self._tell("rm", "--force", self._name)
        super().kill()

    def _tell(self, *words: str) -> "subprocess.CompletedProcess[str]":
        """Have the runner do something else."""
        program = self._runner[: self._runner.index("run")]
        return subprocess.run([*program, *words], capture_output=True, text=True, check=False, timeout=SECONDS)


def _is_ours(container: Object) -> bool:
    return str(container["image"]).partition(":")[0] == OURS


def _restrictions(security: Object) -> Iterator[str]:
    """What a pod may not, in the words of a runner. Its own default is RuntimeDefault of seccomp."""
    yield f"--user={security['runAsUser']}:{security['runAsGroup']}"
    if security["readOnlyRootFilesystem"]:
        yield "--read-only"
    if not security["allowPrivilegeEscalation"]:
        yield "--security-opt=no-new-privileges"
    yield from (f"--cap-drop={capability}" for capability in security["capabilities"]["drop"])
