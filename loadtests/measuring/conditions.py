"""What a measurement was made on, and its figures for machines."""

import json
import os
import platform
import sqlite3
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from statistics import quantiles
from typing import Any

from loadtests.measuring import postgresql
from loadtests.measuring.rounds import Sample


def conditions(load: float) -> dict[str, Any]:
    """When and on what it was measured."""
    return {
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "machine": {
            "system": platform.platform(),
            "processor": _processor(),
            "cores": os.cpu_count(),
            "load": load,
        },
        "versions": {
            "python": platform.python_version(),
            "sqlite": sqlite3.sqlite_version,
            **({"postgresql": postgresql.version()} if postgresql.is_installed() else {}),
            **{name: version(name) for name in ("grpcio", "protobuf", "uvloop", "psycopg")},
        },
    }


def _processor() -> str:
    """The model's name, where the system tells it."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor()
    return next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), platform.machine())


def write_json(path: Path, whole: Mapping[str, Any]) -> None:
    """The figures for machines."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(whole, indent=2, ensure_ascii=False) + "\n")


def percentile(samples: Iterable[Sample], percent: int) -> float:
    """One percentile of the latencies of some rounds together, in seconds."""
    latencies = [latency for sample in samples for latency in sample.latencies]
    if len(latencies) == 1:
        return latencies[0]  # as `quantiles` says it from Python 3.13 on
    return quantiles(latencies, n=100, method="inclusive")[percent - 1]
