"""What a hunt found, for people and for machines."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from loadtests.measuring.markers import measured_on, table, write_parts
from loadtests.price.course import Course
from loadtests.price.hunt import Priced

MOST_SHOWN = 400
"""Bytes of a request that are told."""
ROWS = 12


def whole_of(course: Course, seed: int) -> dict[str, Any]:
    """All of it, ready for JSON."""
    findings = course.findings
    return {
        "seed": seed,
        "inputs": findings.inputs,
        "seconds": course.seconds,
        "memory": course.memory,
        "alive": course.alive,
        "codes": dict(findings.codes.most_common()),
        "bad": [{"method": each.request.target.name, **_told(each)} for each in findings.bad],
        "dearest": [{"method": name, **_told(priced)} for name, priced in findings.worst()],
    }


def _told(priced: Priced) -> dict[str, Any]:
    request = priced.request
    return {
        "milliseconds": round(priced.milliseconds, 3),
        "code": priced.code,
        "bytes": request.size,
        "path": request.path,
        "messages": [message[:MOST_SHOWN].hex() for message in request.messages],
    }


def show(whole: Mapping[str, Any]) -> None:
    """Print a table."""
    shown = Table("method", "ms", "bytes", "ends with")
    for row in whole["dearest"][:ROWS]:
        shown.add_row(row["method"], f"{row['milliseconds']:.2f}", f"{row['bytes']:,}", row["code"])
    Console().print(shown)
    print(sentence(whole))


def sentence(whole: Mapping[str, Any]) -> str:
    """What was sent, and what came of it."""
    codes = ", ".join(f"{number:,} {code}" for code, number in whole["codes"].items())
    return (
        f"{whole['inputs']:,} inputs in {whole['seconds']:.0f} s (seed {whole['seed']}): {codes}. "
        f"{len(whole['bad'])} ended as none may. At most {whole['memory'] / 1e6:.0f} MB in memory."
    )


def write_page(page: Path, whole: Mapping[str, Any]) -> None:
    """Write the table of the docs."""
    rows = [
        [row["method"], f"{row['milliseconds']:.1f}", f"{row['bytes']:,}", row["code"]]
        for row in whole["dearest"][:ROWS]
    ]
    text = table(["method", "ms of the server's processors", "bytes", "ends with"], rows)
    write_parts(page, {"price conditions": f"{measured_on(whole)}\n{sentence(whole)}", "price": text})
