"""The lines for curl in the documents, typed as they stand: only the session and the tokens are real ones."""

import json
import os
import re
import subprocess
from pathlib import Path

import pytest

from tests.support.edge import Web, needs_envoy

pytestmark = needs_envoy
ROOT = Path(__file__).parents[2]
PAGES = ("README.md", "docs/http.md")
ID, ADDRESS = "7f3k", "localhost:8080"
LINES = re.compile(r"^\$ (curl .+)$", re.MULTILINE)
CUT_OFF = 28
"""What curl ends with when it may take no more time: streams go on."""
SEATS = [{"name": "Ann"}, {"name": "Ben"}]


@pytest.mark.parametrize("page", PAGES)
def test_every_line_for_curl_is_answered(page: str, web: Web, tmp_path: Path) -> None:
    lines = LINES.findall((ROOT / page).read_text("utf-8"))
    assert len(lines) >= 3
    options = {"@type": "type.googleapis.com/monsters.cabbages.v1.Options", "firstSeat": 0}
    body = {"game": "cabbages", "seats": SEATS, "allTokens": True, "options": options}
    made = web.ask("POST", "/v1/sessions", body).json
    ann, ben = made["seatTokens"]
    name = made["session"]["name"].removeprefix("sessions/")
    for line in lines:
        command = line.replace(ID, name).replace(ADDRESS, web.address)
        done = subprocess.run(
            ["bash", "-c", f"{command} --max-time 3 --no-progress-meter"],
            capture_output=True,
            text=True,
            cwd=tmp_path,
            env=os.environ | {"ANN": ann, "BEN": ben, "no_proxy": "*"},
            timeout=60,
            check=False,
        )
        if "curl -N" in line:
            assert done.returncode == CUT_OFF, done.stderr
            first = json.loads(done.stdout.splitlines()[0].removeprefix("data: "))
            assert first["session"]["name"] == f"sessions/{name}"
        else:
            assert done.returncode == 0, done.stderr
            saved = tmp_path / line.partition(" -o ")[2]
            answer = saved.read_text("utf-8") if saved.is_file() else done.stdout
            assert "code" not in json.loads(answer), answer
