"""No token is in the database, and nothing that is secret is in the log."""

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from hashlib import sha256
from pathlib import Path
from typing import Any

from tests.support.processes import Server
from tests.support.refusals import refusal_of
from tests.support.servers import Stubs, running
from tests.support.sessions import (
    Created,
    Player,
    abort,
    create,
    join,
    new_id,
    open_lobby,
    options,
    play_out,
    reveal_of,
    submit,
    watch,
)


def files_of(database: Path) -> bytes:
    """All that a thief of the disk has, apart from the log."""
    return b"".join(path.read_bytes() for path in sorted(database.parent.glob(f"{database.name}*")))


def spellings(secret: bytes) -> list[bytes]:
    """How the bytes of a secret might lie somewhere."""
    return [secret, secret.hex().encode(), urlsafe_b64encode(secret).rstrip(b"="), repr(secret).encode()[2:-1]]


def test_the_database_has_hashes_and_no_token(tmp_path: Path) -> None:
    database = tmp_path / "lair.db"
    with running(database) as server:
        created, lobby = create(server, request_id=new_id()), open_lobby(server, request_id=new_id())
        tokens = [created.host_token, *created.seat_tokens, lobby.host_token]
        tokens += [join(server, lobby, request_id=new_id()).seat_token for _ in range(2)]
        submit(server, created, 0, request_id=new_id())
        while_running = files_of(database)
    for content in (while_running, files_of(database)):
        for token in tokens:
            assert sha256(token.encode()).digest() in content
            for spelling in (token.encode(), *spellings(urlsafe_b64decode(f"{token}="))):
                assert spelling not in content
        code = lobby.join_code
        assert sha256(code.replace("-", "").encode()).digest() in content
        assert code.encode() not in content
        assert code.replace("-", "").encode() not in content


def test_only_the_owner_reads_the_database(tmp_path: Path) -> None:
    database = tmp_path / "lair.db"
    with running(database) as server:
        create(server)
        files = {path.name: path.stat().st_mode & 0o077 for path in tmp_path.iterdir()}
    assert files == dict.fromkeys(("lair.db", "lair.db-shm", "lair.db-wal", "lair.db.lock"), 0)


def play_everything(server: Stubs) -> list[bytes]:
    """Make calls of every kind, good and bad; gives the secrets that there were, in all their spellings."""
    entropies = [b"entropy of Ann!", b"entropy of Ben!"]
    created = create(server, options=options(max_turns=4), request_id=new_id())
    lobby = open_lobby(server, request_id=new_id())
    joined = [join(server, lobby, entropy=entropy, request_id=new_id()) for entropy in entropies]
    lobby.seat_tokens.extend(answer.seat_token for answer in joined)
    stream = watch(server, created, 0)
    with Player(server, lobby, 0) as player:
        player.submit(request_id=new_id())
        player.submit("feed")
        player.half_close()
        assert [message.HasField("acknowledgement") for message in player.received].count(True) == 2
    play_out(server, created)
    assert list(stream)[-1].HasField("closing")
    abort(server, lobby)
    stranger = Created()
    stranger.CopyFrom(created)
    stranger.seat_tokens[:] = ["a token that is as secret as a good one"] * 2
    assert refusal_of(lambda: submit(server, stranger, 0)).reason == "BAD_TOKEN"
    assert refusal_of(lambda: join(server, lobby)).reason == "SESSION_ABORTED"
    seeds = [reveal_of(server, session).server_seed for session in (created, lobby)]
    tokens = [session.host_token for session in (created, lobby)]
    tokens += [token for session in (created, lobby, stranger) for token in session.seat_tokens]
    hashes = [sha256(token.encode()).digest() for token in tokens]
    texts = [*tokens, lobby.join_code, lobby.join_code.replace("-", "")]
    return [
        *(text.encode() for text in texts),
        *(spelling for secret in (*seeds, *entropies, *hashes) for spelling in spellings(secret)),
    ]


def test_the_log_tells_every_call_and_no_secret(tmp_path: Path) -> None:
    with Server(tmp_path / "lair.db", LAIR_LOG_LEVEL="debug") as process, Stubs(process.address) as server:
        secrets = play_everything(server)
        created = create(server)
        submit(server, created, 0)
        refusal_of(lambda: submit(server, created, 0, "feed"))
        process.stop()
    log = process.log.read_bytes()
    for secret in secrets:
        assert secret not in log
    session = created.session.name.removeprefix("sessions/")
    calls = [event for event in events_of(log) if event["event"] == "call" and event.get("session") == session]
    assert [(call["method"].rpartition("/")[2], call["code"], call.get("reason")) for call in calls] == [
        ("CreateSession", "OK", None),
        ("SubmitMove", "OK", None),
        ("SubmitMove", "FAILED_PRECONDITION", "NOT_YOUR_TURN"),
    ]
    assert (calls[1]["revision"], calls[1]["seat"]) == (1, 0)
    assert all(call["milliseconds"] > 0 for call in calls)


def events_of(log: bytes) -> list[dict[str, Any]]:
    """What was logged, without the lines that are for the person who started the server."""
    return [json.loads(line) for line in log.splitlines() if line.startswith(b"{")]
