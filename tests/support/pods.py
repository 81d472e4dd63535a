"""Pods as plain processes: what the manifests say, done on the loopback interface instead of in a cluster.

Every pod has an address of its own in 127.0.0.0/8, and so every port is the one of the manifest. Services are names of
a name service of ours. What a kubelet does is done as it would: init containers, probes, preStop, SIGTERM, and an end
to a pod that takes longer than it may.
"""

import http.client
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc

from tests.support.manifests import (
    EXAMPLES,
    ROOT,
    Object,
    Secrets,
    Workload,
    command,
    environment,
    of_kind,
    ports_of,
    selects,
    workload,
)
from tests.support.names import Names

DOCKERFILE = (ROOT / "deploy" / "Dockerfile").read_text("utf-8")
ENTRYPOINT: Sequence[str] = json.loads(re.findall(r"^ENTRYPOINT (.+)$", DOCKERFILE, re.MULTILINE)[-1])
"""Of the last image in the file, the servers'."""
(_PAGE,) = re.findall(r"cp -r (\S+) (\S+)", DOCKERFILE)
PAGE_HERE, PAGE_IN_IMAGE = ROOT / _PAGE[0], _PAGE[1]
"""The folder of the page for browsers."""
SLOWNESS = 10
"""How many times longer a start may take here than in a cluster: everything shares a few cores."""

FIRST, MOST_PODS = 2, 20
"""The last number in the address of the first pod, and how many pods a cluster has at most that talk to each other."""


class Pod:
    """One pod of a workload."""

    def __init__(self, workload: Workload, host: str, names: Names, folder: Path) -> None:
        self.workload = workload
        self.host = host
        self._names = names
        self._folder = folder
        self.secrets = EXAMPLES
        self.ready = False
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def log(self) -> str:
        """What it has said so far."""
        return (self._folder / "log").read_text("utf-8")

    @property
    def runs(self) -> bool:
        """Whether it has begun, and not ended."""
        return self._process is not None and self._process.poll() is None

    def start(self) -> None:
        """Run what comes before, then begin to run what stays."""
        self._folder.mkdir(parents=True)
        for container in self.workload.pod.get("initContainers", ()):
            process = self.run(container, command(self.workload, container, ENTRYPOINT))
            assert process.wait(timeout=60) == 0, self.log
        self._tell_envoy_of_names()
        container = self.workload.main
        self._process = self.run(container, command(self.workload, container, ENTRYPOINT))

    def _tell_envoy_of_names(self) -> None:
        """In a cluster it finds the name service in /etc/resolv.conf; here that file is the machine's."""
        host, port = self._names.address
        for path in self._folder.glob("*/envoy.json"):
            resolver = {
                "@type": "type.googleapis.com/envoy.extensions.network.dns_resolver.cares.v3.CaresDnsResolverConfig",
                "resolvers": [{"socket_address": {"address": host, "port_value": port}}],
            }
            told = {
                **json.loads(path.read_text("utf-8")),
                "typed_dns_resolver_config": {"name": "envoy.network.dns_resolver.cares", "typed_config": resolver},
            }
            path.unlink()  # it may be another user's
            path.write_text(json.dumps(told), "utf-8")

    def wait(self) -> None:
        """Wait until the probes say that it has started, lives and is ready."""
        for kind in ("startupProbe", "livenessProbe", "readinessProbe"):
            probe = self.workload.main[kind]
            for _ in range(probe["failureThreshold"] * SLOWNESS):
                assert self._process is not None
                assert self._process.poll() is None, self.log
                if self.answers(probe):
                    break
                time.sleep(min(probe["periodSeconds"], 0.2))
            else:
                raise AssertionError(f"{kind}: {self.log}")
        self.ready = True

    def complete(self) -> None:
        """Wait until what it runs has come to its end, and well."""
        assert self._process is not None
        assert self._process.wait(timeout=60) == 0, self.log

    def answers(self, probe: Object) -> bool:
        """What a probe says."""
        if how := probe.get("grpc"):
            return self._healthy(how["port"], how["service"], probe.get("timeoutSeconds", 1))
        how = probe.get("httpGet") or probe["tcpSocket"]
        number = ports_of(self.workload.main)[how["port"]]
        try:
            if "path" not in how:
                socket.create_connection((self.host, number), timeout=1).close()
                return True
            with closing(http.client.HTTPConnection(self.host, number, timeout=1)) as connection:
                connection.request("GET", how["path"])
                return connection.getresponse().status < 400
        except (OSError, http.client.HTTPException):
            return False

    def _healthy(self, port: int, service: str, timeout: float) -> bool:
        with grpc.insecure_channel(f"{self.host}:{port}") as channel, suppress(grpc.RpcError):
            request = health_pb2.HealthCheckRequest(service=service)
            answer = health_pb2_grpc.HealthStub(channel).Check(request, timeout=timeout, wait_for_ready=False)
            return bool(answer.status == health_pb2.HealthCheckResponse.SERVING)
        return False

    def end(self) -> int:
        """End it in the time that it has, and give its exit code. Fails when that was not enough."""
        assert self._process is not None
        seconds = self.workload.pod["terminationGracePeriodSeconds"]
        try:
            if hook := self.workload.main.get("lifecycle", {}).get("preStop"):
                began = time.monotonic()
                self.run(self.workload.main, hook["exec"]["command"]).wait(seconds)
                seconds -= time.monotonic() - began
            self._process.send_signal(signal.SIGTERM)
            return self._process.wait(seconds)
        finally:
            self.kill()

    def kill(self) -> None:
        """End it whatever it is doing."""
        if self._process and self.runs:
            self._process.kill()
            self._process.wait()

    def run(self, container: Object, words: Sequence[str]) -> "subprocess.Popen[bytes]":
        """Begin what a container runs."""
        places = {PAGE_IN_IMAGE: str(self._page()), **self.volumes(container)}
        given = environment(self.workload, container, self.secrets)
        secret = self.secrets.values()  # of this machine already
        known = {name: text if text in secret else self.here(text, places) for name, text in given.items()}
        if peers := given.get("LAIR_PEERS"):
            known["LAIR_PEERS"] = self._addresses(peers.rpartition(":")[2])
        inherited = {name: text for name, text in os.environ.items() if not name.startswith("LAIR_")}
        path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
        return self.launch([self.here(word, places) for word in words], {**inherited, **known, "PATH": path})

    def launch(self, words: Sequence[str], environment: Mapping[str, str]) -> "subprocess.Popen[bytes]":
        """Begin a process whose words go into the log."""
        with (self._folder / "log").open("ab") as log:
            return subprocess.Popen(words, cwd=ROOT, env=environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log)

    def here(self, text: str, more: Mapping[str, str]) -> str:
        """A text of the manifest with what is another here: every address of the pod, the name service, and more."""
        host, port = self._names.address
        places = dict.fromkeys(("[::]", "0.0.0.0", "127.0.0.1"), self.host) | {
            "dns:///": f"dns://{host}:{port}/",
            **more,
        }
        pattern = "|".join(re.escape(place) for place in sorted(places, key=len, reverse=True))
        # Not within another address: 10.0.0.0 has 0.0.0.0 in it.
        return re.sub(rf"(?<![\d.])(?:{pattern})", lambda found: places[found[0]], text)

    def _addresses(self, port: str) -> str:
        """Of all pods that there may be: their name is looked up as the machine does it, which knows none."""
        network = self.host.rpartition(".")[0]
        return ",".join(f"{network}.{number}:{port}" for number in range(FIRST, FIRST + MOST_PODS))

    def volumes(self, container: Object) -> Mapping[str, str]:
        """The folder here of each that a container has, by its path there."""
        mounts = {mount["mountPath"]: self._folder / mount["name"] for mount in container.get("volumeMounts", ())}
        for folder in mounts.values():
            folder.mkdir(exist_ok=True)
        return {path: str(folder) for path, folder in mounts.items()}

    def _page(self) -> Path:
        """The page, or where it was not built one with nothing on it."""
        if (PAGE_HERE / "index.html").is_file():
            return PAGE_HERE
        folder = self._folder / "page"
        folder.mkdir(exist_ok=True)
        (folder / "index.html").write_text("<!doctype html><title>Lair</title>", "utf-8")
        return folder


class Cluster:
    """Pods, and the services that lead to them."""

    def __init__(self, overlay: str, folder: Path, names: Names, kind: type[Pod], secrets: Secrets) -> None:
        self.names = names
        self._secrets = secrets
        self._kind = kind
        self._overlay = overlay
        self._folder = folder
        self._network = names.address[0].rpartition(".")[0]
        self._number = FIRST - 1
        self.pods: dict[str, list[Pod]] = {}

    def start(self, *workloads: str) -> list[Pod]:
        """Start a pod of each of these, all at once, and give them once each is ready and its service leads there."""
        started = []
        for name in workloads:
            pod = self._pod(name)
            pod.start()
            started.append(pod)
            self._lead(name)
        for pod in started:
            pod.wait()
            self._lead(pod.workload.name)
        return started

    def complete(self, name: str) -> None:
        """Run a job to its end."""
        pod = self._pod(name)
        pod.start()
        pod.complete()

    def end(self, pod: Pod) -> int:
        """Take a pod out of its service, and end it. Gives its exit code."""
        name = pod.workload.name
        self.pods[name].remove(pod)
        self._lead(name)
        return pod.end()

    def kill(self) -> None:
        """End whatever is left."""
        for pods in self.pods.values():
            for pod in pods:
                pod.kill()

    def target(self, service: str, port: int) -> str:
        """Where a gRPC client finds a service."""
        host, number = self.names.address
        return f"dns://{host}:{number}/{service}:{port}"

    def _pod(self, name: str) -> Pod:
        self._number += 1
        place = self._folder / f"{name}-{self._number}"
        pod = self._kind(workload(self._overlay, name), f"{self._network}.{self._number}", self.names, place)
        pod.secrets = self._secrets
        self.pods.setdefault(name, []).append(pod)
        return pod

    def _lead(self, name: str) -> None:
        """Let every service that selects these pods lead to those that are ready, or that it takes as they are."""
        labels = workload(self._overlay, name).labels
        for service in of_kind(self._overlay, "Service"):
            if selects(service["spec"]["selector"], labels):
                every = service["spec"].get("publishNotReadyAddresses", False)
                hosts = tuple(pod.host for pod in self.pods[name] if every or pod.ready)
                self.names.set(service["metadata"]["name"], hosts)


@contextmanager
def cluster(overlay: str, folder: Path, kind: type[Pod] = Pod, secrets: Secrets = EXAMPLES) -> Iterator[Cluster]:
    """A cluster without pods, which will be of a kind. Those that are left at the end are killed."""
    number = os.getpid()
    with ExitStack() as stack:
        names = stack.enter_context(Names(f"127.{64 + number // 254 % 64}.{number % 254 + 1}.1"))
        made = Cluster(overlay, folder, names, kind, secrets)
        stack.callback(made.kill)
        yield made
