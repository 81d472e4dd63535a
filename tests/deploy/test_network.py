"""Who may talk to whom: what is needed, and nothing else."""

from collections.abc import Iterator, Sequence
from typing import Any

from tests.support.manifests import COMPONENT, Object, Workload, of_kind, ports_of, selects, workloads

ANYBODY = "anybody"
NAMES = "names"
"""The cluster's name service."""
NEEDED = {
    (ANYBODY, "edge", "http"),
    ("edge", "session", "grpc"),
    ("edge", "rules", "grpc"),
    ("session", "rules", "grpc"),
}


def policies_of(overlay: str, each: Workload, direction: str) -> list[Object]:
    return [
        policy["spec"]
        for policy in of_kind(overlay, "NetworkPolicy")
        if selects(policy["spec"]["podSelector"], each.labels) and direction in policy["spec"]["policyTypes"]
    ]


def allowed(peers: Sequence[Object] | None, workload: Workload | None) -> bool:
    """Whether peers, none of which means everybody, have this workload among them, or with None somebody outside."""
    if peers is None:
        return True
    inside = [peer["podSelector"] for peer in peers if set(peer) == {"podSelector"}]
    return workload is not None and any(selects(selector, workload.labels) for selector in inside)


def incoming(overlay: str, source: Workload | None, target: Workload) -> Iterator[Any]:
    for policy in policies_of(overlay, target, "Ingress"):
        for rule in policy.get("ingress", ()):
            if allowed(rule.get("from"), source):
                yield from (port["port"] for port in rule["ports"])


def outgoing(overlay: str, source: Workload, target: Workload) -> Iterator[Any]:
    """To others of the overlay. What leads anywhere leads to a port that none of them has."""
    for policy in policies_of(overlay, source, "Egress"):
        for rule in policy.get("egress", ()):
            if "to" in rule and allowed(rule["to"], target):
                yield from (port["port"] for port in rule["ports"])


def ways(overlay: str) -> set[tuple[str, str, str]]:
    """Every way that both ends allow, by components."""
    found = set()
    for target in workloads(overlay):
        for port in incoming(overlay, None, target):
            found.add((ANYBODY, target.labels[COMPONENT], port))
        for source in workloads(overlay):
            for port in set(incoming(overlay, source, target)) & set(outgoing(overlay, source, target)):
                found.add((source.labels[COMPONENT], target.labels[COMPONENT], port))
    return found


def from_inside(found: set[tuple[str, str, str]]) -> set[tuple[str, str, str]]:
    """Without what is there because anybody may."""
    return {way for way in found if way[0] == ANYBODY or (ANYBODY, *way[1:]) not in found}


def test_in_the_standard_shape_what_is_needed_is_allowed_and_nothing_else() -> None:
    assert from_inside(ways("standard")) == NEEDED


def test_replicas_talk_to_each_other() -> None:
    assert from_inside(ways("replicated")) == NEEDED | {("session", "session", "grpc")}


def test_only_what_needs_the_database_reaches_it(overlay: str) -> None:
    """It is outside, and nothing else is reached there."""
    found = [
        (each.labels[COMPONENT], rule["ports"])
        for each in workloads(overlay)
        for policy in policies_of(overlay, each, "Egress")
        for rule in policy.get("egress", ())
        if "to" not in rule
    ]
    port = [{"protocol": "TCP", "port": 5432}]
    assert sorted(found) == ([("migration", port), ("session", port)] if overlay == "replicated" else [])
    assert 5432 not in {number for each in workloads(overlay) for number in ports_of(each.main).values()}


def test_all_in_one_needs_less() -> None:
    assert from_inside(ways("dev")) == {way for way in NEEDED if "rules" not in way}


def test_a_load_test_comes_in_as_everybody_does() -> None:
    found = ways("loadtest")
    assert from_inside(found) == NEEDED | {("loadtest-worker", "loadtest", "locust")}
    assert {way for way in found if way[0].startswith("loadtest")} == {
        ("loadtest-worker", "loadtest", "locust"),
        ("loadtest-worker", "edge", "http"),
    }


def test_whatever_is_allowed_is_a_port_that_is_there(overlay: str) -> None:
    for target in workloads(overlay):
        assert set(incoming(overlay, None, target)) <= set(ports_of(target.main))
        for source in workloads(overlay):
            assert set(outgoing(overlay, source, target)) <= set(ports_of(target.main))


def test_both_ends_of_a_way_say_the_same(overlay: str) -> None:
    """Whoever lets somebody in who may not come, or may go where nobody lets him in, says too much."""
    for target in workloads(overlay):
        everybodys = set(incoming(overlay, None, target))
        for source in workloads(overlay):
            in_, out = set(incoming(overlay, source, target)), set(outgoing(overlay, source, target))
            assert in_ - everybodys == out - everybodys, (source.name, target.name)


def test_every_pod_is_cut_off_but_for_that(overlay: str) -> None:
    nothing = [
        policy["spec"] for policy in of_kind(overlay, "NetworkPolicy") if policy["metadata"]["name"] == "nothing"
    ]
    assert nothing == [{"podSelector": {}, "policyTypes": ["Ingress", "Egress"]}]


def test_only_those_who_call_by_name_look_names_up(overlay: str) -> None:
    found = set()
    for each in workloads(overlay):
        for policy in policies_of(overlay, each, "Egress"):
            for rule in policy.get("egress", ()):
                if any("namespaceSelector" in peer for peer in rule.get("to", ())):
                    found.add((each.labels[COMPONENT], NAMES))
                    assert {port["port"] for port in rule["ports"]} == {53}
    callers = {each.labels[COMPONENT] for each in workloads(overlay)} - {"rules", "loadtest"}
    assert found == {(caller, NAMES) for caller in callers}
