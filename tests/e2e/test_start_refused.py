"""What can't be started says why in one sentence, which names the setting and what to do, and ends with code 1."""

import os
import re
import shutil
import socket
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from services.edge.process import find_envoy
from tests.support.old_databases import SCHEMAS, build
from tests.support.processes import ROOT, environment
from tests.support.starts import NO_NETWORK, NOBODY, Ended, Start, start_all

FREE = "127.0.0.1:0"
NOT_OURS = "192.0.2.1:50051"
"""An address for documents (RFC 5737): no machine has it."""
ROOT_USER = os.geteuid() == 0


class Places:
    """Names in a folder that anybody may enter, of files with which no server can begin."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.free = folder / "lair.db"
        self.later = folder / "later.db"
        build(self.later, list(SCHEMAS)[-1])
        with closing(sqlite3.connect(self.later)) as database, database:
            database.execute("UPDATE alembic_version SET version_num = '9999'")
        self.foreign = folder / "foreign.db"
        with closing(sqlite3.connect(self.foreign)) as database, database:
            database.execute("CREATE TABLE places (url TEXT)")
        self.letter = folder / "letter.txt"
        self.letter.write_text("Dear Ann, " * 1000)
        self.damaged = folder / "damaged.db"
        shutil.copy(self.later, self.damaged)
        with self.damaged.open("r+b") as file:
            file.seek(100)
            file.write(b"\xff" * 3000)
        (folder / "round.db").symlink_to(folder / "about.db")
        (folder / "about.db").symlink_to(folder / "round.db")
        self.round = folder / "round.db"
        self.pipe = folder / "pipe"
        os.mkfifo(self.pipe)
        self.shut = folder / "shut"
        self.shut.mkdir()
        self.read_only = folder / "read_only.db"
        self.read_only.touch()
        self.read_only.chmod(0o444)
        self.shut.chmod(0o555)
        folder.chmod(0o755)


@pytest.fixture(scope="module")
def places() -> Iterator[Places]:
    with tempfile.TemporaryDirectory(prefix="lair-") as folder:
        yield Places(Path(folder))


@pytest.fixture(scope="module")
def taken() -> Iterator[str]:
    """An address at which somebody listens."""
    with socket.create_server(("127.0.0.1", 0)) as other:
        yield f"127.0.0.1:{other.getsockname()[1]}"


@pytest.fixture(scope="module")
def ended(places: Places, taken: str) -> dict[str, Ended]:
    """How each start has ended, all of them in one process."""
    starts: dict[str, Start] = {}
    for name, (settings, _) in CASES.items():
        given = {"LAIR_ADDRESS": FREE, "LAIR_DATABASE": str(places.free), **filled(settings, places, taken)}
        starts[name] = Start(given, user=NOBODY if name in AS_NOBODY and ROOT_USER else None, network=name not in APART)
    for name, (module, arguments, settings, _) in COMMANDS.items():
        given = {"LAIR_ADDRESS": FREE, "LAIR_DATABASE": str(places.free), **filled(settings, places, taken)}
        starts[name] = Start(given, arguments, module)
    return dict(zip(starts, start_all(list(starts.values())), strict=True))


def filled(settings: dict[str, str], places: Places, taken: str) -> dict[str, str]:
    return {name: text.format(taken=taken, **vars(places)) for name, text in settings.items()}


def wrong(setting: str, text: str) -> str:
    return f"a setting is wrong: {setting}: {text}"


DATABASE = "can't keep sessions in {%s}: %s; %s"
WRITE = "let this user write the file and its folder, or set LAIR_DATABASE to another file"
FOLDER = "set LAIR_DATABASE to a file, in a folder that can be written"
OTHER = "set LAIR_DATABASE to another file"
MALFORMED = "{!r} is no HOST:PORT such as 127.0.0.1:50051; a port is at most 65535"
OURS = "127.0.0.1 is this machine alone, 0.0.0.0 all its addresses"
ELSEWHERE = "where something else listens: stop that, or set {0} to another port (0 takes a free one)"
APART_FROM = "set one of them to another port"

CASES: dict[str, tuple[dict[str, str], str]] = {
    # ---- addresses
    **{
        f"{setting} taken": ({setting: "{taken}"}, f"{setting} is {{taken}}, {ELSEWHERE.format(setting)}")
        for setting in ("LAIR_ADDRESS", "LAIR_HEALTH_ADDRESS", "LAIR_EDGE")
    },
    **{
        f"{setting} of another machine": (
            {setting: NOT_OURS},
            f"{setting} is {NOT_OURS}, which is no address of this machine: {OURS}",
        )
        for setting in ("LAIR_ADDRESS", "LAIR_HEALTH_ADDRESS", "LAIR_EDGE")
    },
    **{
        f"{setting} privileged": (
            {setting: "0.0.0.0:80", "LAIR_DATABASE": "memory:"},
            f"{setting} is 0.0.0.0:80, and this user may not take a port below 1024: set {setting} to a higher one",
        )
        for setting in ("LAIR_ADDRESS", "LAIR_EDGE")
    },
    **{
        f"LAIR_ADDRESS={text}": ({"LAIR_ADDRESS": text}, wrong("LAIR_ADDRESS", MALFORMED.format(text)))
        for text in ("nowhere", "", ":50051", "127.0.0.1", "127.0.0.1:", "127.0.0.1:99999", "::1:50051", "http://x:80")
    },
    "LAIR_EDGE=nowhere": ({"LAIR_EDGE": "nowhere"}, wrong("LAIR_EDGE", MALFORMED.format("nowhere"))),
    "LAIR_EDGE by name": (
        {"LAIR_EDGE": "table.example:80"},
        wrong("LAIR_EDGE", "Envoy listens on IP addresses, such as 127.0.0.1, and 'table.example' is none"),
    ),
    "LAIR_HEALTH_ADDRESS=on": ({"LAIR_HEALTH_ADDRESS": "on"}, wrong("LAIR_HEALTH_ADDRESS", MALFORMED.format("on"))),
    "LAIR_ADDRESS by a name that nobody has": (
        {"LAIR_ADDRESS": "nowhere.invalid:50051"},
        f"LAIR_ADDRESS is nowhere.invalid:50051, and no machine is called nowhere.invalid: {OURS}",
    ),
    "a socket in no folder": (
        {"LAIR_ADDRESS": "unix:{folder}/nowhere/lair"},
        (
            "LAIR_ADDRESS is unix:{folder}/nowhere/lair, where nothing can listen (gRPC does not say why): set"
            " LAIR_ADDRESS to another address"
        ),
    ),
    "LAIR_ADDRESS by what is no name": (
        {"LAIR_ADDRESS": "x" * 70 + ":50051"},
        f"LAIR_ADDRESS is {'x' * 70}:50051, and no machine is called {'x' * 70}: {OURS}",
    ),
    "one address for two": (
        {"LAIR_ADDRESS": "127.0.0.1:50051", "LAIR_HEALTH_ADDRESS": "127.0.0.1:50051"},
        f"a setting is wrong: LAIR_ADDRESS and LAIR_HEALTH_ADDRESS are both 127.0.0.1:50051: {APART_FROM}",
    ),
    # ---- the database
    "a later version's": (
        {"LAIR_DATABASE": "{later}"},
        DATABASE
        % (
            "later",
            "a later version of Lair has written it",
            f"start that version again, restore the backup from before the upgrade (docs/operations.md), or {OTHER}",
        ),
    ),
    "something else's": (
        {"LAIR_DATABASE": "{foreign}"},
        DATABASE % ("foreign", "it is the database of something else", OTHER),
    ),
    "no database": ({"LAIR_DATABASE": "{letter}"}, DATABASE % ("letter", "file is not a database", OTHER)),
    "a damaged one": (
        {"LAIR_DATABASE": "{damaged}"},
        DATABASE
        % ("damaged", "database disk image is malformed", f"restore a backup (docs/operations.md), or {OTHER}"),
    ),
    "a folder": ({"LAIR_DATABASE": "{folder}"}, DATABASE % ("folder", "it is a folder", FOLDER)),
    "empty": ({"LAIR_DATABASE": ""}, f"can't keep sessions in .: it is a folder; {FOLDER}"),
    "a pipe": ({"LAIR_DATABASE": "{pipe}"}, DATABASE % ("pipe", "it is no file", FOLDER)),
    "below a file": (
        {"LAIR_DATABASE": "{letter}/lair.db"},
        f"can't keep sessions in {{letter}}/lair.db: what should be its folder is a file; {FOLDER}",
    ),
    "links that lead round": (
        {"LAIR_DATABASE": "{round}"},
        DATABASE % ("round", "Too many levels of symbolic links", FOLDER),
    ),
    "too long a name": (
        {"LAIR_DATABASE": "{folder}/" + "x" * 300},
        "can't keep sessions in {folder}/" + "x" * 300 + f": File name too long; {FOLDER}",
    ),
    "a folder that can't be written": (
        {"LAIR_DATABASE": "{shut}/lair.db"},
        f"can't keep sessions in {{shut}}/lair.db: Permission denied; {WRITE}",
    ),
    "a folder that can't be made": (
        {"LAIR_DATABASE": "{shut}/new/lair.db"},
        f"can't keep sessions in {{shut}}/new/lair.db: Permission denied; {WRITE}",
    ),
    "a file that is only read": (
        {"LAIR_DATABASE": "{read_only}"},
        DATABASE % ("read_only", "Permission denied", WRITE),
    ),
    # ---- settings
    "mistyped": (
        {"LAIR_DATABSE": "x"},
        wrong("LAIR_DATABSE", "there is no such setting; LAIR_DATABASE is meant, or unset it"),
    ),
    "no site": (
        {"LAIR_SITE": "{folder}/nowhere"},
        wrong(
            "LAIR_SITE", "there is no index.html in '{folder}/nowhere': set it to a folder that has one, or to \"off\""
        ),
    ),
    "a wrong value": (
        {"LAIR_LOG_LEVEL": "loud"},
        wrong("LAIR_LOG_LEVEL", "Input should be 'debug', 'info', 'warning' or 'error'"),
    ),
    "no time at all": ({"LAIR_IDLE": "inf"}, wrong("LAIR_IDLE", "Input should be a finite number")),
}
"""What is set, and what is said: of the files and addresses above."""
AS_NOBODY = {name for name in CASES if "can't be" in name or "only read" in name or "privileged" in name}
"""Root may do all of this."""
APART = {name for name in CASES if "privileged" in name}
"""Here everybody may take every port, perhaps."""
COMMANDS: dict[str, tuple[str, tuple[str, ...], dict[str, str], str]] = {
    "rules alone": (
        "services.rules.__main__",
        ("--address", NOT_OURS),
        {},
        f"LAIR_ADDRESS is {NOT_OURS}, which is no address of this machine: {OURS}",
    ),
    "a backup": (
        "services.backup",
        ("copy.db",),
        {"LAIR_DRAIN": "soon"},
        "no backup: " + wrong("LAIR_DRAIN", "Input should be a valid number, unable to parse string as a number"),
    ),
}


@pytest.mark.parametrize("name", [*CASES, *COMMANDS])
def test_what_can_not_be_started_says_why_in_a_sentence(
    ended: dict[str, Ended], places: Places, taken: str, name: str
) -> None:
    if "LAIR_EDGE" in name and find_envoy() is None:
        pytest.skip("Envoy has no wheel for this machine")
    end = ended[name]
    if end.code == NO_NETWORK:
        pytest.skip("here nobody has a network of their own")
    expected = CASES[name][1] if name in CASES else COMMANDS[name][3]
    assert end.said == expected.format(taken=taken, **vars(places)) + "\n"
    assert (end.code, end.out) == (1, "")
    assert re.search(r"LAIR_[A-Z]+", end.said)


def test_a_file_that_is_not_ours_is_left_alone(ended: dict[str, Ended], places: Places) -> None:
    assert ended["no database"].code == 1
    assert places.letter.read_text() == "Dear Ann, " * 1000
    with closing(sqlite3.connect(places.foreign)) as database:
        assert database.execute("SELECT name FROM sqlite_schema").fetchall() == [("places",)]
        assert database.execute("PRAGMA journal_mode").fetchone() == ("delete",)


def test_a_sentence_that_nobody_reads_keeps_no_server_from_ending() -> None:
    """Standard error is a pipe that is full."""
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    try:
        while True:
            os.write(writing, b"." * 4096)
    except BlockingIOError:
        os.set_blocking(writing, True)
    command = [sys.executable, "-m", "services", "--address", "nowhere"]
    assert subprocess.run(command, cwd=ROOT, env=environment(), stderr=writing, check=False, timeout=60).returncode == 1
    os.close(reading)
    os.close(writing)
