"""What no schema says: that the objects of an overlay find each other, and that every pod is a restricted one."""

from collections import Counter
from typing import Any

import pytest

from tests.support.manifests import (
    COMPONENT,
    NAME,
    OVERLAYS,
    Object,
    Workload,
    of_kind,
    ports_of,
    probes_of,
    render,
    selects,
    texts,
    workload,
    workloads,
)

PATHS_TO_WRITE = {
    "session": {"/tmp"},
    "migration": {"/tmp"},
    "rules": {"/tmp"},
    "edge": {"/tmp", "/configuration"},
    "loadtest": {"/tmp"},
    "loadtest-worker": {"/tmp"},
}
STATELESS = ("rules", "edge")
CALLERS = ("loadtest", "loadtest-worker", "migration")
"""They serve nobody, so nobody probes them."""
HEADLESS = "-headless"
"""How the second service of a workload ends: the one that leads to each pod by itself."""


def names_of(overlay: str, kind: str) -> set[str]:
    return {each["metadata"]["name"] for each in of_kind(overlay, kind)}


def component(each: Workload) -> str:
    return each.labels[COMPONENT]


def test_every_object_has_a_name_of_its_own_in_the_one_namespace(overlay: str) -> None:
    objects = render(overlay)
    (namespace,) = names_of(overlay, "Namespace")
    assert {each["metadata"].get("namespace", namespace) for each in objects} == {namespace}
    assert all("namespace" in each["metadata"] for each in objects if each["kind"] != "Namespace")
    named = Counter((each["kind"], each["metadata"]["name"]) for each in objects)
    assert [name for name, number in named.items() if number > 1] == []


def test_the_namespace_takes_restricted_pods_alone(overlay: str) -> None:
    (namespace,) = of_kind(overlay, "Namespace")
    assert namespace["metadata"]["labels"]["pod-security.kubernetes.io/enforce"] == "restricted"


def test_a_workload_selects_its_own_pods_and_no_others(overlay: str) -> None:
    for each in workloads(overlay):
        assert each.labels[NAME] == "lair"
        if each.object["kind"] != "Job":  # that gets a selector of its own
            selector = each.object["spec"]["selector"]
            assert [other.name for other in workloads(overlay) if selects(selector, other.labels)] == [each.name]


def test_a_service_leads_to_the_port_of_one_workload(overlay: str) -> None:
    services = of_kind(overlay, "Service")
    assert services
    for service in services:
        (behind,) = (each for each in workloads(overlay) if selects(service["spec"]["selector"], each.labels))
        assert behind.name == service["metadata"]["name"].removesuffix(HEADLESS)
        for port in service["spec"]["ports"]:
            number = ports_of(behind.main)[port["targetPort"]]
            assert port["port"] == number, "whoever calls a headless service calls the container's port"
            assert port["name"] == port["targetPort"]


def test_a_stateful_set_has_its_service(overlay: str) -> None:
    for each in of_kind(overlay, "StatefulSet"):
        assert each["spec"]["serviceName"] in names_of(overlay, "Service")


def test_service_accounts_are_there_and_may_nothing(overlay: str) -> None:
    used = {each.pod["serviceAccountName"] for each in workloads(overlay)}
    assert used == names_of(overlay, "ServiceAccount")
    for each in of_kind(overlay, "ServiceAccount"):
        assert each["automountServiceAccountToken"] is False
    assert of_kind(overlay, "Role", "RoleBinding", "ClusterRole", "ClusterRoleBinding") == []


def test_every_mounted_volume_is_there_and_every_volume_is_mounted(overlay: str) -> None:
    for each in workloads(overlay):
        volumes = {volume["name"] for volume in each.pod.get("volumes", ())}
        volumes |= {claim["metadata"]["name"] for claim in each.object["spec"].get("volumeClaimTemplates", ())}
        mounted = {mount["name"] for container in each.containers for mount in container.get("volumeMounts", ())}
        assert mounted == volumes, each.name


def test_every_pod_is_a_restricted_one(overlay: str) -> None:
    """The profile of Kubernetes, and some more: a root that is read, numbers for users, no token, a bound on files."""
    assert workloads(overlay)
    for each in workloads(overlay):
        assert each.pod["automountServiceAccountToken"] is False
        assert each.pod["enableServiceLinks"] is False, "a service's name would become settings"
        security = each.pod["securityContext"]
        assert security["runAsNonRoot"] is True
        assert security["runAsUser"] == security["runAsGroup"] == 10001
        assert security["seccompProfile"] == {"type": "RuntimeDefault"}
        assert not {"hostNetwork", "hostPID", "hostIPC"} & set(each.pod)
        for volume in each.pod.get("volumes", ()):
            assert set(volume) == {"name", "emptyDir"}
            assert volume["emptyDir"]["sizeLimit"]
        for container in each.containers:
            restrictions = container["securityContext"]
            assert restrictions["allowPrivilegeEscalation"] is False
            assert restrictions["readOnlyRootFilesystem"] is True
            assert restrictions["capabilities"] == {"drop": ["ALL"]}
            assert not {"privileged", "runAsUser", "runAsNonRoot", "seccompProfile"} & set(restrictions)
            assert not any("hostPort" in port for port in container.get("ports", ()))


def test_what_is_written_is_on_volumes(overlay: str) -> None:
    for each in workloads(overlay):
        writable = {
            mount["mountPath"]
            for container in each.containers
            for mount in container.get("volumeMounts", ())
            if not mount.get("readOnly")
        }
        claims = each.object["spec"].get("volumeClaimTemplates", ())
        assert writable == PATHS_TO_WRITE[component(each)] | {f"/{claim['metadata']['name']}" for claim in claims}


def test_memory_is_bounded_and_the_processor_is_not(overlay: str) -> None:
    for each in workloads(overlay):
        for container in each.containers:
            resources = container["resources"]
            assert set(resources["limits"]) == {"memory"}, "throttling would freeze the event loop"
            assert resources["requests"]["memory"] == resources["limits"]["memory"]
            assert resources["requests"]["cpu"]


def test_every_server_is_probed_at_a_port_that_it_has(overlay: str) -> None:
    for each in workloads(overlay):
        if component(each) in CALLERS:
            continue
        probes = probes_of(each.main)
        assert set(probes) == {"startupProbe", "livenessProbe", "readinessProbe"}
        for probe in probes.values():
            assert _port_of(probe) in {*ports_of(each.main), *ports_of(each.main).values()}
        liveness = probes["livenessProbe"]
        assert liveness["periodSeconds"] * liveness["failureThreshold"] >= 30, "a busy event loop is no dead one"


def _port_of(probe: Object) -> Any:
    (how,) = set(probe) & {"grpc", "httpGet", "tcpSocket"}
    return probe[how]["port"]


def test_ports_are_named_once(overlay: str) -> None:
    for each in workloads(overlay):
        ports = [port for container in each.containers for port in container.get("ports", ())]
        for key in ("name", "containerPort"):
            assert len({port[key] for port in ports}) == len(ports)


@pytest.mark.parametrize("overlay", sorted({*OVERLAYS} - {"replicated"}))
def test_sessions_in_sqlite_have_one_server(overlay: str) -> None:
    """Its file is one process's. A stateful set starts no pod before the last one has gone."""
    each = workload(overlay, "session")
    assert each.object["kind"] == "StatefulSet"
    assert each.object["spec"]["replicas"] == 1
    assert "session" not in _scaled(overlay) | _budgeted(overlay)
    assert each.object["spec"]["persistentVolumeClaimRetentionPolicy"] == {
        "whenDeleted": "Retain",
        "whenScaled": "Retain",
    }
    assert each.pod["securityContext"]["fsGroup"] == each.pod["securityContext"]["runAsGroup"]


def test_sessions_in_postgresql_have_three_of_which_any_may_go() -> None:
    each = workload("replicated", "session")
    assert each.object["spec"]["replicas"] == 3
    assert each.object["spec"]["strategy"]["rollingUpdate"] == {"maxUnavailable": 0, "maxSurge": 1}
    assert of_kind("replicated", "StatefulSet") == []
    assert "session" in _budgeted("replicated") - _scaled("replicated")
    topologies = {constraint["topologyKey"] for constraint in each.pod["topologySpreadConstraints"]}
    assert topologies == {"kubernetes.io/hostname", "topology.kubernetes.io/zone"}


def test_a_name_leads_to_each_of_them_also_while_it_starts_or_drains() -> None:
    (service,) = (each for each in of_kind("replicated", "Service") if each["metadata"]["name"].endswith(HEADLESS))
    assert service["spec"]["clusterIP"] == "None"
    assert service["spec"]["publishNotReadyAddresses"] is True


def test_the_tables_are_made_by_a_job_that_comes_to_an_end() -> None:
    (job,) = of_kind("replicated", "Job")
    assert job["spec"]["backoffLimit"] > 0
    assert job["spec"]["activeDeadlineSeconds"] > 0
    assert job["spec"]["ttlSecondsAfterFinished"] > 0
    assert database_of("session") == database_of("migration") != []


def database_of(name: str) -> list[Object]:
    """How a workload finds its database."""
    return [each for each in workload("replicated", name).main["env"] if each["name"] == "LAIR_DATABASE"]


def _scaled(overlay: str) -> set[str]:
    return {each["spec"]["scaleTargetRef"]["name"] for each in of_kind(overlay, "HorizontalPodAutoscaler")}


def _budgeted(overlay: str) -> set[str]:
    return {
        each.name
        for each in workloads(overlay)
        for budget in of_kind(overlay, "PodDisruptionBudget")
        if selects(budget["spec"]["selector"], each.labels)
    }


def test_autoscalers_have_a_target_whose_replicas_they_own(overlay: str) -> None:
    for each in of_kind(overlay, "HorizontalPodAutoscaler"):
        target = workload(overlay, each["spec"]["scaleTargetRef"]["name"])
        assert target.object["kind"] == each["spec"]["scaleTargetRef"]["kind"]
        assert target.object["apiVersion"] == each["spec"]["scaleTargetRef"]["apiVersion"]
        assert "replicas" not in target.object["spec"], "each rollout would undo what the autoscaler did"
        assert 2 <= each["spec"]["minReplicas"] < each["spec"]["maxReplicas"]


def test_budgets_have_pods_and_let_nodes_be_drained(overlay: str) -> None:
    for budget in of_kind(overlay, "PodDisruptionBudget"):
        (each,) = (each for each in workloads(overlay) if selects(budget["spec"]["selector"], each.labels))
        assert each.name == budget["metadata"]["name"]
        assert budget["spec"]["maxUnavailable"] == 1
        assert budget["spec"]["unhealthyPodEvictionPolicy"] == "AlwaysAllow"


@pytest.mark.parametrize("name", ["standard", "replicated"])
def test_what_keeps_nothing_is_scaled_spread_and_protected(name: str) -> None:
    stateless = {each.name for each in workloads(name) if component(each) in STATELESS}
    assert _scaled(name) == _budgeted(name) - {"session"} == stateless
    for each in (workload(name, chosen) for chosen in stateless):
        assert each.object["spec"]["strategy"]["rollingUpdate"] == {"maxUnavailable": 0, "maxSurge": 1}
        for constraint in each.pod["topologySpreadConstraints"]:
            assert selects(constraint["labelSelector"], each.labels)
            others = [other for other in workloads(name) if selects(constraint["labelSelector"], other.labels)]
            assert [other.name for other in others] == [each.name]


def test_as_many_workers_are_there_as_the_load_test_waits_for() -> None:
    job, workers = workload("loadtest", "loadtest"), workload("loadtest", "loadtest-worker")
    assert f"--expect-workers={workers.object['spec']['replicas']}" in job.main["args"]
    assert f"--master-host={job.name}" in workers.main["args"]
    (edge,) = (each for each in of_kind("loadtest", "Service") if each["metadata"]["name"] == "edge")
    assert f"--host=edge:{edge['spec']['ports'][0]['port']}" in job.main["args"]


def test_no_secret_has_a_value(overlay: str) -> None:
    assert of_kind(overlay, "Secret") == []
    for each in render(overlay):
        said = [text for text in texts(each) if "secret" in text.lower() or "password" in text.lower()]
        assert set(said) <= {"secretKeyRef"}, "where a value is, and never the value"
