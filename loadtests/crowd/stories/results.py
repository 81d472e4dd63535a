"""What Locust has counted, as JSON: of all its processes together, by the one that runs or leads."""

import json
from pathlib import Path
from typing import Any

from locust.env import Environment
from locust.runners import WorkerRunner


def write(environment: Environment, path: Path) -> None:
    """Write entries, failures, and exceptions: those are defects of the load test's own. A worker writes nothing."""
    if environment.runner is None or isinstance(environment.runner, WorkerRunner):
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    total = environment.stats.total
    whole: dict[str, Any] = {
        "seconds": (total.last_request_timestamp or total.start_time) - total.start_time,
        "entries": [entry.serialize() for entry in environment.stats.entries.values() if entry.num_requests],
        "failures": [failure.serialize() for failure in environment.runner.errors.values()],
        "exceptions": [
            {"count": each["count"], "message": each["msg"]} for each in environment.runner.exceptions.values()
        ],
        "ramp": getattr(environment.shape_class, "steps", []),
    }
    path.write_text(json.dumps(whole))
