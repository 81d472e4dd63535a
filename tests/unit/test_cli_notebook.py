"""The command line's notebook: what it keeps, who can read it, and what it survives."""

import stat
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from lair.cli.failures import Failure
from lair.cli.notebook import Notebook, SeatNote, SessionNote, default_path, full_name

ANN = SeatNote(0, "Ann", "token of Ann")
BEN = SeatNote(1, "Ben", "token of Ben")
NOTE = SessionNote("sessions/7f3k", "127.0.0.1:50051", "cabbages", "ab" * 32, (ANN,), "token of the host", "abcd-efgh")


@pytest.fixture
def notebook(tmp_path: Path) -> Notebook:
    return Notebook(tmp_path / "state" / "notebook.json")


def test_a_new_notebook_is_empty(notebook: Notebook) -> None:
    assert notebook.notes() == ()
    assert notebook.latest() is None
    assert notebook.find("7f3k") is None


def test_a_note_comes_back_as_it_was_written(notebook: Notebook) -> None:
    notebook.write(NOTE)
    assert notebook.find("7f3k") == NOTE
    assert notebook.find("sessions/7f3k") == NOTE


def test_only_its_owner_can_read_it(notebook: Notebook) -> None:
    notebook.write(NOTE)
    notebook.path.chmod(0o644)
    notebook.write(replace(NOTE, seats=(BEN,)))
    assert stat.S_IMODE(notebook.path.stat().st_mode) == 0o600
    assert stat.S_IMODE(notebook.path.parent.stat().st_mode) == 0o700


def test_seats_and_keys_that_were_known_before_are_kept(notebook: Notebook) -> None:
    notebook.write(NOTE)
    notebook.write(SessionNote(NOTE.name, NOTE.server, NOTE.game, NOTE.commitment, (BEN,)))
    assert notebook.find("7f3k") == replace(NOTE, seats=(ANN, BEN))


def test_the_commitment_that_was_seen_first_is_the_one_that_counts(notebook: Notebook) -> None:
    notebook.write(NOTE)
    notebook.write(replace(NOTE, commitment="cd" * 32))
    note = notebook.find("7f3k")
    assert note is not None
    assert note.commitment == NOTE.commitment


def test_the_session_that_was_written_last_is_the_latest(notebook: Notebook) -> None:
    other = replace(NOTE, name="sessions/other")
    for note in (NOTE, other, NOTE):
        notebook.write(note)
    assert [note.name for note in notebook.notes()] == ["sessions/other", "sessions/7f3k"]
    assert notebook.latest() == NOTE


def test_a_seat_that_was_left_is_struck_out_and_nothing_else(notebook: Notebook) -> None:
    both, other = replace(NOTE, seats=(ANN, BEN)), replace(NOTE, server="127.0.0.1:1")
    for note in (both, other):
        notebook.write(note)
    notebook.forget_seat(both, 0)
    assert notebook.notes() == (replace(NOTE, seats=(BEN,)), other)
    notebook.forget_seat(both, 0)
    assert notebook.notes() == (replace(NOTE, seats=(BEN,)), other)


def test_a_token_is_not_taken_to_another_server(notebook: Notebook) -> None:
    notebook.write(NOTE)
    assert notebook.find("7f3k", "127.0.0.1:1") is None
    assert notebook.latest("127.0.0.1:1") is None
    assert notebook.latest(NOTE.server) == NOTE


def test_commands_that_write_at_once_lose_nothing(notebook: Notebook) -> None:
    names = {f"sessions/{number}" for number in range(24)}
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda name: Notebook(notebook.path).write(replace(NOTE, name=name)), names))
    assert {note.name for note in notebook.notes()} == names


def test_a_crash_while_writing_leaves_the_old_notebook(notebook: Notebook, monkeypatch: pytest.MonkeyPatch) -> None:
    notebook.write(NOTE)

    def crash(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("lair.cli.notebook.os.fsync", crash)
    with pytest.raises(KeyboardInterrupt):
        notebook.write(replace(NOTE, name="sessions/other"))
    assert notebook.notes() == (NOTE,)
    assert sorted(path.name for path in notebook.path.parent.iterdir()) == ["notebook.json", "notebook.json.lock"]


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"[]",
        b"{}",
        b"\xff",
        b'{"sessions": 1}',
        b'{"sessions": [1]}',
        b'{"sessions": [{}]}',
        b'{"sessions": [{"seats": [1]}]}',
    ],
)
def test_a_damaged_notebook_is_named_in_one_sentence(notebook: Notebook, content: bytes) -> None:
    notebook.path.parent.mkdir()
    notebook.path.write_bytes(content)
    with pytest.raises(Failure, match=r"notebook\.json is damaged") as failure:
        notebook.latest()
    assert failure.value.exit_code == 1
    with pytest.raises(Failure, match="damaged"):
        notebook.write(NOTE)
    assert notebook.path.read_bytes() == content


def test_a_place_that_cannot_be_written_is_named_in_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(Failure, match="can't be written"):
        Notebook(tmp_path / "file" / "notebook.json").write(NOTE)


def test_the_environment_says_where_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LAIR_NOTEBOOK", str(tmp_path / "mine.json"))
    assert default_path() == tmp_path / "mine.json"
    monkeypatch.delenv("LAIR_NOTEBOOK")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    assert default_path().name == "notebook.json"
    assert default_path().parent.name == "lair"


def test_a_session_may_be_given_with_or_without_its_collection() -> None:
    assert full_name("7f3k") == full_name("sessions/7f3k") == "sessions/7f3k"
