"""Two servers on one PostgreSQL: each serves every session, and neither leaves when the database is away."""

import signal
import subprocess
import sys
from collections.abc import Iterator

import psycopg
import pytest

from tests.support.postgresql import GUARDED, PASSWORD, PostgresqlServer
from tests.support.processes import ROOT, environment
from tests.support.refusals import refusal_of
from tests.support.servers import Stubs, running
from tests.support.sessions import (
    abort,
    create,
    endless,
    feed_on,
    history_of,
    join,
    new_id,
    open_lobby,
    reveal_of,
    session_of,
    submit,
    view_of,
)

PATIENCE = 90.0

Servers = tuple[Stubs, Stubs]


@pytest.fixture
def servers(postgresql_database: str) -> Iterator[Servers]:
    with running(postgresql_database) as one, running(postgresql_database) as other:
        yield one, other


def test_a_session_is_played_through_either_server(servers: Servers) -> None:
    one, other = servers
    created = create(one, **endless(12))
    for turn in range(6):
        update = submit(servers[turn % 2], created, turn % 2, "feed")
        assert update.revision == turn + 1
        for server in servers:
            assert view_of(server, created, turn % 2).revision == turn + 1
    assert history_of(one, created) == history_of(other, created)
    feed_on(other, created)
    assert reveal_of(one, created) == reveal_of(other, created)


def test_a_request_that_is_sent_to_both_is_answered_once(servers: Servers) -> None:
    one, other = servers
    created, request = create(one), new_id()
    first = submit(one, created, 0, request_id=request)
    assert submit(other, created, 0, request_id=request) == first
    assert session_of(other, created).revision == 1


def test_who_joins_through_another_server_has_its_token_everywhere(servers: Servers) -> None:
    one, other = servers
    lobby = open_lobby(one)
    joined = [join(server, lobby, display_name=name) for server, name in ((other, "Ann"), (one, "Ben"))]
    assert sorted(answer.seat for answer in joined) == [0, 1]
    assert session_of(one, lobby) == session_of(other, lobby)
    aborted = abort(other, lobby)
    assert session_of(one, lobby).state == aborted.state


def test_a_database_that_is_away_makes_no_server_leave(
    postgresql: PostgresqlServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All servers would leave at once, and there would be nobody who could say when to come again."""
    monkeypatch.setattr("services.session.adapters.postgresql.reader.PATIENCE_SECONDS", 0.5)
    with postgresql.database() as name, running(postgresql.url(name)) as server:
        created = create(server)
        postgresql.execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS false")
        postgresql.execute(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'")
        error = refusal_of(lambda: session_of(server, created))
        assert (error.code, error.reason, error.retry_after) == ("UNAVAILABLE", "STORE_UNAVAILABLE", 1.0)
        assert server.serving()
        postgresql.execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS true")
        monkeypatch.undo()
        assert session_of(server, created).name == created.session.name
        assert submit(server, created, 0).revision == 1


def test_the_command_says_where_the_sessions_are_and_nothing_of_the_password(postgresql: PostgresqlServer) -> None:
    with postgresql.database() as name:
        url = f"postgresql://{GUARDED}:{PASSWORD.replace(' ', '%20')}@/{name}?host={postgresql.folder}"
        serving = subprocess.Popen(
            [sys.executable, "-m", "services", "--address", "127.0.0.1:0"],
            cwd=ROOT,
            env=environment(LAIR_DATABASE=url),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        assert serving.stdout
        lines = []
        for line in serving.stdout:
            lines.append(line)
            if "autoplay" in line:
                break
        serving.send_signal(signal.SIGTERM)
        rest, _ = serving.communicate(timeout=PATIENCE)
        said = "".join(lines) + rest
        assert serving.returncode == 0, said
        assert f"data   PostgreSQL at {postgresql.folder}/{name}\n" in said
        assert PASSWORD not in said
        assert "%20" not in said
        with psycopg.connect(postgresql.url(name)) as connection:
            assert connection.execute("SELECT count(*) FROM service_time").fetchone() == (1,)


def test_a_start_without_a_schema_is_one_sentence(postgresql: PostgresqlServer) -> None:
    with postgresql.database(template=None) as name:
        command = [sys.executable, "-m", "services", "--address", "127.0.0.1:0", "--database", postgresql.url(name)]
        ended = subprocess.run(
            command, cwd=ROOT, env=environment(), capture_output=True, text=True, timeout=PATIENCE, check=False
        )
        assert ended.returncode == 1
        assert ended.stderr.splitlines()[-1].endswith("run `python -m services.migrate` with the same LAIR_DATABASE")
        assert "Traceback" not in ended.stderr + ended.stdout
